package org.bloomgate.base.io;

import java.io.IOException;
import java.io.InputStream;

/// A stream whose subclasses read blocks; a single byte is read as a block of one.
public abstract class BlockStream extends InputStream {
    @Override
    public final int read() throws IOException {
        byte[] block = new byte[1];
        return read(block, 0, 1) < 0 ? -1 : block[0] & 0xff;
    }

    @Override
    public abstract int read(byte[] target, int offset, int count) throws IOException;
}
