package org.bloomgate.decision.keyjournal;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.io.IoText;
import org.bloomgate.base.io.Token;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps the hashes of the keys of delivered mail in one file an hour, written by one background thread.
///
/// A session hashes the keys into a buffer and queues it: without a lock, a disk, or an allocation per key. The
/// writer returns the buffers. The queue is bounded in keys; a message beyond that is not recorded but counted.
/// The writer collects the messages of a fiftieth of a second, which a killed process loses; with a longer
/// interval a write would occupy a processor for more than half a millisecond. Nothing is synced.
///
/// Thread-safe.
public final class HourlyKeyJournal implements KeyJournal {
    /// 8 MB of hashes.
    static final long QUEUE_KEYS = 1 << 20;

    private static final int SPARE_BUFFERS = 64;
    private static final int SPARE_CAPACITY = 4096;
    private static final long GATHER_NANOS = Duration.ofMillis(20).toNanos();
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(10);
    private static final Logger LOG = LoggerFactory.getLogger(HourlyKeyJournal.class);

    private static final Duration KEY_RETRY = Duration.ofSeconds(30);

    private final KeyJournalOptions options;
    private final InstantSource clock;
    private final long keyRetryNanos;
    private volatile Optional<MailKeyHash> hash = Optional.empty();
    private volatile Optional<HourFileWriter> files = Optional.empty();
    private final BackgroundTask writer;
    private final Queue<MailKeys> queued = new ConcurrentLinkedQueue<>();
    private final Queue<MailKeys> spare = new ConcurrentLinkedQueue<>();
    private final AtomicLong queuedKeys = new AtomicLong();
    private final LongAdder dropped = new LongAdder();
    private volatile boolean idle;
    private volatile boolean closed;

    /// Used by the writer only, once it runs.
    private boolean failing;

    /// Starts the writer and creates the installation key if there is none. While the key can be neither read
    /// nor created, no message is recorded and all are counted as dropped.
    public HourlyKeyJournal(KeyJournalOptions options, InstantSource clock) {
        this(options, clock, KEY_RETRY);
    }

    /// @param keyRetry pause before the installation key is tried again
    HourlyKeyJournal(KeyJournalOptions options, InstantSource clock, Duration keyRetry) {
        this.options = options;
        this.clock = clock;
        this.keyRetryNanos = keyRetry.toNanos();
        hash = openKey();
        writer = BackgroundTask.keepRunning("key-journal", this::writeUntilClosed);
    }

    @Override
    public Optional<MailKeys> begin() {
        Optional<MailKeyHash> current = hash;
        if (closed || current.isEmpty() || queuedKeys.get() >= QUEUE_KEYS) {
            dropped.increment();
            return Optional.empty();
        }
        MailKeys buffer = spare.poll();
        return Optional.of(buffer == null ? new MailKeys(current.get()) : buffer);
    }

    @Override
    public void record(String token, Instant time, MailKeys keys) {
        keys.setMessage(Token.parseBits(token), time.getEpochSecond());
        queuedKeys.addAndGet(keys.size() + 1L);
        queued.add(keys);
        if (idle) {
            writer.unpark();
        }
    }

    /// Messages beyond the bound of the queue, or that could not be written.
    @Override
    public long dropped() {
        return dropped.sum();
    }

    @Override
    public long evicted() {
        return files.map(HourFileWriter::evicted).orElse(0L);
    }

    /// Stops recording and writes the queued messages, for at most ten seconds.
    @Override
    public void close() {
        closed = true;
        writer.unpark();
        writer.finish(CLOSE_WITHIN);
    }

    private Optional<MailKeyHash> openKey() {
        try {
            Optional<MailKeyHash> opened = Optional.of(
                    InstallationKey.openOrCreate(options.directory()).hash());
            if (failing) {
                LOG.info("key journal: recording; the keys of {} messages were lost", dropped());
            }
            failing = false;
            return opened;
        } catch (IOException fault) {
            if (!failing) {
                LOG.warn("cannot record message keys; 'retro' will miss this mail: {}", IoText.describe(fault));
            }
            failing = true;
            return Optional.empty();
        }
    }

    private void writeUntilClosed() {
        while (hash.isEmpty() && !closed) {
            LockSupport.parkNanos(this, keyRetryNanos);
            hash = openKey();
        }
        if (hash.isEmpty()) {
            return;
        }
        HourFileWriter out = new HourFileWriter(options, hash.get(), clock);
        files = Optional.of(out);
        while (awaitMail()) {
            LockSupport.parkNanos(this, closed ? 1 : GATHER_NANOS);
            write(drain(), out);
        }
        try {
            out.close();
        } catch (IOException fault) {
            LOG.warn("the key journal: {}", IoText.describe(fault));
        }
    }

    /// Waits for a message. False when closed and drained. A session that queues a message after `idle` is set wakes
    /// the writer; a message that was queued before is found.
    private boolean awaitMail() {
        idle = true;
        while (queued.isEmpty() && !closed) {
            LockSupport.park(this);
        }
        idle = false;
        return !queued.isEmpty();
    }

    private List<MailKeys> drain() {
        List<MailKeys> batch = new ArrayList<>();
        for (MailKeys mail = queued.poll(); mail != null; mail = queued.poll()) {
            batch.add(mail);
        }
        return batch;
    }

    /// A failed write is logged once, and once more when writing succeeds again.
    private void write(List<MailKeys> batch, HourFileWriter out) {
        long keys = batch.stream().mapToLong(mail -> mail.size() + 1L).sum();
        try {
            out.append(batch);
            if (failing) {
                LOG.info("key journal: recording again; the keys of {} messages were lost", dropped());
            }
            failing = false;
        } catch (IOException | RuntimeException fault) {
            dropped.add(batch.size());
            if (!failing) {
                LOG.warn("keys of mail are not recorded: {}", IoText.describe(fault));
            }
            failing = true;
        } finally {
            queuedKeys.addAndGet(-keys);
            batch.forEach(this::recycle);
        }
    }

    private void recycle(MailKeys buffer) {
        if (buffer.capacity() <= SPARE_CAPACITY && spare.size() < SPARE_BUFFERS) {
            buffer.clear();
            spare.add(buffer);
        }
    }
}
