package org.bloomgate.smtp;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketTimeoutException;
import java.time.Duration;

/// An accepted socket whose reads all end at one absolute deadline. A socket's own timeout starts anew with every
/// octet,
/// so that one octet a second holds a connection for ever; TLS layered over this socket is bounded in the same way.
///
/// One thread reads; any thread may close.
final class DeadlineSocket extends Socket {
    private long deadline;

    DeadlineSocket() throws SocketException {
        super((SocketImpl) null);
    }

    /// Reads from now on end at this moment of [System#nanoTime()] with a `SocketTimeoutException`.
    void readUntil(long nanoTime) {
        deadline = nanoTime;
    }

    @Override
    public InputStream getInputStream() throws IOException {
        return new DeadlineStream(super.getInputStream());
    }

    private void limitNextRead() throws IOException {
        long millis = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
        if (millis <= 0) {
            throw new SocketTimeoutException("deadline of the read has passed");
        }
        setSoTimeout((int) Math.min(millis, Integer.MAX_VALUE));
    }

    private final class DeadlineStream extends InputStream {
        private final InputStream in;

        DeadlineStream(InputStream in) {
            this.in = in;
        }

        @Override
        public int read() throws IOException {
            limitNextRead();
            return in.read();
        }

        @Override
        public int read(byte[] octets, int offset, int length) throws IOException {
            limitNextRead();
            return in.read(octets, offset, length);
        }

        @Override
        public int available() throws IOException {
            return in.available();
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
