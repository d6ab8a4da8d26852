package org.bloomgate.server.nexthop;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketTimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.bloomgate.base.io.BlockStream;
import org.jspecify.annotations.Nullable;

/// A socket whose reads all end at one absolute deadline. A socket's own timeout starts again with every byte,
/// so that one byte a second holds a connection for ever; TLS layered over this socket is bounded in the same
/// way.
///
/// A read that ends at the deadline closes the input: bytes that arrive later are not read. Replies can still
/// be written.
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

    /// A socket for `ServerSocket.implAccept`, without an implementation of its own: otherwise each accepted
    /// connection would throw and catch exceptions while the options of the unused implementation are copied.
    public static DeadlineSocket forAccept(ReadWatch watch) throws SocketException {
        return new DeadlineSocket(null, watch);
    }

    /// Sets the deadline of all later reads, a value of [System#nanoTime()]; they then throw
    /// `SocketTimeoutException`.
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

    /// Ends the current read and all later ones as the deadline does, from any thread. They do not return the
    /// end of the input: that would end TLS too, and no reply could follow.
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

    private final class DeadlineStream extends BlockStream {
        private final InputStream in;

        DeadlineStream(InputStream in) {
            this.in = in;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (System.nanoTime() - deadline >= 0) {
                throw overdue();
            }
            readingUntil.set(deadline);
            yieldOnce();
            int count = in.read(bytes, offset, length);
            boolean inTime = readingUntil.compareAndSet(deadline, NOT_READING);
            if (!inTime || (count < 0 && inputEnded)) {
                throw overdue();
            }
            return count;
        }

        /// Yields once, after which the reply has often arrived: a read that finds it neither registers for
        /// events nor wakes a thread, which saves four of forty system calls a message.
        @SuppressWarnings("ThreadPriorityCheck") // correct without it, but slower
        private static void yieldOnce() {
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
