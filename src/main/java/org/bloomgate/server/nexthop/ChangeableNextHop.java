package org.bloomgate.server.nexthop;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.bloomgate.core.smtp.Capabilities;
import org.bloomgate.core.smtp.ClientIdentity;
import org.bloomgate.core.smtp.Reply;

/// A next hop that can be replaced while messages are delivered. Each transaction ends at the next hop where it
/// began; the old next hop is closed after its last transaction. Thread-safe.
public final class ChangeableNextHop implements NextHop {
    private final ReentrantLock lock = new ReentrantLock();
    private volatile ActiveNextHop current;

    public ChangeableNextHop(NextHop first) {
        current = new ActiveNextHop(first);
    }

    /// Uses `other` for all transactions that begin from now on.
    public void change(NextHop other) {
        ActiveNextHop before;
        lock.lock();
        try {
            before = current;
            current = new ActiveNextHop(other);
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
    public List<String> ehloLines() {
        return current.nextHop.ehloLines();
    }

    @Override
    public NextHopTransaction begin(ClientIdentity client) {
        lock.lock();
        try {
            ActiveNextHop active = current;
            CountedTransaction transaction = new CountedTransaction(active, active.nextHop.begin(client));
            active.transactions++;
            return transaction;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int maxTransactions() {
        return current.nextHop.maxTransactions();
    }

    /// The counters of the next hop in use; a new one starts at 0.
    @Override
    public NextHop.Usage usage() {
        return current.nextHop.usage();
    }

    @Override
    public Optional<NextHop.Refusals> refusals() {
        return current.nextHop.refusals();
    }

    /// Closes the next hop in use, even during transactions.
    @Override
    public void close() {
        current.nextHop.close();
    }

    /// A next hop and the number of its open transactions. Guarded by the lock.
    private final class ActiveNextHop {
        private final NextHop nextHop;
        private int transactions;
        private boolean retired;

        private ActiveNextHop(NextHop nextHop) {
            this.nextHop = nextHop;
        }

        private void transactionEnded() {
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

    private record CountedTransaction(ActiveNextHop active, NextHopTransaction transaction)
            implements NextHopTransaction {
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
            active.transactionEnded();
        }
    }
}
