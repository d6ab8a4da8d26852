package org.bloomgate.server.nexthop;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.time.Duration;
import javax.net.ssl.SSLSocket;
import org.bloomgate.base.io.BlockStream;

/// A blocking socket whose reads end by an absolute deadline, so that a peer that sends a byte now and then
/// does not prolong them, and whose writes end within the time for one block.
///
/// A blocking write has no timeout: another thread calls [#closeIfOverdue] regularly, which is safe from any
/// thread and ends a write that takes too long. Everything else is for one thread at a time.
final class NextHopSocket {
    private static final long NOT_WRITING = Long.MAX_VALUE;

    private final DeadlineSocket raw;
    private final long blockNanos;
    private volatile long writeDeadline = NOT_WRITING;
    private boolean writeFailed;
    private long writes;
    private InputStream in = InputStream.nullInputStream();
    private OutputStream out = OutputStream.nullOutputStream();

    NextHopSocket(ReadWatch watch, Duration block) {
        this.raw = new DeadlineSocket(watch);
        this.blockNanos = block.toNanos();
    }

    void connect(InetSocketAddress address, Duration timeout) throws IOException {
        raw.setTcpNoDelay(true);
        raw.connect(address, Math.clamp(timeout.toMillis(), 1, Integer.MAX_VALUE));
        in = raw.getInputStream();
        out = raw.getOutputStream();
    }

    /// Starts TLS: all later bytes are encrypted.
    void encrypt(NextHopEncryption encryption, String host) throws IOException {
        SSLSocket tls = encryption.wrap(raw, host);
        tls.startHandshake();
        in = tls.getInputStream();
        out = tls.getOutputStream();
    }

    /// Sets the deadline of all later reads.
    void setReadTimeout(Duration timeout) {
        raw.readUntil(System.nanoTime() + timeout.toNanos());
    }

    /// True if the socket has unread bytes; false if it is broken, which the next read reports.
    boolean hasUnreadBytes() {
        try {
            return in.available() > 0;
        } catch (IOException e) {
            return false;
        }
    }

    InputStream input() {
        return new BlockStream() {
            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                return in.read(into, offset, length);
            }
        };
    }

    OutputStream output() {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                writeDeadline = System.nanoTime() + blockNanos;
                writeFailed = true;
                out.write(bytes, offset, length);
                writeFailed = false;
                writes++;
                writeDeadline = NOT_WRITING;
            }
        };
    }

    boolean writeFailed() {
        return writeFailed;
    }

    /// The number of completed writes.
    long writes() {
        return writes;
    }

    void closeIfOverdue() {
        long deadline = writeDeadline;
        if (deadline != NOT_WRITING && System.nanoTime() - deadline > 0) {
            close();
        }
    }

    /// Closes at once, also during a read or write.
    void close() {
        try {
            raw.close();
        } catch (IOException alreadyGone) {
            // The socket is not used any more.
        }
    }
}
