package org.bloomgate.decision.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.io.IoText;
import org.bloomgate.base.io.LockFile;
import org.bloomgate.base.io.PrivateFile;
import org.bloomgate.core.bloom.FoldingFilter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What the site has seen: link domains, senders, and who wrote to whom, as filters over keyed digests of names.
///
/// A key is known as soon as it is added. A background thread appends it to a file within a second and syncs the file
/// every hour: a killed process loses a second, a power failure an hour. Nothing is called new in the first 14
/// days, nor in the 14 days after something was lost. Thread-safe; no probe waits for a disk.
public final class SiteMemory implements AutoCloseable {
    /// The keys of a set other than pairs, in all of its slots; about 2 bytes each.
    static final long MAX_KEYS = 1 << 22;

    /// The pairs of all slots take at most 1/32 of the heap.
    private static final int HEAP_DIVISOR = 32;

    private static final Duration WRITE_EVERY = Duration.ofSeconds(1);
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(10);
    private static final String LOCK = ".lock";
    private static final List<String> PARTS = List.of("links", "senders");
    private static final Logger LOG = LoggerFactory.getLogger(SiteMemory.class);

    /// Remembers nothing.
    public static final SiteMemory NONE = new SiteMemory();

    private final InstantSource clock;
    private final Optional<LockFile> lock;
    private final List<MemoryPart> parts = new ArrayList<>();
    private final Optional<LinkMemory> links;
    private final Optional<SenderMemory> senders;
    private final Optional<MemoryGroup> group;
    private final Optional<BackgroundTask> writer;
    private volatile boolean closed;

    /// Used only while this is locked.
    private boolean isFailing;

    /// What is remembered.
    ///
    /// @param links whether link domains are
    /// @param senders whether senders are
    /// @param gateway name of this gateway in its group
    /// @param groupKey file with the key of the group; empty without a group
    public record Options(boolean links, boolean senders, String gateway, Optional<Path> groupKey) {
        public Options(boolean links, boolean senders) {
            this(links, senders, "", Optional.empty());
        }

        public boolean isActive() {
            return links || senders;
        }
    }

    private SiteMemory() {
        clock = InstantSource.system();
        lock = Optional.empty();
        links = Optional.empty();
        senders = Optional.empty();
        group = Optional.empty();
        writer = Optional.empty();
    }

    /// @throws IOException if another gateway uses the directory, or it cannot be read
    public SiteMemory(Path directory, Options options, InstantSource clock) throws IOException {
        this(
                directory,
                options,
                clock,
                Math.min(
                        Runtime.getRuntime().maxMemory() / HEAP_DIVISOR / SenderMemory.BYTES_PER_PAIR,
                        FoldingFilter.capacity(FoldingFilter.MAX_SHAPE) / 2));
    }

    /// @param maxPairs of all slots
    SiteMemory(Path directory, Options options, InstantSource clock, long maxPairs) throws IOException {
        this.clock = clock;
        Files.createDirectories(directory);
        PrivateFile.create(directory.resolve(LOCK));
        LockFile held = LockFile.tryHold(directory, LOCK)
                .orElseThrow(() -> new IOException(
                        directory + " is in use by another gateway; configure a separate state folder for each"));
        lock = Optional.of(held);
        try {
            Optional<Path> groupKey = options.groupKey();
            boolean isKeyNew =
                    groupKey.isEmpty() && MemoryKey.secretIn(directory).read().isEmpty();
            MemoryKey key =
                    groupKey.isPresent() ? MemoryKey.ofGroup(groupKey.get()) : MemoryKey.openOrCreate(directory);
            links = options.links()
                    ? Optional.of(new LinkMemory(open("links", directory, key, isKeyNew)))
                    : Optional.empty();
            senders = options.senders()
                    ? Optional.of(new SenderMemory(open("senders", directory, key, isKeyNew), maxPairs))
                    : Optional.empty();
            group = groupKey.isPresent()
                    ? Optional.of(new MemoryGroup(options.gateway(), key, directory, this))
                    : Optional.empty();
        } catch (IOException | RuntimeException e) {
            held.close();
            throw e;
        }
        writer = Optional.of(BackgroundTask.keepRunning("memory", this::writeUntilClosed));
    }

