package org.bloomgate.decision.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.bloomgate.base.io.IoText;
import org.bloomgate.core.bloom.FoldingFilter;
import org.bloomgate.core.bloom.KeyHash;
import org.bloomgate.core.bloom.ScalableFilter;

/// The keys of one set by time: the current slot, which grows and whose keys are appended to a [KeyLog]; the
/// closed days of the last four weeks; and twelve periods of four weeks. The age of a key is that of the oldest
/// slot that contains it.
///
/// A closed slot is one or more filter files. The file of a day has room for eight times its keys, so that it can be
/// united with the file of its period; in memory every filter is folded to the smallest shape with a rate of at most
/// 1e-3. With 40 slots, at most 4 % of new keys are taken for old ones.
///
/// Slots only go forward: while the clock is behind the current slot, keys are added to that slot. Probes and
/// [#add] are thread-safe and do no I/O; the methods that do are called by one thread.
final class SetRing {
    /// The most keys of one slot; a day of two million messages.
    static final long MAX_SLOT_KEYS = 1 << 18;

    /// The most keys that wait to be written; keys beyond that are known only until a restart.
    static final long MAX_QUEUED = 1 << 20;

    /// Days closed later can add this many times the keys of the first to a file of a period.
    static final int HEADROOM = 8;

    private static final long MIN_KEYS = 1 << 12;
    private static final double CURRENT_RATE = 1e-4;
    private static final Duration SYNC_EVERY = Duration.ofHours(1);
    private static final String KEYS = ".keys";

    private final MemorySet set;
    private final SlotFiles files;
    private final KeyHash hash;
    private final long maxKeys;
    private final Queue<QueuedKey> queue = new ConcurrentLinkedQueue<>();
    private final AtomicLong queueSize = new AtomicLong();
    private final LongAdder forgotten = new LongAdder();
    private volatile State state;

    /// The slots of other gateways of the group, united, the oldest first.
    private volatile List<SlotFiles.Slot> others = List.of();

    /// Used only by the writer, like all fields below.
    private Optional<FileChannel> logFile = Optional.empty();

    private Instant lastSync = Instant.EPOCH;

    private record CurrentSlot(long firstDay, ScalableFilter filter) {}

    /// @param closed the oldest first
    /// @param closedKeys estimate of their keys
    /// @param trueNegativeRate the share of new keys that none of them takes for an old one
    private record State(CurrentSlot current, List<SlotFiles.Slot> closed, long closedKeys, double trueNegativeRate) {
        static State of(CurrentSlot current, List<SlotFiles.Slot> closed) {
            return new State(
                    current,
                    closed,
                    countKeys(closed),
                    closed.stream()
                            .flatMap(slot -> slot.parts().stream())
                            .mapToDouble(part -> 1 - part.predictedRate())
                            .reduce(1, (one, other) -> one * other));
        }
    }

    /// @param slot the current slot when the key was added
    private record QueuedKey(CurrentSlot slot, KeyLog.Entry entry) {}

    /// Loads the slots.
    ///
    /// @param maxKeys of all slots
    /// @param today days since 1970, UTC
    /// @param recent receives the entries of the current slot and the one before
    /// @param losses receives what was lost
    SetRing(
            MemorySet set,
            Path directory,
            long seed,
            long maxKeys,
            long today,
            Consumer<KeyLog.Entry> recent,
            Consumer<String> losses)
            throws IOException {
        this.set = set;
        this.files = new SlotFiles(set, directory.resolve(set.label()), seed, losses);
        this.hash = new KeyHash(seed);
        this.maxKeys = maxKeys;
        Files.createDirectories(files.directory());
        long currentDay = Math.max(set.slotOf(today), files.listDays(KEYS).stream().reduce(Long.MIN_VALUE, Math::max));
        state = State.of(createCurrent(currentDay, MIN_KEYS), List.of());
        for (long day : files.listDays(KEYS)) {
            load(day, recent);
        }
        retire(state.current());
    }

    private static long countKeys(List<SlotFiles.Slot> slots) {
        return slots.stream()
                .flatMap(slot -> slot.parts().stream())
                .mapToLong(FoldingFilter::keys)
                .sum();
    }

    private static CurrentSlot createCurrent(long firstDay, long keys) {
        return new CurrentSlot(firstDay, new ScalableFilter(Math.max(MIN_KEYS, keys + keys / 4), CURRENT_RATE));
    }

    MemorySet set() {
        return set;
    }

    /// The hash of a digest of [MemoryKey], which the other methods take.
    long hash(long digest) {
        return hash.hash(digest);
    }

