package org.bloomgate.spark;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/// The first bytes of another stream.
final class BoundedStream extends FilterInputStream {
    private long left;

    BoundedStream(InputStream in, long bytes) {
        super(in);
        left = bytes;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (left == 0) {
            return -1;
        }
        int read = in.read(into, offset, (int) Math.min(length, left));
        left -= Math.max(0, read);
        return read;
    }
}
