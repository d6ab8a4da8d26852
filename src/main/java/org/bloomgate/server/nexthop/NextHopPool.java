package org.bloomgate.server.nexthop;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.core.smtp.Reply;

/// The connections to one next hop: at most `poolSize`, the unused ones for at most `poolIdle`. The connection
/// used last is used next, so that surplus connections become idle and are closed.
///
/// A transaction that waits for its client lends its connection. It gets it back unless another transaction
/// needs it; then it sends its envelope again on another connection. So slow clients, however many, do not keep
/// others from the next hop.
///
/// A background thread closes connections that are idle or stuck for too long. Thread-safe; connecting happens
/// outside the lock.
final class NextHopPool implements AutoCloseable {
    private static final Duration MAX_SWEEP_INTERVAL = Duration.ofSeconds(1);
    private static final Duration MIN_SWEEP_INTERVAL = Duration.ofMillis(10);

    /// Opens connections up to the reply to EHLO.
    interface Connector {
        SmtpConnection connect() throws NextHopFault;
    }

    private final Connector connector;
    private final NextHopOptions options;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition freed = lock.newCondition();
    private final Deque<SmtpConnection> idle = new ArrayDeque<>();
    private final Set<SmtpConnection> busy = new HashSet<>();
    /// By owner, the longest lent first.
    private final Map<Object, SmtpConnection> lent = new LinkedHashMap<>();

    private final Map<NextHopFault.Kind, Long> faults = new EnumMap<>(NextHopFault.Kind.class);
    /// The number of connections: idle, busy, and being opened.
    private int open;
    private int waiting;
    private boolean closed;
    private final BackgroundTask sweeper;

    NextHopPool(Connector connector, NextHopOptions options) {
        this.connector = connector;
        this.options = options;
        this.sweeper = BackgroundTask.every(sweepInterval(options), "next-hop-pool", this::sweep);
    }

    /// Returns an idle connection, or a new one, or one that is lent. It must be returned by [#giveBack] or
    /// [#drop].
    SmtpConnection take() throws NextHopFault {
        return switch (reserve(true)) {
            case Reservation.Place _ -> connect();
            case Reservation.Idle(SmtpConnection connection) -> connection;
            case Reservation.Lent(SmtpConnection connection) -> afterReset(connection);
        };
    }

    private SmtpConnection afterReset(SmtpConnection connection) throws NextHopFault {
        try {
            Reply _ = connection.reset();
            connection.markIdle();
            if (connection.reusable()) {
                return connection;
            }
            giveBack(connection);
        } catch (NextHopFault e) {
            drop(connection);
        }
        return takeFresh();
    }

    /// Returns a new connection, which cannot be stale.
    SmtpConnection takeFresh() throws NextHopFault {
        Reservation _ = reserve(false);
        return connect();
    }

    private sealed interface Reservation {
        /// The permission to open a new connection.
        record Place() implements Reservation {}

        record Idle(SmtpConnection connection) implements Reservation {}

        /// A connection with the transaction of its owner on it.
        record Lent(SmtpConnection connection) implements Reservation {}
    }

    /// Offers the connection to other transactions until [#reclaim].
    void lend(Object owner, SmtpConnection connection) {
        lock.lock();
        try {
            lent.put(owner, connection);
            freed.signal();
        } finally {
            lock.unlock();
        }
    }

    /// Takes a lent connection back; false if another transaction has it.
    boolean reclaim(Object owner) {
        lock.lock();
        try {
            return Optional.ofNullable(lent.remove(owner)).isPresent();
        } finally {
            lock.unlock();
        }
    }