    private void load(long day, Consumer<KeyLog.Entry> recent) throws IOException {
        KeyLog log = new KeyLog(files.file(day, KEYS));
        CurrentSlot current = state.current();
        boolean isCurrent = day == current.firstDay();
        try {
            if (isCurrent) {
                log.read(hash.seed(), entry -> {
                    addTo(current.filter(), entry);
                    recent.accept(entry);
                });
            } else {
                log.read(hash.seed(), recent);
                if (files.readDay(day).isEmpty()) {
                    closeSlot(day);
                }
            }
        } catch (FileSystemException e) {
            throw e;
        } catch (IOException e) {
            files.setAside(log.path(), IoText.describe(e));
        }
    }

    private static void addTo(ScalableFilter filter, KeyLog.Entry entry) {
        if (entry.isKey()) {
            filter.add(entry.key());
        }
    }

    // Slots

    /// Makes the filter file of a slot from its log.
    private void closeSlot(long day) throws IOException {
        KeyLog log = new KeyLog(files.file(day, KEYS));
        if (!log.exists()) {
            return;
        }
        long[] count = {0};
        log.read(hash.seed(), entry -> count[0] += entry.isKey() ? 1 : 0);
        FoldingFilter filter = readFilter(log, HEADROOM * count[0]);
        if (set.slotDays() == 1) {
            files.writeDay(day, filter);
        } else {
            files.addToPeriod(day, filter.foldToSmallest());
        }
    }

    private FoldingFilter readFilter(KeyLog log, long room) throws IOException {
        FoldingFilter filter = new FoldingFilter(FoldingFilter.shapeFor(room));
        log.read(hash.seed(), entry -> {
            if (entry.isKey()) {
                filter.add(entry.key());
            }
        });
        return filter;
    }

    /// Moves days that are older than four weeks into their periods, forgets what is older than the ring, and loads the
    /// slots that remain. The current slot and the closed ones change at once, so that no key is missing in between.
    private void retire(CurrentSlot current) throws IOException {
        long currentDay = current.firstDay();
        boolean _ = files.retire(currentDay);
        state = State.of(current, SlotFiles.unite(List.of(files)));
        deleteLogs(currentDay);
    }

    /// Deletes the logs of closed slots, except that of the last closed slot of links, which contains first sightings
    /// of the last day.
    private void deleteLogs(long currentDay) throws IOException {
        List<Long> closed =
                files.listDays(KEYS).stream().filter(day -> day < currentDay).toList();
        int keptLogs = set == MemorySet.LINKS ? 1 : 0;
        for (long day : closed.subList(0, Math.max(0, closed.size() - keptLogs))) {
            Files.deleteIfExists(files.file(day, KEYS));
        }
    }

    /// Writes waiting keys, and begins another slot when its day has come. Called by the writer, every second.
    void maintain(Instant now) throws IOException {
        flush(now);
        long slot = set.slotOf(Math.floorDiv(now.getEpochSecond(), 86_400L));
        CurrentSlot before = state.current();
        if (slot > before.firstDay()) {
            closeFile();
            closeSlot(before.firstDay());
            retire(createCurrent(slot, before.filter().keys()));
            flush(now);
        }
    }

    private void flush(Instant now) throws IOException {
        ByteBuffer buffer = KeyLog.buffer();
        for (QueuedKey key = queue.poll(); key != null; key = queue.poll()) {
            queueSize.decrementAndGet();
            CurrentSlot current = state.current();
            if (key.slot().firstDay() != current.firstDay()) {
                // added after its slot was closed
                addTo(current.filter(), key.entry());
            }
            if (logFile.isEmpty()) {
                KeyLog log = new KeyLog(files.file(current.firstDay(), KEYS));
                logFile = Optional.of(log.append(hash.seed()));
            }
            if (KeyLog.isFull(buffer)) {
                KeyLog.write(logFile.get(), buffer);
            }
            KeyLog.put(buffer, key.entry());
        }
        if (logFile.isPresent()) {
            KeyLog.write(logFile.get(), buffer);
            if (lastSync.plus(SYNC_EVERY).isBefore(now)) {
                logFile.get().force(true);
                lastSync = now;
            }
        }
    }

    /// Forces the log to disk and closes it. The next write opens it again, behind its last whole record.
    void closeFile() throws IOException {
        if (logFile.isPresent()) {
            FileChannel file = logFile.get();
            logFile = Optional.empty();
            try (file) {
                file.force(true);
            }
        }
    }

