package org.bloomgate.server.nexthop;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketTimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A socket whose reads all end at one absolute deadline. A socket's own timeout starts again with every byte,
/// so that one byte a second holds a connection for ever; TLS layered over this socket is bounded in the same
/// way.
///
/// A read that is ended takes the input with it: what still arrives is not read. Replies can be written.
///
/// One thread reads; any thread may close.
public class DeadlineSocket extends Socket {
    private static final long NOT_READING = 0;

    private final ReadWatch watch;
    private long deadline;
    private final AtomicLong readingUntil = new AtomicLong(NOT_READING);
    private volatile boolean inputEnded;

    /// Not connected yet.
    public DeadlineSocket(ReadWatch watch) {
        this.watch = watch;
    }

    private DeadlineSocket(@Nullable SocketImpl none, ReadWatch watch) throws SocketException {
        super(none);
        this.watch = watch;
    }

    /// For `ServerSocket.implAccept`, which queries each option of a new socket before it discards them: an
    /// exception for every connection.
    public static DeadlineSocket toAccept(ReadWatch watch) throws SocketException {
        return new DeadlineSocket(null, watch);
    }

    /// Reads from now on end at this moment of [System#nanoTime()] with a `SocketTimeoutException`.
    public void readUntil(long nanoTime) {
        deadline = nanoTime | 1;
    }

    /// Called by the watch.
    void endOverdueRead() {
        long until = readingUntil.get();
        boolean overdue = until != NOT_READING && System.nanoTime() - until > 0;
        if (overdue && readingUntil.compareAndSet(until, NOT_READING)) {
            try {
                shutdownInput();
            } catch (IOException e) {
                // closed already, which has ended the read
            }
        }
    }

    /// Ends the read under way and all to come as the deadline does, from any thread. An end of input would be the
    /// end of TLS too, and no reply could follow.
    public void endInput() throws IOException {
        inputEnded = true;
        shutdownInput();
    }

    @Override
    public InputStream getInputStream() throws IOException {
        watch.add(this);
        return new DeadlineStream(super.getInputStream());
    }

    @Override
    public void close() throws IOException {
        watch.remove(this);
        super.close();
    }

    private final class DeadlineStream extends InputStream {
        private final InputStream in;

        DeadlineStream(InputStream in) {
            this.in = in;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (System.nanoTime() - deadline >= 0) {
                throw overdue();
            }
            readingUntil.set(deadline);
            othersFirst();
            int count = in.read(bytes, offset, length);
            boolean inTime = readingUntil.compareAndSet(deadline, NOT_READING);
            if (!inTime || (count < 0 && inputEnded)) {
                throw overdue();
            }
            return count;
        }

        /// Yields once: the reply has often arrived by then, and a read that finds it neither registers for
        /// events nor wakes a thread, which saves four of forty system calls a message.
        @SuppressWarnings("ThreadPriorityCheck") // right without it, only dearer
        private static void othersFirst() {
            if (Thread.currentThread().isVirtual()) {
                Thread.yield();
            }
        }

        private SocketTimeoutException overdue() {
            return new SocketTimeoutException("deadline of the read has passed");
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
