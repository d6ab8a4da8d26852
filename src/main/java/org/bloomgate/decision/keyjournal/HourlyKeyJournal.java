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
/// A session hashes the keys into a buffer and queues it: no lock, no disk, and nothing made a key. Buffers
/// come back from the writer. What waits to be written is bounded in keys; a message beyond that is not
/// recorded but counted. The writer gathers what comes within a fiftieth of a second, so a process that is
/// killed loses that much; what comes in a longer time would keep a processor from a session for half a
/// millisecond. Nothing is synced.
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

    private static final Duration KEY_AGAIN = Duration.ofSeconds(30);

    private final KeyJournalOptions options;
    private final InstantSource clock;
    private final long keyAgainNanos;
    private volatile Optional<MailKeyHash> hash = Optional.empty();
    private volatile Optional<HourFileWriter> files = Optional.empty();
    private final BackgroundTask writer;
    private final Queue<MailKeys> queued = new ConcurrentLinkedQueue<>();
    private final Queue<MailKeys> spare = new ConcurrentLinkedQueue<>();
    private final AtomicLong queuedKeys = new AtomicLong();
    private final LongAdder dropped = new LongAdder();
    private volatile boolean idle;
    private volatile boolean closed;

    /// Only the writer's, once it runs.
    private boolean failing;

    /// Starts the writer and creates the installation key if there is none. While the key can be neither read
    /// nor created, no message is recorded and all are counted as dropped.
    public HourlyKeyJournal(KeyJournalOptions options, InstantSource clock) {
        this(options, clock, KEY_AGAIN);
    }

    /// @param keyAgain after which a key that failed is tried again
    HourlyKeyJournal(KeyJournalOptions options, InstantSource clock, Duration keyAgain) {
        this.options = options;
        this.clock = clock;
        this.keyAgainNanos = keyAgain.toNanos();
        hash = key();
        writer = BackgroundTask.start("key-journal", this::writeUntilClosed);
    }

    @Override
    public Optional<MailKeys> begin() {
        Optional<MailKeyHash> keyed = hash;
        if (closed || keyed.isEmpty() || queuedKeys.get() >= QUEUE_KEYS) {
            dropped.increment();
            return Optional.empty();
        }
        MailKeys buffer = spare.poll();
        return Optional.of(buffer == null ? new MailKeys(keyed.get()) : buffer);
    }

    @Override
    public void delivered(String token, Instant time, MailKeys keys) {
        keys.of(Token.parseBits(token), time.getEpochSecond());
        queuedKeys.addAndGet(keys.size() + 1L);
        queued.add(keys);
        if (idle) {
            writer.unpark();
        }
    }

    /// Too many waited, or the disk refused.
    @Override
    public long dropped() {
        return dropped.sum();
    }

    @Override
    public long evicted() {
        return files.map(HourFileWriter::evicted).orElse(0L);
    }

    /// Takes nothing more and writes what is queued, for at most ten seconds.
    @Override
    public void close() {
        closed = true;
        writer.unpark();
        writer.finish(CLOSE_WITHIN);
    }

    private Optional<MailKeyHash> key() {
        try {
            Optional<MailKeyHash> made =
                    Optional.of(InstallationKey.make(options.directory()).hash());
            if (failing) {
                LOG.info("key journal: recording; the keys of {} messages were lost", dropped());
            }
            failing = false;
            return made;
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
            LockSupport.parkNanos(this, keyAgainNanos);
            hash = key();
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

    /// False when closed and drained. A session that queues after `idle` was set wakes the writer, one that
    /// queued before is seen.
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

    /// A disk that refuses is reported once, and once more when it takes again.
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
            batch.forEach(this::putBack);
        }
    }

    private void putBack(MailKeys buffer) {
        if (buffer.capacity() <= SPARE_CAPACITY && spare.size() < SPARE_BUFFERS) {
            buffer.clear();
            spare.add(buffer);
        }
    }
}