    // Keys

    /// Whether any slot contains the key, of this gateway or of its group.
    boolean contains(long key) {
        return containsOwn(key) || isInAny(others, key);
    }

    /// Whether any slot of this gateway contains the key.
    boolean containsOwn(long key) {
        State now = state;
        return now.current().filter().mightContain(key) || isInAny(now.closed(), key);
    }

    private static boolean isInAny(List<SlotFiles.Slot> slots, long key) {
        for (int i = slots.size() - 1; i >= 0; i--) {
            if (slots.get(i).mightContain(key)) {
                return true;
            }
        }
        return false;
    }

    /// The first day of the oldest slot that contains the key, of this gateway or of its group; empty if none does.
    OptionalLong findFirstDay(long key) {
        return LongStream.concat(
                        findOwnFirstDay(key).stream(), findFirstDayOfOthers(key).stream())
                .min();
    }

    OptionalLong findFirstDayOfOthers(long key) {
        return findFirstDay(others, key);
    }

    /// The first day of the oldest slot of this gateway that contains the key; empty if none does.
    OptionalLong findOwnFirstDay(long key) {
        State now = state;
        OptionalLong day = findFirstDay(now.closed(), key);
        return day.isEmpty() && now.current().filter().mightContain(key)
                ? OptionalLong.of(now.current().firstDay())
                : day;
    }

    private static OptionalLong findFirstDay(List<SlotFiles.Slot> slots, long key) {
        for (SlotFiles.Slot slot : slots) {
            if (slot.mightContain(key)) {
                return OptionalLong.of(slot.firstDay());
            }
        }
        return OptionalLong.empty();
    }

    boolean isInCurrent(long key) {
        return state.current().filter().mightContain(key);
    }

    /// Adds a key to the current slot, from which it is written within a second.
    ///
    /// @return false if the slot or the ring is full
    boolean add(KeyLog.Entry entry) {
        CurrentSlot current = state.current();
        if (!current.filter().mightContain(entry.key())
                && (countKeys() >= maxKeys
                        || (set.slotDays() == 1 && current.filter().keys() >= MAX_SLOT_KEYS))) {
            forgotten.increment();
            return false;
        }
        addTo(current.filter(), entry);
        if (queueSize.get() >= MAX_QUEUED) {
            forgotten.increment();
            return false;
        }
        queueSize.incrementAndGet();
        queue.add(new QueuedKey(current, entry));
        return true;
    }

    void countForgottenKey() {
        forgotten.increment();
    }

    long countForgotten() {
        return forgotten.sum();
    }

    /// An estimate of the keys of all slots.
    long countKeys() {
        State now = state;
        return now.closedKeys() + now.current().filter().keys();
    }

    /// The share of new keys that the ring takes for old ones.
    double predictedRate() {
        State now = state;
        return 1 - now.trueNegativeRate() * (1 - now.current().filter().predictedRate());
    }

    // Exchange

    /// The files of this gateway.
    SlotFiles files() {
        return files;
    }

    /// The files of this set in the folder of another gateway.
    ///
    /// @param damage receives what is damaged, which is not a loss of this gateway
    SlotFiles openFiles(Path folder, Consumer<String> damage) {
        return new SlotFiles(set, folder.resolve(set.label()), hash.seed(), damage);
    }

    /// Unites the slots of other gateways, which probes find from now on.
    void unite(List<SlotFiles> origins) throws IOException {
        others = SlotFiles.unite(origins);
    }

    /// Whether there is room for more keys of other gateways.
    boolean hasRoomFor(long keys) {
        return countKeys(others) + keys <= maxKeys;
    }

    /// The first day of the current slot.
    long currentDay() {
        return state.current().firstDay();
    }

    /// The days that have a filter, the current one included.
    List<Long> listDays() throws IOException {
        List<Long> days = new ArrayList<>(files.listDays(SlotFiles.DAY));
        days.add(currentDay());
        return days;
    }

    /// The filter of one day, with room for the keys of other gateways; that of the current day has the keys written so
    /// far. Empty if the ring has no such day.
    Optional<FoldingFilter> readDay(long day) throws IOException {
        CurrentSlot current = state.current();
        KeyLog log = new KeyLog(files.file(day, KEYS));
        if (day != current.firstDay() || !log.exists()) {
            return files.readDay(day);
        }
        long keys = current.filter().keys();
        return Optional.of(readFilter(log, set.slotDays() == 1 ? HEADROOM * keys : keys + keys / HEADROOM));
    }
}
