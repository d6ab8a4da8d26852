package org.bloomgate.server.nexthop;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.bloomgate.core.smtp.Capabilities;
import org.bloomgate.core.smtp.ClientIdentity;
import org.bloomgate.core.smtp.Reply;

/// A next hop that can be exchanged for another one while mail flows. Transactions end where they began; the old next
/// hop is closed when its last one has. Thread-safe.
public final class ChangeableNextHop implements NextHop {
    private final ReentrantLock lock = new ReentrantLock();
    private volatile Use current;

    public ChangeableNextHop(NextHop first) {
        current = new Use(first);
    }

    /// Takes over `other`, for all transactions to come.
    public void change(NextHop other) {
        Use before;
        lock.lock();
        try {
            before = current;
            current = new Use(other);
            before.retired = true;
        } finally {
            lock.unlock();
        }
        before.closeIfUnused();
    }

    @Override
    public Capabilities capabilities() {
        return current.nextHop.capabilities();
    }

    @Override
    public List<String> announcement() {
        return current.nextHop.announcement();
    }

    @Override
    public NextHopTransaction begin(ClientIdentity client) {
        lock.lock();
        try {
            Use use = current;
            Counted transaction = new Counted(use, use.nextHop.begin(client));
            use.transactions++;
            return transaction;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int places() {
        return current.nextHop.places();
    }

    /// The counters of the next hop in use; a new one starts at 0.
    @Override
    public NextHop.Use use() {
        return current.nextHop.use();
    }

    /// Closes the next hop in use, even during transactions.
    @Override
    public void close() {
        current.nextHop.close();
    }

    /// A next hop and how much of it is in use, under the lock.
    private final class Use {
        private final NextHop nextHop;
        private int transactions;
        private boolean retired;

        private Use(NextHop nextHop) {
            this.nextHop = nextHop;
        }

        private void ended() {
            lock.lock();
            try {
                transactions--;
            } finally {
                lock.unlock();
            }
            closeIfUnused();
        }

        private void closeIfUnused() {
            boolean unused;
            lock.lock();
            try {
                unused = retired && transactions == 0;
            } finally {
                lock.unlock();
            }
            if (unused) {
                nextHop.close();
            }
        }
    }

    private record Counted(Use use, NextHopTransaction transaction) implements NextHopTransaction {
        @Override
        public Reply mail(String arguments) {
            return transaction.mail(arguments);
        }

        @Override
        public Reply rcpt(String arguments) {
            return transaction.rcpt(arguments);
        }

        @Override
        public Reply data(byte[] top, MessageBytes message) {
            return transaction.data(top, message);
        }

        @Override
        public void close() {
            transaction.close();
            use.ended();
        }
    }
}
