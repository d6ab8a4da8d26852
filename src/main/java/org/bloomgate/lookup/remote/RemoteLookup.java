package org.bloomgate.lookup.remote;

import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.bloomgate.core.key.Key;
import org.bloomgate.lookup.remote.RemoteCounts.Total;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.bloomgate.lookup.tier.ExactLookup;
import org.bloomgate.lookup.tier.UnknownReason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The remote tier of one layer: a cache, a guard, and one call at a time for each key.
///
/// ```
///   keys -> in the cache? -----------------> answer
///            | no
///            v
///           call in progress for the key? --> wait for that call
///            | no
///            v
///           breaker, permit -> one batch on a thread of its own -> waiters, then the cache
/// ```
///
/// The caller waits at most the given time. The call continues without it, for the patience of the [Guard], and
/// its answers are cached for later callers. Thread-safe.
public final class RemoteLookup implements ExactLookup {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteLookup.class);

    private final ExactLookup remote;
    private final Guard guard;
    private final AnswerCache cache;
    private final Map<Key, CompletableFuture<ExactAnswer>> inProgress = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /// @param remote closed with this object
    /// @param guard shared by all layers of the tier
    public RemoteLookup(ExactLookup remote, Guard guard, CacheOptions cache) {
        this(remote, guard, cache, Ticker.systemTicker());
    }

    RemoteLookup(ExactLookup remote, Guard guard, CacheOptions cache, Ticker ticker) {
        this.remote = remote;
        this.guard = guard;
        this.cache = new AnswerCache(cache, ticker);
    }

    @Override
    public List<ExactAnswer> lookup(List<Key> keys, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        List<CompletableFuture<ExactAnswer>> answers = new ArrayList<>(keys.size());
        Batch batch = new Batch();
        for (Key key : keys) {
            answers.add(findCached(key).orElseGet(() -> joinOrAdd(key, batch)));
        }
        send(batch, timeout);
        return answers.stream().map(answer -> await(answer, deadline)).toList();
    }

    private Optional<CompletableFuture<ExactAnswer>> findCached(Key key) {
        Optional<ExactAnswer> cached = cache.get(key);
        if (cached.isPresent()) {
            guard.counts().add(Total.HITS, 1);
        }
        return cached.map(CompletableFuture::completedFuture);
    }

    /// Joins the call in progress for the key, or adds the key to the batch.
    private CompletableFuture<ExactAnswer> joinOrAdd(Key key, Batch batch) {
        CompletableFuture<ExactAnswer> newCall = new CompletableFuture<>();
        CompletableFuture<ExactAnswer> existingCall = inProgress.putIfAbsent(key, newCall);
        if (existingCall != null) {
            guard.counts().add(Total.JOINED, 1);
            return existingCall;
        }
        // A call may have ended since the cache was read: it caches its answers before it leaves underWay.
        Optional<ExactAnswer> cached = cache.get(key);
        if (cached.isPresent()) {
            guard.counts().add(Total.HITS, 1);
            complete(key, newCall, cached.get());
        } else {
            batch.add(key, newCall);
        }
        return newCall;
    }

    private void complete(Key key, CompletableFuture<ExactAnswer> pending, ExactAnswer answer) {
        inProgress.remove(key, pending);
        pending.complete(answer);
    }

    private void send(Batch batch, Duration timeout) {
        if (batch.isEmpty()) {
            return;
        }
        guard.counts().add(Total.MISSES, batch.keys.size());
        Optional<UnknownReason> refusal = findRefusal(timeout);
        if (refusal.isPresent()) {
            batch.complete(Collections.nCopies(batch.keys.size(), refusal.get().answer()));
            return;
        }
        Duration patience = timeout.compareTo(guard.patience()) > 0 ? timeout : guard.patience();
        Thread.ofVirtual().name("exact-call").start(() -> call(batch, patience));
    }

    private Optional<UnknownReason> findRefusal(Duration timeout) {
        if (closed) {
            return Optional.of(UnknownReason.CLOSED);
        }
        return timeout.isPositive() ? guard.tryBeginCall() : Optional.of(UnknownReason.TIMEOUT);
    }

    private void call(Batch batch, Duration patience) {
        long begun = System.nanoTime();
        List<ExactAnswer> answers = Collections.nCopies(batch.keys.size(), UnknownReason.BAD_ANSWER.answer());
        try {
            List<ExactAnswer> received = remote.lookup(List.copyOf(batch.keys), patience);
            answers = received.size() == batch.keys.size() ? received : answers;
        } catch (RuntimeException | Error e) {
            LOG.error("exact lookup failed", e);
        } finally {
            guard.endCall(answers, Duration.ofNanos(System.nanoTime() - begun));
            batch.complete(answers);
        }
    }

    private static ExactAnswer await(CompletableFuture<ExactAnswer> answer, long deadline) {
        try {
            return answer.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return UnknownReason.TIMEOUT.answer();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return UnknownReason.CLOSED.answer();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Closes the remote tier. Calls in progress end by themselves; no more keys are queried or cached.
    @Override
    public void close() {
        closed = true;
        cache.clear();
        remote.close();
    }

    /// The keys of one call, and the waiting callers of each.
    private final class Batch {
        private final List<Key> keys = new ArrayList<>();
        private final List<CompletableFuture<ExactAnswer>> waiting = new ArrayList<>();

        void add(Key key, CompletableFuture<ExactAnswer> pending) {
            keys.add(key);
            waiting.add(pending);
        }

        boolean isEmpty() {
            return keys.isEmpty();
        }

        void complete(List<ExactAnswer> answers) {
            for (int i = 0; i < keys.size(); i++) {
                if (!closed) {
                    cache.put(keys.get(i), answers.get(i));
                }
                RemoteLookup.this.complete(keys.get(i), waiting.get(i), answers.get(i));
            }
        }
    }
}
