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
import org.bloomgate.lookup.lookup.ExactAnswer;
import org.bloomgate.lookup.lookup.ExactLookup;
import org.bloomgate.lookup.lookup.UnknownReason;
import org.bloomgate.lookup.remote.RemoteCounts.Total;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The remote tier of one layer: a cache, a guard, and one call at a time for each key.
///
/// ```
///   keys -> kept? -------------------------> answer
///            | no
///            v
///           asked by somebody right now? --> wait for that call
///            | no
///            v
///           breaker, bulkhead -> one batch on a thread of its own -> waiters, then the cache
/// ```
///
/// The caller waits at most the given time. The call continues without it, for the patience of the [Guard], and
/// its answers are cached for later callers. Thread-safe.
public final class GuardedLookup implements ExactLookup {
    private static final Logger LOG = LoggerFactory.getLogger(GuardedLookup.class);

    private final ExactLookup remote;
    private final Guard guard;
    private final AnswerCache cache;
    private final Map<Key, CompletableFuture<ExactAnswer>> underWay = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /// @param remote closed with this
    /// @param guard shared by all layers of the tier
    public GuardedLookup(ExactLookup remote, Guard guard, CacheOptions cache) {
        this(remote, guard, cache, Ticker.systemTicker());
    }

    GuardedLookup(ExactLookup remote, Guard guard, CacheOptions cache, Ticker ticker) {
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
            answers.add(kept(key).orElseGet(() -> askedOnce(key, batch)));
        }
        send(batch, timeout);
        return answers.stream().map(answer -> await(answer, deadline)).toList();
    }

    private Optional<CompletableFuture<ExactAnswer>> kept(Key key) {
        Optional<ExactAnswer> kept = cache.get(key);
        if (kept.isPresent()) {
            guard.counts().add(Total.HITS, 1);
        }
        return kept.map(CompletableFuture::completedFuture);
    }

    /// Joins the call in progress for the key, or adds the key to the batch.
    private CompletableFuture<ExactAnswer> askedOnce(Key key, Batch batch) {
        CompletableFuture<ExactAnswer> mine = new CompletableFuture<>();
        CompletableFuture<ExactAnswer> others = underWay.putIfAbsent(key, mine);
        if (others != null) {
            guard.counts().add(Total.JOINED, 1);
            return others;
        }
        // A call may have ended between the look into the cache and here: it keeps its answers before it lets go.
        Optional<ExactAnswer> kept = cache.get(key);
        if (kept.isPresent()) {
            guard.counts().add(Total.HITS, 1);
            settle(key, mine, kept.get());
        } else {
            batch.add(key, mine);
        }
        return mine;
    }

    private void settle(Key key, CompletableFuture<ExactAnswer> queried, ExactAnswer answer) {
        underWay.remove(key, queried);
        queried.complete(answer);
    }

    private void send(Batch batch, Duration timeout) {
        if (batch.isEmpty()) {
            return;
        }
        guard.counts().add(Total.MISSES, batch.keys.size());
        Optional<UnknownReason> refusal = refusal(timeout);
        if (refusal.isPresent()) {
            batch.settle(Collections.nCopies(batch.keys.size(), refusal.get().answer()));
            return;
        }
        Duration patience = timeout.compareTo(guard.patience()) > 0 ? timeout : guard.patience();
        Thread.ofVirtual().name("exact-call").start(() -> call(batch, patience));
    }

    private Optional<UnknownReason> refusal(Duration timeout) {
        if (closed) {
            return Optional.of(UnknownReason.CLOSED);
        }
        return timeout.isPositive() ? guard.refusal() : Optional.of(UnknownReason.TIMEOUT);
    }

    private void call(Batch batch, Duration patience) {
        long begun = System.nanoTime();
        List<ExactAnswer> answers = Collections.nCopies(batch.keys.size(), UnknownReason.BAD_ANSWER.answer());
        try {
            List<ExactAnswer> given = remote.lookup(List.copyOf(batch.keys), patience);
            answers = given.size() == batch.keys.size() ? given : answers;
        } catch (RuntimeException | Error fault) {
            LOG.error("exact lookup failed", fault);
        } finally {
            guard.ended(answers, Duration.ofNanos(System.nanoTime() - begun));
            batch.settle(answers);
        }
    }

    private static ExactAnswer await(CompletableFuture<ExactAnswer> answer, long deadline) {
        try {
            return answer.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            return UnknownReason.TIMEOUT.answer();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return UnknownReason.CLOSED.answer();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /// Pending calls end by themselves; nothing more is queried or kept.
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

        void add(Key key, CompletableFuture<ExactAnswer> queried) {
            keys.add(key);
            waiting.add(queried);
        }

        boolean isEmpty() {
            return keys.isEmpty();
        }

        void settle(List<ExactAnswer> answers) {
            for (int i = 0; i < keys.size(); i++) {
                if (!closed) {
                    cache.keep(keys.get(i), answers.get(i));
                }
                GuardedLookup.this.settle(keys.get(i), waiting.get(i), answers.get(i));
            }
        }
    }
}
