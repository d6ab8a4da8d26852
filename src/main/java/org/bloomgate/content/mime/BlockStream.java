package org.bloomgate.content.mime;

import java.io.IOException;
import java.io.InputStream;

/// A stream that is read by the block; of a byte alone one is made.
abstract class BlockStream extends InputStream {
    @Override
    public final int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public abstract int read(byte[] target, int offset, int wanted) throws IOException;
}
