package org.bloomgate.decision.evaluation;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.content.links.Inspection;
import org.bloomgate.content.links.MessageSummary;
import org.bloomgate.content.mime.MessageReader;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.core.limit.ReadingStopped;
import org.bloomgate.decision.authentication.MessageSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The threads on which messages are read, so that no message keeps the others waiting, whatever it makes its
/// reader do. Sessions share a few carrier threads, which are neither interrupted nor given time slices.
///
/// As many messages as there are processors are read at once. A watch checks the readings four times a second:
/// a reading that is still running at its second check no longer counts, and another may begin. One that has
/// used [#MAX_CPU] or [#MAX_TIME] is stopped at its next draw, and the message has the limit `time`. A thread
/// that does not return within [#GRACE] is abandoned: its buffers are not used again. With four abandoned
/// threads for each processor, every message is refused until one returns. Thread-safe.
public final class ReadingPool implements AutoCloseable {
    static final Duration MAX_CPU = Duration.ofSeconds(10);
    static final Duration MAX_TIME = Duration.ofSeconds(60);

    /// The time for a stopped thread to return.
    static final Duration GRACE = Duration.ofSeconds(5);

    /// The shortest time between two log lines.
    static final Duration LOG_INTERVAL = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(ReadingPool.class);
    private static final Duration ROUND = Duration.ofMillis(250);
    private static final int ABANDONED_PER_PROCESSOR = 4;

    /// The time by which each byte postpones a message while others wait: a small message does not wait for hundreds
    /// of large ones, and a large one has its turn within a minute.
    private static final long WAIT_NANOS_PER_BYTE = 1_000;

    private final int slots;
    private final int maxAbandoned;
    private final LongSupplier nanos;
    private final ToLongFunction<Thread> cpuNanos;
    private final ThreadPoolExecutor threads;
    private final Set<Reading> running = ConcurrentHashMap.newKeySet();
    private volatile int abandoned;
    private Optional<Long> lastLog = Optional.empty();
    private int unlogged;

    private static final class OfProcess {
        private static final ReadingPool POOL = createWatched();

        private static ReadingPool createWatched() {
            ThreadMXBean cpu = ManagementFactory.getThreadMXBean();
            ReadingPool pool = new ReadingPool(
                    Runtime.getRuntime().availableProcessors(),
                    System::nanoTime,
                    thread -> cpu.getThreadCpuTime(thread.threadId()));
            BackgroundTask _ = BackgroundTask.every(ROUND, "reading-watch", pool::checkReadings);
            return pool;
        }
    }

    /// @param nanos a clock that is never set
    /// @param cpuNanos processor time of a thread
    ReadingPool(int processors, LongSupplier nanos, ToLongFunction<Thread> cpuNanos) {
        this.slots = Math.max(2, processors);
        this.maxAbandoned = ABANDONED_PER_PROCESSOR * processors;
        this.nanos = nanos;
        this.cpuNanos = cpuNanos;
        this.threads = new ThreadPoolExecutor(
                slots,
                slots + maxAbandoned,
                1,
                TimeUnit.SECONDS,
                new PriorityBlockingQueue<>(),
                BackgroundTask.createThreadFactory("reading"));
    }

    /// The pool of all listeners.
    public static ReadingPool ofProcess() {
        return OfProcess.POOL;
    }

    /// The result of a reading.
    ///
    /// @param batch with the keys: the one that was lent, or an empty one if an abandoned thread still has that
    record Outcome(Inspection inspection, KeyBatch batch) {}

    /// Reads a message and waits for the result. After an exception the batch must not be used any more.
    ///
    /// @param sizeBytes of the message; 0 if it is not known
    /// @param allowance of the message, which has what earlier readings left
    /// @throws ReadingRefusedException if too many threads are abandoned, or memory is short
    /// @throws InterruptedIOException if the waiting thread is interrupted: the reading is stopped then
    /// @throws IOException when the source fails
    Outcome read(
            MessageReader reader,
            MessageSource source,
            long sizeBytes,
            PublicSuffixes suffixes,
            Set<KeyKind> kinds,
            KeyBatch batch,
            Allowance allowance)
            throws IOException {
        Outcome outcome;
        allowance.takeOrdinaryKeys();
        try (InputStream message = source.open()) {
            Reading reading = new Reading(reader, message, sizeBytes, suffixes, kinds, batch, allowance);
            if (isFull()) {
                throw createTooManyAbandoned();
            }
            threads.execute(reading);
            outcome = await(reading);
        } finally {
            allowance.giveBackOrdinaryKeys();
        }
        if (outcome.inspection().limits().contains(Limit.TIME)) {
            logStopped(source);
        }
        return outcome;
    }