    /// Waits for a connection to reuse, or for the permission to open one.
    ///
    /// @param reuseAllowed whether it may be a connection that may be stale
    private Reservation reserve(boolean reuseAllowed) throws NextHopFault {
        long nanosLeft = options.connectTimeout().toNanos();
        lock.lock();
        try {
            while (true) {
                Optional<SmtpConnection> reused = reuseAllowed ? pollIdle() : Optional.empty();
                if (reused.isPresent()) {
                    return new Reservation.Idle(reused.get());
                }
                if (open == options.poolSize() && !idle.isEmpty()) {
                    quit(idle.removeLast());
                }
                if (open == options.poolSize() && !lent.isEmpty()) {
                    SmtpConnection borrowed = removeLongestLent();
                    if (reuseAllowed && !closed) {
                        return new Reservation.Lent(borrowed);
                    }
                    busy.remove(borrowed);
                    quit(borrowed);
                }
                if (closed || nanosLeft <= 0) {
                    throw unreachable(closed ? "shutting down" : "all " + open + " connections are in use");
                }
                if (open < options.poolSize()) {
                    open++;
                    return new Reservation.Place();
                }
                waiting++;
                try {
                    nanosLeft = freed.awaitNanos(nanosLeft);
                } finally {
                    waiting--;
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw unreachable("interrupted");
        } finally {
            lock.unlock();
        }
    }

    private SmtpConnection removeLongestLent() {
        Iterator<SmtpConnection> all = lent.values().iterator();
        SmtpConnection longest = all.next();
        all.remove();
        return longest;
    }

    private Optional<SmtpConnection> pollIdle() {
        while (!idle.isEmpty()) {
            SmtpConnection connection = idle.removeFirst();
            if (connection.reusable()) {
                busy.add(connection);
                return Optional.of(connection);
            }
            quit(connection);
        }
        return Optional.empty();
    }

    private SmtpConnection connect() throws NextHopFault {
        Optional<SmtpConnection> connection = Optional.empty();
        try {
            connection = Optional.of(connector.connect());
            return connection.get();
        } finally {
            register(connection);
        }
    }

    private void register(Optional<SmtpConnection> connection) {
        lock.lock();
        try {
            connection.ifPresentOrElse(busy::add, this::slotFreed);
            if (closed) {
                connection.ifPresent(SmtpConnection::drop);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Returns a connection without a transaction to the pool.
    void giveBack(SmtpConnection connection) {
        lock.lock();
        try {
            busy.remove(connection);
            connection.markIdle();
            idle.addFirst(connection);
            freed.signal();
            if (closed) {
                quitIdle();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Closes a connection in any state.
    void drop(SmtpConnection connection) {
        connection.drop();
        lock.lock();
        try {
            if (busy.remove(connection)) {
                slotFreed();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Closes every connection, those in use as well.
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            quitIdle();
            busy.forEach(SmtpConnection::drop);
            freed.signalAll();
        } finally {
            lock.unlock();
        }
        sweeper.close();
    }

    /// Counts a fault of a transaction.
    void countFault(NextHopFault.Kind kind) {
        lock.lock();
        try {
            faults.merge(kind, 1L, Long::sum);
        } finally {
            lock.unlock();
        }
    }

    NextHop.Usage usage() {
        lock.lock();
        try {
            return new NextHop.Usage(idle.size(), open - idle.size(), waiting, faults);
        } finally {
            lock.unlock();
        }
    }

    boolean closed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    private void sweep() {
        lock.lock();
        try {
            while (!idle.isEmpty() && idle.getLast().idleTooLong()) {
                quit(idle.removeLast());
            }
            busy.forEach(SmtpConnection::dropIfOverdue);
        } finally {
            lock.unlock();
        }
    }

    private static Duration sweepInterval(NextHopOptions options) {
        Duration block = options.timeouts().block();
        Duration shorter = block.compareTo(options.poolIdle()) < 0 ? block : options.poolIdle();
        return Duration.ofNanos(
                Math.clamp(shorter.toNanos() / 4, MIN_SWEEP_INTERVAL.toNanos(), MAX_SWEEP_INTERVAL.toNanos()));
    }

    private void quitIdle() {
        while (!idle.isEmpty()) {
            quit(idle.removeFirst());
        }
    }

    private void quit(SmtpConnection connection) {
        connection.quit();
        slotFreed();
    }

    private void slotFreed() {
        open--;
        freed.signal();
    }

    private static NextHopFault unreachable(String why) {
        return new NextHopFault(NextHopFault.Kind.UNREACHABLE, "no connection to the next hop: " + why);
    }
}