    private MemoryPart open(String name, Path directory, MemoryKey key, boolean isKeyNew) {
        MemoryPart part = new MemoryPart(name, directory, key, isKeyNew, clock);
        parts.add(part);
        return part;
    }

    /// The group that shares what it remembers.
    public Optional<MemoryGroup> group() {
        return group;
    }

    /// False if nothing is remembered, so that no lookup is needed.
    public boolean isActive() {
        return !parts.isEmpty();
    }

    /// The memory of link domains; empty if they are not remembered.
    public Optional<LinkMemory> links() {
        return links;
    }

    /// The memory of senders; empty if they are not remembered.
    public Optional<SenderMemory> senders() {
        return senders;
    }

    /// The time by the clock of the memory.
    public Instant now() {
        return clock.instant();
    }

    /// Something that was lost, so that nothing is called new for 14 days.
    ///
    /// @param part `links` or `senders`
    public record Loss(String part, String reason, Instant since) {}

    public List<Loss> listLosses() {
        List<Loss> losses = new ArrayList<>();
        for (MemoryPart part : parts) {
            part.learning()
                    .findLoss()
                    .ifPresent(loss -> losses.add(new Loss(part.name(), loss.reason(), loss.began())));
        }
        return losses;
    }

    /// The parts that cannot call anything new: off, or still learning.
    public List<String> listUncertain() {
        return PARTS.stream()
                .filter(name -> parts.stream()
                        .noneMatch(part ->
                                part.name().equals(name) && part.learning().isOver()))
                .toList();
    }

    /// Keys of a set, estimated.
    public long countKeys(MemorySet set) {
        return findRing(set).map(SetRing::countKeys).orElse(0L);
    }

    /// Keys not remembered since the start, because of a bound.
    public long countForgotten() {
        return listRings().stream().mapToLong(SetRing::countForgotten).sum();
    }

    /// The share of new keys of a set that are taken for old ones.
    public double predictedRate(MemorySet set) {
        return findRing(set).map(SetRing::predictedRate).orElse(0.0);
    }

    private Optional<SetRing> findRing(MemorySet set) {
        return listRings().stream().filter(ring -> ring.set() == set).findFirst();
    }

    List<SetRing> listRings() {
        return parts.stream().flatMap(part -> part.rings().stream()).toList();
    }

    private void writeUntilClosed() {
        while (!closed) {
            LockSupport.parkNanos(this, WRITE_EVERY.toNanos());
            maintain();
        }
    }

    /// Writes waiting keys and begins the slots of the current day. A disk error is logged once, and once more when
    /// writing succeeds again.
    synchronized void maintain() {
        links.ifPresent(LinkMemory::expire);
        List<String> faults = new ArrayList<>();
        parts.forEach(part -> part.maintain(faults));
        if (!faults.isEmpty() && !isFailing) {
            LOG.warn("memory: cannot write: {} (new keys are lost at a restart)", faults.getFirst());
        } else if (faults.isEmpty() && isFailing) {
            LOG.info("memory: writable again");
        }
        isFailing = !faults.isEmpty();
    }

    /// Writes the waiting keys.
    @Override
    public void close() {
        closed = true;
        writer.ifPresent(task -> {
            task.unpark();
            task.finish(CLOSE_WITHIN);
        });
        if (lock.isPresent()) {
            maintain();
            try {
                for (MemoryPart part : parts) {
                    part.close();
                }
                lock.get().close();
            } catch (IOException fault) {
                LOG.warn("memory: {}", IoText.describe(fault));
            }
        }
    }
}
