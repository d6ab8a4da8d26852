package org.bloomgate.decision.senders;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.io.IoText;
import org.bloomgate.base.io.LockFile;
import org.bloomgate.base.io.PrivateFile;
import org.bloomgate.base.net.RateLimiter;
import org.bloomgate.core.bloom.ScalableFilter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The senders of the last year: 13 filters of four weeks each, the oldest of which is dropped when a new one
/// begins. A sender who writes at least once in that time stays known.
///
/// A pair is known as soon as it is added. A background thread appends it to its file within a second and syncs
/// the file every hour: a killed process loses a second, a power failure an hour. At a
/// false-positive rate of 1e-4, a filter takes about 3 bytes a pair; over 13 filters, 1 first contact in 770 is missed.
/// A pair that the newest filter wrongly
/// knows is not in a file, so it is reported after a restart.
///
/// No first contact is reported in the first [#LEARNING_PERIOD] of an installation. Thread-safe.
public final class RotatingKnownSenders implements KnownSenders {
    static final int SLOTS = 13;
    static final Duration LEARNING_PERIOD = Duration.ofDays(14);

    /// The most pairs that wait to be written; pairs beyond that are known only until a restart, after which their
    /// senders are reported as new again. A full queue takes almost 60 MB of heap.
    static final long MAX_QUEUED = 1 << 20;

    /// New pairs of one client network (/24 or /64) in an hour, so that a client that invents senders does not fill the
    /// memory. Known senders do not count.
    static final int MAX_NEW_PAIRS_PER_HOUR = 4_000;

    /// The pairs of all filters take at most 1/32 of the heap.
    private static final int HEAP_DIVISOR = 32;

    private static final int BYTES_PER_PAIR = 4;
    private static final double SECONDS_PER_HOUR = 3600;
    private static final double FALSE_POSITIVE_RATE = 1e-4;
    private static final long MIN_PAIRS = 1 << 14;
    private static final Duration WRITE_EVERY = Duration.ofSeconds(1);
    private static final Duration SYNC_EVERY = Duration.ofHours(1);
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(10);
    private static final String LOCK = ".lock";
    private static final Logger LOG = LoggerFactory.getLogger(RotatingKnownSenders.class);

    private final Path directory;
    private final InstantSource clock;
    private final PairHash hash;
    private final LockFile lock;
    private final BackgroundTask writer;
    private final Queue<Pair> queue = new ConcurrentLinkedQueue<>();
    private final AtomicLong queueSize = new AtomicLong();
    private final long maxPairs;
    private final RateLimiter newPairLimit;
    private final LongAdder forgottenPairs = new LongAdder();

    /// The newest first; never empty.
    private volatile List<Slot> slots;

    private volatile boolean closed;

    /// Used only by the writer thread, like all fields below.
    private Optional<FileChannel> out = Optional.empty();

    private long outSlot;
    private Instant lastSync = Instant.EPOCH;
    private boolean isFailing;

    private record Slot(long number, ScalableFilter filter) {}

    private record Pair(long slot, long hash) {}

    /// @throws IOException if another gateway uses the directory, or it cannot be read
    public RotatingKnownSenders(Path directory, InstantSource clock) throws IOException {
        this(directory, clock, Runtime.getRuntime().maxMemory() / HEAP_DIVISOR / BYTES_PER_PAIR);
    }

