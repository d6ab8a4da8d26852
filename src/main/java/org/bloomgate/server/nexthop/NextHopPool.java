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

/// The connections to one next hop: at most `poolSize`, the unused ones for at most `poolIdle`. The one used
/// last is used next, so that the others grow old and go.
///
/// A transaction that waits for its client lends its connection: it keeps it unless another transaction finds
/// none, and then makes its envelope once more on another one. So clients that are slow, however many, keep
/// nobody from the next hop.
///
/// A thread of its own closes what is idle or stuck for too long. Thread-safe; connecting happens outside the
/// lock.
final class NextHopPool implements AutoCloseable {
    private static final Duration LONGEST_ROUND = Duration.ofSeconds(1);
    private static final Duration SHORTEST_ROUND = Duration.ofMillis(10);

    /// Makes a connection that is greeted.
    interface Connector {
        SmtpConnection connect() throws NextHopFault;
    }

    private final Connector connector;
    private final NextHopOptions options;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition freed = lock.newCondition();
    private final Deque<SmtpConnection> idle = new ArrayDeque<>();
    private final Set<SmtpConnection> busy = new HashSet<>();
    /// By who lends, the longest first.
    private final Map<Object, SmtpConnection> lent = new LinkedHashMap<>();

    private final Map<NextHopFault.Kind, Long> faults = new EnumMap<>(NextHopFault.Kind.class);
    /// Idle, busy, and being made.
    private int open;
    private int waiting;
    private boolean closed;
    private final BackgroundTask sweeper;

    NextHopPool(Connector connector, NextHopOptions options) {
        this.connector = connector;
        this.options = options;
        this.sweeper = BackgroundTask.every(round(options), "next-hop-pool", this::sweep);
    }

    /// An idle connection, or a fresh one, or one that is lent. It must come back through [#giveBack] or
    /// [#drop].
    SmtpConnection take() throws NextHopFault {
        return switch (reserve(true)) {
            case Reserved.Place _ -> connect();
            case Reserved.Idle(SmtpConnection connection) -> connection;
            case Reserved.Lent(SmtpConnection connection) -> afterReset(connection);
        };
    }

    private SmtpConnection afterReset(SmtpConnection connection) throws NextHopFault {
        try {
            Reply _ = connection.reset();
            connection.becomeIdle();
            return connection;
        } catch (NextHopFault broken) {
            drop(connection);
            return takeFresh();
        }
    }

    /// A connection that cannot be stale.
    SmtpConnection takeFresh() throws NextHopFault {
        Reserved _ = reserve(false);
        return connect();
    }

    private sealed interface Reserved {
        /// For a new connection.
        record Place() implements Reserved {}

        record Idle(SmtpConnection connection) implements Reserved {}

        /// With a transaction of another on it.
        record Lent(SmtpConnection connection) implements Reserved {}
    }

    /// Another may have the connection until [#reclaim].
    void lend(Object owner, SmtpConnection connection) {
        lock.lock();
        try {
            lent.put(owner, connection);
            freed.signal();
        } finally {
            lock.unlock();
        }
    }

    /// False when another has the connection now.
    boolean reclaim(Object owner) {
        lock.lock();
        try {
            return Optional.ofNullable(lent.remove(owner)).isPresent();
        } finally {
            lock.unlock();
        }
    }

    /// A place, or a connection that is welcome.
    private Reserved reserve(boolean usedWelcome) throws NextHopFault {
        long left = options.connectTimeout().toNanos();
        lock.lock();
        try {
            while (true) {
                Optional<SmtpConnection> reused = usedWelcome ? pollIdle() : Optional.empty();
                if (reused.isPresent()) {
                    return new Reserved.Idle(reused.get());
                }
                if (open == options.poolSize() && !idle.isEmpty()) {
                    quit(idle.removeLast());
                }
                if (open == options.poolSize() && !lent.isEmpty()) {
                    SmtpConnection taken = longestLent();
                    if (usedWelcome && !closed) {
                        return new Reserved.Lent(taken);
                    }
                    busy.remove(taken);
                    quit(taken);
                }
                if (closed || left <= 0) {
                    throw unreachable(closed ? "shutting down" : "all " + open + " connections are in use");
                }
                if (open < options.poolSize()) {
                    open++;
                    return new Reserved.Place();
                }
                waiting++;
                try {
                    left = freed.awaitNanos(left);
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

    private SmtpConnection longestLent() {
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
        Optional<SmtpConnection> made = Optional.empty();
        try {
            made = Optional.of(connector.connect());
            return made.get();
        } finally {
            keepOrLeave(made);
        }
    }

    private void keepOrLeave(Optional<SmtpConnection> made) {
        lock.lock();
        try {
            made.ifPresentOrElse(busy::add, this::left);
            if (closed) {
                made.ifPresent(SmtpConnection::drop);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Takes back a connection with no transaction on it.
    void giveBack(SmtpConnection connection) {
        lock.lock();
        try {
            busy.remove(connection);
            connection.becomeIdle();
            idle.addFirst(connection);
            freed.signal();
            if (closed) {
                quitIdle();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Closes a connection in whatever state.
    void drop(SmtpConnection connection) {
        connection.drop();
        lock.lock();
        try {
            if (busy.remove(connection)) {
                left();
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
    void failed(NextHopFault.Kind kind) {
        lock.lock();
        try {
            faults.merge(kind, 1L, Long::sum);
        } finally {
            lock.unlock();
        }
    }

    NextHop.Use use() {
        lock.lock();
        try {
            return new NextHop.Use(idle.size(), open - idle.size(), waiting, faults);
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

    private static Duration round(NextHopOptions options) {
        Duration block = options.timeouts().block();
        Duration shorter = block.compareTo(options.poolIdle()) < 0 ? block : options.poolIdle();
        return Duration.ofNanos(Math.clamp(shorter.toNanos() / 4, SHORTEST_ROUND.toNanos(), LONGEST_ROUND.toNanos()));
    }

    private void quitIdle() {
        while (!idle.isEmpty()) {
            quit(idle.removeFirst());
        }
    }

    private void quit(SmtpConnection connection) {
        connection.quit();
        left();
    }

    private void left() {
        open--;
        freed.signal();
    }

    private static NextHopFault unreachable(String why) {
        return new NextHopFault(NextHopFault.Kind.UNREACHABLE, "no connection to the next hop: " + why);
    }
}
