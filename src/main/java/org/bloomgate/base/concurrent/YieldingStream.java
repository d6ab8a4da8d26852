package org.bloomgate.base.concurrent;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/// Lets other virtual threads on now and then: they share as many carriers as there are processors and are not
/// interrupted, so that the readers of some large messages would keep all others waiting. For one thread.
public final class YieldingStream extends FilterInputStream {
    /// Messages up to this size are read without a pause.
    private static final int EVERY_BYTES = 64 * 1024;

    private int since;

    public YieldingStream(InputStream in) {
        super(in);
    }

    @Override
    public int read() throws IOException {
        int read = super.read();
        count(1);
        return read;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        int read = super.read(into, from, length);
        count(read);
        return read;
    }

    @SuppressWarnings("ThreadPriorityCheck") // the carriers of virtual threads have no time slices
    private void count(int bytes) {
        since += bytes;
        if (since >= EVERY_BYTES) {
            since = 0;
            Thread.yield();
        }
    }
}