    /// @param maxPairs of all filters
    RotatingKnownSenders(Path directory, InstantSource clock, long maxPairs) throws IOException {
        this.directory = directory;
        this.clock = clock;
        this.maxPairs = maxPairs;
        newPairLimit = new RateLimiter(
                MAX_NEW_PAIRS_PER_HOUR / SECONDS_PER_HOUR, MAX_NEW_PAIRS_PER_HOUR, 24, 64, System::nanoTime);
        Files.createDirectories(directory);
        PrivateFile.create(directory.resolve(LOCK));
        lock = LockFile.tryHold(directory, LOCK)
                .orElseThrow(() -> new IOException(
                        directory + " is in use by another gateway; configure a separate state folder for each"));
        try {
            hash = PairHash.openOrCreate(directory, clock.instant());
            slots = loadSlots();
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
        writer = BackgroundTask.start("known-senders", this::writeUntilClosed);
    }

    private List<Slot> loadSlots() throws IOException {
        long currentSlot = currentSlotNumber();
        List<Slot> storedSlots = new ArrayList<>();
        long largest = 0;
        for (PairFile file : PairFile.in(directory)) {
            if (file.slot() <= currentSlot - SLOTS) {
                Files.deleteIfExists(file.path());
            } else {
                long count = file.count(hash.check());
                largest = Math.max(largest, count);
                ScalableFilter filter = createFilter(count);
                file.read(count, filter::add);
                storedSlots.add(new Slot(file.slot(), filter));
            }
        }
        if (storedSlots.stream().noneMatch(slot -> slot.number() >= currentSlot)) {
            storedSlots.add(new Slot(currentSlot, createFilter(largest)));
        }
        storedSlots.sort(Comparator.comparingLong(Slot::number).reversed());
        return List.copyOf(storedSlots);
    }

    /// Creates a filter with 25 % headroom, because a filter that grows doubles its memory.
    private static ScalableFilter createFilter(long pairs) {
        return new ScalableFilter(Math.max(MIN_PAIRS, pairs + pairs / 4), FALSE_POSITIVE_RATE);
    }

    private long currentSlotNumber() {
        return PairFile.slotOf(clock.instant().getEpochSecond());
    }

    @Override
    public boolean isActive() {
        return true;
    }

    @Override
    public FirstContact firstContact(Collection<String> recipients, String sender) {
        if (clock.instant().isBefore(hash.began().plus(LEARNING_PERIOD))) {
            return FirstContact.NONE;
        }
        boolean domainKnown = false;
        for (String recipient : recipients) {
            if (knows(hash.ofAddress(recipient, sender))) {
                return FirstContact.NONE;
            }
            domainKnown = domainKnown || knows(hash.ofDomain(recipient, sender));
        }
        if (recipients.isEmpty()) {
            return FirstContact.NONE;
        }
        return domainKnown ? FirstContact.RECIPIENT : FirstContact.DOMAIN;
    }

    private boolean knows(long pair) {
        for (Slot slot : slots) {
            if (slot.filter().mightContain(pair)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void remember(String recipient, String sender, Optional<InetAddress> client) {
        Slot slot = findCurrentSlot();
        add(slot, hash.ofAddress(recipient, sender), client);
        add(slot, hash.ofDomain(recipient, sender), client);
    }

    private void add(Slot slot, long pair, Optional<InetAddress> client) {
        if (slot.filter().mightContain(pair)) {
            return;
        }
        boolean hasRoom =
                countPairs() < maxPairs && client.map(newPairLimit::tryAcquire).orElse(true);
        if (!hasRoom || !slot.filter().add(pair) || queueSize.get() >= MAX_QUEUED) {
            forgottenPairs.increment();
            return;
        }
        queueSize.incrementAndGet();
        queue.add(new Pair(slot.number(), pair));
    }

    @Override
    public long countPairs() {
        return slots.stream().mapToLong(slot -> slot.filter().keys()).sum();
    }

    @Override
    public long countForgotten() {
        return forgottenPairs.sum();
    }

    /// The filter of the current weeks; after the clock was set back, the newest one.
    private Slot findCurrentSlot() {
        Slot newest = slots.getFirst();
        return newest.number() >= currentSlotNumber() ? newest : beginSlot();
    }

    private synchronized Slot beginSlot() {
        long currentSlot = currentSlotNumber();
        Slot newest = slots.getFirst();
        if (newest.number() >= currentSlot) {
            return newest;
        }
        Slot next = new Slot(currentSlot, createFilter(newest.filter().keys()));
        List<Slot> remaining = new ArrayList<>(List.of(next));
        slots.stream().filter(slot -> slot.number() > currentSlot - SLOTS).forEach(remaining::add);
        slots = List.copyOf(remaining);
        return next;
    }

    /// The size of all filters.
    long memoryBytes() {
        return slots.stream().mapToLong(slot -> slot.filter().memoryBytes()).sum();
    }

    private void writeUntilClosed() {
        while (!closed) {
            LockSupport.parkNanos(this, WRITE_EVERY.toNanos());
            write();
        }
        write();
        try {
            closeFile();
        } catch (IOException fault) {
            LOG.warn("known senders: {}", IoText.describe(fault));
        }
    }

    /// Writes waiting pairs to the file. A disk error is logged once, and once more when writing succeeds again.
    private void write() {
        findCurrentSlot();
        try {
            append();
            deleteOldFiles();
            if (isFailing) {
                LOG.info("known senders: writable again");
            }
            isFailing = false;
        } catch (IOException | RuntimeException fault) {
            if (!isFailing) {
                LOG.warn("known senders: cannot write: {} (new pairs are lost at a restart)", IoText.describe(fault));
            }
            isFailing = true;
            out = Optional.empty();
        }
    }

    private void append() throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
        for (Pair pair = queue.poll(); pair != null; pair = queue.poll()) {
            queueSize.decrementAndGet();
            if (out.isEmpty() || pair.slot() != outSlot) {
                flush(buffer);
                open(pair.slot());
            }
            if (!buffer.hasRemaining()) {
                flush(buffer);
            }
            buffer.putLong(pair.hash());
        }
        flush(buffer);
        if (out.isPresent() && lastSync.plus(SYNC_EVERY).isBefore(clock.instant())) {
            out.get().force(true);
            lastSync = clock.instant();
        }
    }

    private void flush(ByteBuffer buffer) throws IOException {
        if (out.isPresent() && buffer.position() > 0) {
            PairFile.write(out.get(), buffer.flip());
            buffer.clear();
        }
    }

    private void open(long slot) throws IOException {
        closeFile();
        out = Optional.of(new PairFile(directory, slot).append(hash.check()));
        outSlot = slot;
    }

    private void closeFile() throws IOException {
        if (out.isPresent()) {
            out.get().force(true);
            out.get().close();
            out = Optional.empty();
        }
    }

    private void deleteOldFiles() throws IOException {
        for (PairFile file : PairFile.in(directory)) {
            if (file.slot() <= slots.getFirst().number() - SLOTS) {
                Files.deleteIfExists(file.path());
            }
        }
    }

    /// Writes the queued pairs.
    @Override
    public void close() {
        closed = true;
        writer.unpark();
        writer.finish(CLOSE_WITHIN);
        try {
            lock.close();
        } catch (IOException fault) {
            LOG.warn("known senders: {}", IoText.describe(fault));
        }
    }
}
