package org.bloomgate.lookup.remote;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import org.bloomgate.core.key.Key;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.bloomgate.lookup.tier.ExactLookup;

/// A remote tier by hand: says what it is told to, counts its calls, and holds them while its gate is shut.
final class ScriptedTier implements ExactLookup {
    final List<List<Key>> calls = new CopyOnWriteArrayList<>();
    final BlockingQueue<List<Key>> begun = new LinkedBlockingQueue<>();
    volatile Function<Key, ExactAnswer> says = key -> new ExactAnswer.NotListed();
    private volatile CountDownLatch gate = new CountDownLatch(0);
    volatile boolean closed;

    /// Calls that begin from now on do not end before [#release].
    void hold() {
        gate = new CountDownLatch(1);
    }

    void release() {
        gate.countDown();
    }

    @Override
    public List<ExactAnswer> lookup(List<Key> keys, Duration timeout) {
        calls.add(keys);
        begun.add(keys);
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return keys.stream().map(says).toList();
    }

    @Override
    public void close() {
        closed = true;
    }
}