    private Outcome await(Reading reading) throws IOException {
        try {
            return reading.result.get();
        } catch (InterruptedException e) {
            threads.remove(reading);
            reading.close();
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted = new InterruptedIOException("interrupted while the message was read");
            interrupted.initCause(e);
            throw interrupted;
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException fault -> throw fault;
                case RuntimeException fault -> throw fault;
                case Error fault -> throw fault;
                case null, default -> throw new IllegalStateException(e);
            }
        }
    }

    /// The number of abandoned threads.
    public int abandoned() {
        return abandoned;
    }

    int waiting() {
        return threads.getQueue().size();
    }

    int running() {
        return running.size();
    }

    /// Returns the reason why no message is read; empty while messages are read.
    public Optional<String> findRejectionReason() {
        return isFull() ? Optional.of(String.valueOf(createTooManyAbandoned().getMessage())) : Optional.empty();
    }

    private boolean isFull() {
        return abandoned >= maxAbandoned;
    }

    private ReadingRefusedException createTooManyAbandoned() {
        return new ReadingRefusedException(
                "message: %d threads have not returned from messages that were abandoned".formatted(abandoned));
    }

    /// Checks every reading once.
    synchronized void checkReadings() {
        long now = nanos.getAsLong();
        int slow = 0;
        int abandonedNow = 0;
        for (Reading reading : running) {
            reading.check(now);
            slow += reading.checks > 1 ? 1 : 0;
            abandonedNow += reading.isAbandoned(now) ? 1 : 0;
        }
        abandoned = abandonedNow;
        threads.setCorePoolSize(slots + Math.min(slow, maxAbandoned));
        if (isFull()) {
            List<Runnable> waiting = new ArrayList<>();
            threads.getQueue().drainTo(waiting);
            waiting.forEach(task -> ((Reading) task).result.completeExceptionally(createTooManyAbandoned()));
        }
        if (unlogged > 0 && mayLog(now)) {
            LOG.error("reading: stopped {} more messages: they took too long (limit time)", unlogged);
            unlogged = 0;
        }
    }

    private void logStopped(MessageSource source) throws IOException {
        if (isFirst()) {
            try (InputStream message = source.open()) {
                LOG.error("reading: stopped a message, SHA-256 {}: it took too long (limit time)", Sha256.hex(message));
            }
        }
    }

    private synchronized boolean isFirst() {
        boolean isFirst = mayLog(nanos.getAsLong());
        unlogged += isFirst ? 0 : 1;
        return isFirst;
    }

    private boolean mayLog(long now) {
        boolean mayLog = lastLog.isEmpty() || now - lastLog.get() >= LOG_INTERVAL.toNanos();
        lastLog = mayLog ? Optional.of(now) : lastLog;
        return mayLog;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    /// One message on its way through a thread.
    private final class Reading implements Runnable, Comparable<Reading> {
        private final MessageReader reader;
        private final InputStream message;
        private final PublicSuffixes suffixes;
        private final Set<KeyKind> kinds;
        private final KeyBatch batch;
        private final Allowance allowance;
        private final CompletableFuture<Outcome> result = new CompletableFuture<>();
        private final long dueNanos;
        private volatile boolean closed;
        private volatile Optional<Thread> thread = Optional.empty();

        /// The fields from here on are used by the watch only.
        private int checks;

        private long begunNanos;
        private long begunCpuNanos;
        private Optional<Long> stoppedNanos = Optional.empty();

        private Reading(
                MessageReader reader,
                InputStream message,
                long sizeBytes,
                PublicSuffixes suffixes,
                Set<KeyKind> kinds,
                KeyBatch batch,
                Allowance allowance) {
            this.reader = reader;
            this.message = message;
            this.suffixes = suffixes;
            this.kinds = kinds;
            this.batch = batch;
            this.allowance = allowance;
            this.dueNanos = nanos.getAsLong() + sizeBytes * WAIT_NANOS_PER_BYTE;
        }

        @Override
        public int compareTo(Reading other) {
            return Long.signum(dueNanos - other.dueNanos);
        }

        @Override
        public void run() {
            thread = Optional.of(Thread.currentThread());
            running.add(this);
            try {
                end(reader.read(message, suffixes, kinds, batch, allowance));
            } catch (ReadingStopped stopped) {
                switch (stopped.reason()) {
                    case TIME -> end(partialInspection());
                    case HEAP -> fail(new ReadingRefusedException("not enough memory"));
                }
            } catch (IOException | RuntimeException | Error fault) {
                fail(fault);
            } finally {
                running.remove(this);
                if (abandoned > 0) {
                    ReadingPool.this.checkReadings();
                }
            }
        }

        private void end(Inspection inspection) {
            if (!result.complete(new Outcome(inspection, batch))) {
                batch.clear();
            }
        }

        private void fail(Throwable fault) {
            batch.clear();
            result.completeExceptionally(fault);
        }

        /// Stops the reading, because no session waits for it any more.
        private void close() {
            closed = true;
            allowance.stop();
            if (!result.cancel(false) && result.state() == Future.State.SUCCESS) {
                result.resultNow().batch().clear();
            }
        }

        /// The result up to the stop.
        private Inspection partialInspection() {
            return Inspection.of(allowance, MessageSummary.NONE).and(Inspection.partial(Limit.TIME));
        }

        private void check(long now) {
            if (checks++ == 0) {
                begunNanos = now;
                begunCpuNanos = readCpuNanos();
            }
            boolean isLate =
                    now - begunNanos >= MAX_TIME.toNanos() || readCpuNanos() - begunCpuNanos >= MAX_CPU.toNanos();
            if ((isLate || closed) && stoppedNanos.isEmpty()) {
                stop(now);
            }
            if (isAbandoned(now)) {
                result.complete(new Outcome(Inspection.partial(Limit.TIME), reader.takeBatch()));
            }
        }

        private long readCpuNanos() {
            return thread.map(cpuNanos::applyAsLong).orElse(0L);
        }

        private void stop(long now) {
            stoppedNanos = Optional.of(now);
            allowance.stop();
        }

        private boolean isAbandoned(long now) {
            return stoppedNanos.isPresent() && now - stoppedNanos.get() >= GRACE.toNanos();
        }
    }
}
