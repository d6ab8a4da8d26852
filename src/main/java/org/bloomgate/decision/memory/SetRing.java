package org.bloomgate.decision.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.base.io.IoText;
import org.bloomgate.base.io.StateFile;
import org.bloomgate.core.bloom.FilterRefusedException;
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
    private static final int HEADROOM = 8;

    private static final long MIN_KEYS = 1 << 12;
    private static final double CURRENT_RATE = 1e-4;
    private static final Duration SYNC_EVERY = Duration.ofHours(1);
    private static final String KEYS = ".keys";
    private static final String DAY = ".day.filter";
    private static final String PERIOD = ".period-";
    private static final String FILTER = ".filter";
    private static final String DAMAGED = ".damaged";
    private static final int DATE_CHARS = "2026-01-08".length();
    private static final int CANONICAL_FORM = 1;

    private final MemorySet set;
    private final Path directory;
    private final KeyHash hash;
    private final long maxKeys;
    private final Consumer<String> faults;
    private final Queue<Waiting> queue = new ConcurrentLinkedQueue<>();
    private final AtomicLong queueSize = new AtomicLong();
    private final LongAdder forgotten = new LongAdder();
    private volatile State state;

    /// Used only by the writer, like all fields below.
    private Optional<FileChannel> out = Optional.empty();

    private long currentRecords;
    private Instant lastSync = Instant.EPOCH;

    /// @param firstDay since 1970
    /// @param isPeriod whether it is of four weeks
    /// @param parts probed one by one
    private record Slot(long firstDay, boolean isPeriod, List<FoldingFilter> parts) {
        boolean mightContain(long key) {
            for (FoldingFilter part : parts) {
                if (part.mightContain(key)) {
                    return true;
                }
            }
            return false;
        }
    }

    private record Current(long firstDay, ScalableFilter filter) {}

    /// @param closed the oldest first
    /// @param closedKeys estimate of their keys
    /// @param closedMiss the share of new keys that none of them takes for an old one
    private record State(Current current, List<Slot> closed, long closedKeys, double closedMiss) {
        static State of(Current current, List<Slot> closed) {
            List<Slot> sorted = closed.stream()
                    .sorted(Comparator.comparingLong(Slot::firstDay))
                    .toList();
            List<FoldingFilter> parts =
                    sorted.stream().flatMap(slot -> slot.parts().stream()).toList();
            return new State(
                    current,
                    sorted,
                    parts.stream().mapToLong(FoldingFilter::keys).sum(),
                    parts.stream()
                            .mapToDouble(part -> 1 - part.predictedRate())
                            .reduce(1, (one, other) -> one * other));
        }
    }

    private record Waiting(Current current, KeyLog.Entry entry) {}

    /// Loads the slots.
    ///
    /// @param maxKeys of all slots
    /// @param today days since 1970, UTC
    /// @param recent receives the entries of the current slot and the one before
    /// @param faults receives what was lost
    SetRing(
            MemorySet set,
            Path directory,
            long seed,
            long maxKeys,
            long today,
            KeyLog.Reader recent,
            Consumer<String> faults)
            throws IOException {
        this.set = set;
        this.directory = directory.resolve(set.label());
        this.hash = new KeyHash(seed);
        this.maxKeys = maxKeys;
        this.faults = faults;
        Files.createDirectories(this.directory);
        long currentDay = Math.max(set.slotOf(today), listDays(KEYS).stream().reduce(Long.MIN_VALUE, Math::max));
        state = State.of(createCurrent(currentDay, MIN_KEYS), List.of());
        for (long day : listDays(KEYS)) {
            load(day, recent);
        }
        listDays(DAY).forEach(this::loadDay);
        listDays(FILTER).forEach(this::loadPeriod);
        retire();
    }

    private static Current createCurrent(long firstDay, long keys) {
        return new Current(firstDay, new ScalableFilter(Math.max(MIN_KEYS, keys + keys / 4), CURRENT_RATE));
    }

    MemorySet set() {
        return set;
    }

    /// The hash of a digest of [MemoryKey], which the other methods take.
    long hash(long digest) {
        return hash.hash(digest);
    }

    // Files

    private Path file(long day, String suffix) {
        return directory.resolve(LocalDate.ofEpochDay(day) + suffix);
    }

    private Path periodFile(long day, int part) {
        return file(day, PERIOD + part + FILTER);
    }

    /// The days of all files with a suffix, in order; files with other names are ignored.
    private List<Long> listDays(String suffix) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.length() > DATE_CHARS && name.endsWith(suffix))
                    .filter(name -> suffix.equals(FILTER)
                            ? name.startsWith(PERIOD, DATE_CHARS)
                            : name.length() == DATE_CHARS + suffix.length())
                    .flatMap(name -> parseDay(name.substring(0, DATE_CHARS)).stream())
                    .distinct()
                    .sorted()
                    .toList();
        }
    }

    private static Optional<Long> parseDay(String date) {
        try {
            return Optional.of(LocalDate.parse(date).toEpochDay());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /// Moves a file aside that cannot be used, and reports the loss.
    private void setAside(Path file, String why) throws IOException {
        Files.move(file, file.resolveSibling(file.getFileName() + DAMAGED), StandardCopyOption.REPLACE_EXISTING);
        faults.accept(set.label() + "/" + file.getFileName() + ": " + why);
    }

    private void load(long day, KeyLog.Reader recent) throws IOException {
        KeyLog log = new KeyLog(file(day, KEYS));
        Current current = state.current();
        boolean isCurrent = day == current.firstDay();
        try {
            if (isCurrent) {
                currentRecords = log.read(hash.seed(), entry -> {
                    addTo(current.filter(), entry);
                    recent.accept(entry);
                });
            } else {
                log.read(hash.seed(), recent);
                if (Files.notExists(file(day, DAY))) {
                    close(day);
                }
            }
        } catch (IOException e) {
            setAside(log.path(), IoText.describe(e));
        }
    }

    private static void addTo(ScalableFilter filter, KeyLog.Entry entry) {
        if (entry.isKey()) {
            filter.add(entry.key());
        }
    }

    private void loadDay(long day) {
        read(file(day, DAY), day).ifPresent(filter -> publish(day, false, List.of(filter)));
    }

    private void loadPeriod(long day) {
        publish(day, true, readPeriod(day));
    }

    private List<FoldingFilter> readPeriod(long day) {
        List<FoldingFilter> parts = new ArrayList<>();
        for (int part = 0; Files.exists(periodFile(day, part)); part++) {
            read(periodFile(day, part), day).ifPresent(parts::add);
        }
        return parts;
    }

    private Optional<FoldingFilter> read(Path file, long day) {
        try {
            byte[] bytes = StateFile.bytes(file, FoldingFilter.MAX_FILE_BYTES);
            return Optional.of(FoldingFilter.ofFile(bytes, set.code(), CANONICAL_FORM, hash.seed(), startOf(day)));
        } catch (FilterRefusedException | IOException e) {
            try {
                setAside(file, "damaged or of another key: " + e.getMessage());
            } catch (IOException fault) {
                faults.accept(set.label() + "/" + file.getFileName() + ": " + IoText.describe(fault));
            }
            return Optional.empty();
        }
    }

    private void write(Path file, FoldingFilter filter, long day) throws IOException {
        DurableFiles.replace(file, filter.toFile(set.code(), CANONICAL_FORM, hash.seed(), startOf(day)));
    }

    private static Instant startOf(long day) {
        return Instant.ofEpochSecond(day * 86_400);
    }

    // Slots

    private void publish(long day, boolean isPeriod, List<FoldingFilter> parts) {
        List<Slot> slots = new ArrayList<>(state.closed());
        slots.removeIf(slot -> slot.firstDay() == day && slot.isPeriod() == isPeriod);
        slots.add(new Slot(
                day, isPeriod, parts.stream().map(FoldingFilter::foldToSmallest).toList()));
        state = State.of(state.current(), slots);
    }

    private void forget(Slot slot) {
        List<Slot> slots = new ArrayList<>(state.closed());
        slots.remove(slot);
        state = State.of(state.current(), slots);
    }

    /// Makes the filter file of a slot from its log.
    private void close(long day) throws IOException {
        KeyLog log = new KeyLog(file(day, KEYS));
        if (!log.exists()) {
            return;
        }
        long[] count = {0};
        log.read(hash.seed(), entry -> count[0] += entry.isKey() ? 1 : 0);
        FoldingFilter filter = new FoldingFilter(FoldingFilter.shapeFor(HEADROOM * count[0]));
        log.read(hash.seed(), entry -> {
            if (entry.isKey()) {
                filter.add(entry.key());
            }
        });
        if (set.slotDays() == 1) {
            write(file(day, DAY), filter, day);
            publish(day, false, List.of(filter));
        } else {
            uniteWithPeriod(day, filter.foldToSmallest());
        }
    }

    /// Unites a filter with the last file of a period, or begins another one. Doing it twice changes nothing.
    private void uniteWithPeriod(long day, FoldingFilter filter) throws IOException {
        List<FoldingFilter> parts = FoldingFilter.addTo(readPeriod(day), filter);
        write(periodFile(day, parts.size() - 1), parts.getLast(), day);
        publish(day, true, parts);
    }

    /// Moves days that are older than four weeks into their periods, and forgets what is older than the ring.
    private void retire() throws IOException {
        long currentDay = state.current().firstDay();
        for (Slot slot : state.closed()) {
            long day = slot.firstDay();
            if (!slot.isPeriod() && day <= currentDay - MemorySet.PERIOD_DAYS) {
                if (set.hasPeriods()) {
                    Optional<FoldingFilter> filter = read(file(day, DAY), day);
                    if (filter.isPresent()) {
                        uniteWithPeriod(MemorySet.periodOf(day), filter.get());
                    }
                }
                forget(slot);
                Files.deleteIfExists(file(day, DAY));
            }
        }
        long oldest = MemorySet.periodOf(currentDay) - (long) MemorySet.PERIODS * MemorySet.PERIOD_DAYS;
        for (Slot slot : state.closed()) {
            if (slot.isPeriod() && slot.firstDay() < oldest) {
                forget(slot);
                for (int part = slot.parts().size() - 1; part >= 0; part--) {
                    Files.deleteIfExists(periodFile(slot.firstDay(), part));
                }
            }
        }
        deleteLogs(currentDay);
    }

    /// Deletes the logs of closed slots. That of the slot before the current one has first sightings of the last day.
    private void deleteLogs(long currentDay) throws IOException {
        List<Long> closed =
                listDays(KEYS).stream().filter(day -> day < currentDay).toList();
        int kept = set == MemorySet.LINKS ? 1 : 0;
        for (long day : closed.subList(0, Math.max(0, closed.size() - kept))) {
            Files.deleteIfExists(file(day, KEYS));
        }
    }

    /// Writes waiting keys, and begins another slot when its day has come. Called by the writer, every second.
    void maintain(Instant now) throws IOException {
        flush(now);
        long slot = set.slotOf(Math.floorDiv(now.getEpochSecond(), 86_400L));
        Current before = state.current();
        if (slot > before.firstDay()) {
            closeFile();
            close(before.firstDay());
            currentRecords = 0;
            state = State.of(createCurrent(slot, before.filter().keys()), state.closed());
            retire();
            flush(now);
        }
    }

    private void flush(Instant now) throws IOException {
        ByteBuffer buffer = KeyLog.buffer();
        for (Waiting waiting = queue.poll(); waiting != null; waiting = queue.poll()) {
            queueSize.decrementAndGet();
            Current current = state.current();
            if (waiting.current().firstDay() != current.firstDay()) {
                // added after its slot was closed
                addTo(current.filter(), waiting.entry());
            }
            if (out.isEmpty()) {
                out = Optional.of(new KeyLog(file(current.firstDay(), KEYS)).append(hash.seed(), currentRecords));
            }
            if (KeyLog.isFull(buffer)) {
                KeyLog.write(out.get(), buffer);
            }
            KeyLog.put(buffer, waiting.entry());
            currentRecords++;
        }
        if (out.isPresent()) {
            KeyLog.write(out.get(), buffer);
            if (lastSync.plus(SYNC_EVERY).isBefore(now)) {
                out.get().force(true);
                lastSync = now;
            }
        }
    }

    /// Forces the log to disk and closes it.
    void closeFile() throws IOException {
        if (out.isPresent()) {
            FileChannel file = out.get();
            out = Optional.empty();
            try (file) {
                file.force(true);
            }
        }
    }

    /// Closes the log after an error, so that the next write begins behind its last whole record.
    void reopen() {
        try {
            closeFile();
            KeyLog log = new KeyLog(file(state.current().firstDay(), KEYS));
            currentRecords = log.exists() ? log.read(hash.seed(), _ -> {}) : 0;
        } catch (IOException e) {
            faults.accept(set.label() + ": " + IoText.describe(e));
            currentRecords = 0;
        }
    }

    // Keys

    /// Whether any slot contains the key.
    boolean contains(long key) {
        State now = state;
        if (now.current().filter().mightContain(key)) {
            return true;
        }
        List<Slot> closed = now.closed();
        for (int i = closed.size() - 1; i >= 0; i--) {
            if (closed.get(i).mightContain(key)) {
                return true;
            }
        }
        return false;
    }

    /// The first day of the oldest slot that contains the key; empty if none does.
    OptionalLong findFirstDay(long key) {
        State now = state;
        for (Slot slot : now.closed()) {
            if (slot.mightContain(key)) {
                return OptionalLong.of(slot.firstDay());
            }
        }
        return now.current().filter().mightContain(key)
                ? OptionalLong.of(now.current().firstDay())
                : OptionalLong.empty();
    }

    boolean isInCurrent(long key) {
        return state.current().filter().mightContain(key);
    }

    /// Adds a key to the current slot, from which it is written within a second.
    ///
    /// @return false if the slot or the ring is full
    boolean add(KeyLog.Entry entry) {
        Current current = state.current();
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
        queue.add(new Waiting(current, entry));
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
        return 1 - now.closedMiss() * (1 - now.current().filter().predictedRate());
    }

    // Exchange

    /// The days within the last four weeks that have a filter file, the current one included.
    List<LocalDate> listDays() {
        TreeMap<Long, Boolean> days = new TreeMap<>();
        State now = state;
        now.closed().stream().filter(slot -> !slot.isPeriod()).forEach(slot -> days.put(slot.firstDay(), true));
        days.put(now.current().firstDay(), true);
        return days.keySet().stream().map(LocalDate::ofEpochDay).toList();
    }

    /// The filter file of one day, folded; that of the current day has the keys written so far. Empty if the ring has
    /// no such day.
    Optional<byte[]> filterFile(LocalDate date) throws IOException {
        long day = date.toEpochDay();
        State now = state;
        Optional<FoldingFilter> filter = Optional.empty();
        KeyLog log = new KeyLog(file(day, KEYS));
        if (day == now.current().firstDay() && log.exists()) {
            FoldingFilter current = new FoldingFilter(
                    FoldingFilter.shapeFor(now.current().filter().keys()));
            log.read(hash.seed(), entry -> {
                if (entry.isKey()) {
                    current.add(entry.key());
                }
            });
            filter = Optional.of(current);
        }
        return filter.or(() -> now.closed().stream()
                        .filter(slot -> !slot.isPeriod() && slot.firstDay() == day)
                        .flatMap(slot -> slot.parts().stream())
                        .findFirst())
                .map(found -> found.foldToSmallest().toFile(set.code(), CANONICAL_FORM, hash.seed(), startOf(day)));
    }
}
