package org.bloomgate.decision.memory;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.base.io.IoText;
import org.bloomgate.base.io.StateFile;
import org.bloomgate.core.bloom.FilterRefusedException;
import org.bloomgate.core.bloom.FoldingFilter;

/// The filter files of the closed slots of one set that one gateway made: its days, and the periods of four weeks that
/// they are united in. Used by one thread at a time.
///
/// @param directory of the files; may be missing
/// @param seed of the hash
/// @param losses receives what was lost
record SlotFiles(MemorySet set, Path directory, long seed, Consumer<String> losses) {
    static final String DAY = ".day.filter";
    private static final String PERIOD = ".period-";
    private static final String FILTER = ".filter";
    private static final String DAMAGED = ".damaged";
    private static final int DATE_CHARS = "2026-01-08".length();
    private static final int CANONICAL_FORM = 1;

    /// The time of a slot.
    ///
    /// @param firstDay since 1970
    /// @param isPeriod whether it is of four weeks
    private record Id(long firstDay, boolean isPeriod) {}

    /// The filters of a slot, which are probed one by one.
    record Slot(long firstDay, List<FoldingFilter> parts) {
        boolean mightContain(long key) {
            for (FoldingFilter part : parts) {
                if (part.mightContain(key)) {
                    return true;
                }
            }
            return false;
        }
    }

    Path file(long day, String suffix) {
        return directory.resolve(LocalDate.ofEpochDay(day) + suffix);
    }

    private Path periodFile(long day, int part) {
        return file(day, PERIOD + part + FILTER);
    }

    /// The days of all files with a suffix, in order; files with other names are ignored.
    List<Long> listDays(String suffix) throws IOException {
        if (Files.notExists(directory)) {
            return List.of();
        }
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

    static Optional<Long> parseDay(String date) {
        try {
            return Optional.of(LocalDate.parse(date).toEpochDay());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /// Moves a file aside that cannot be used, and reports the loss.
    void setAside(Path file, String why) throws IOException {
        Files.move(file, file.resolveSibling(file.getFileName() + DAMAGED), StandardCopyOption.REPLACE_EXISTING);
        losses.accept(set.label() + "/" + file.getFileName() + ": " + why);
    }

    /// The slots of gateways, the oldest first: united at the full size of their files, where there is room, and then
    /// folded.
    static List<Slot> unite(List<SlotFiles> gateways) throws IOException {
        Set<Id> ids = new TreeSet<>(Comparator.comparingLong(Id::firstDay).thenComparing(Id::isPeriod));
        for (SlotFiles files : gateways) {
            files.listDays(DAY).forEach(day -> ids.add(new Id(day, false)));
            files.listDays(FILTER).forEach(day -> ids.add(new Id(day, true)));
        }
        List<Slot> slots = new ArrayList<>();
        for (Id id : ids) {
            List<FoldingFilter> parts = List.of();
            for (SlotFiles files : gateways) {
                for (FoldingFilter part : files.read(id)) {
                    parts = FoldingFilter.addTo(parts, part);
                }
            }
            slots.add(new Slot(
                    id.firstDay(),
                    parts.stream().map(FoldingFilter::foldToSmallest).toList()));
        }
        return List.copyOf(slots);
    }

    /// The filters of a slot as they are in its files; empty if there are none.
    private List<FoldingFilter> read(Id id) throws IOException {
        List<FoldingFilter> parts = new ArrayList<>();
        if (id.isPeriod()) {
            for (int part = 0; Files.exists(periodFile(id.firstDay(), part)); part++) {
                read(periodFile(id.firstDay(), part), id.firstDay()).ifPresent(parts::add);
            }
        } else {
            readDay(id.firstDay()).ifPresent(parts::add);
        }
        return parts;
    }

    /// @throws IOException if the file was not opened, or the thread was interrupted: nothing is wrong with the file
    private Optional<FoldingFilter> read(Path file, long day) throws IOException {
        try {
            return Optional.of(parse(StateFile.bytes(file, FoldingFilter.MAX_FILE_BYTES), day));
        } catch (FileSystemException | ClosedByInterruptException e) {
            throw e;
        } catch (FilterRefusedException | IOException e) {
            try {
                setAside(file, "damaged or of another key: " + e.getMessage());
            } catch (IOException fault) {
                losses.accept(set.label() + "/" + file.getFileName() + ": " + IoText.describe(fault));
            }
            return Optional.empty();
        }
    }

    /// The filter of a day; empty if there is none.
    Optional<FoldingFilter> readDay(long day) throws IOException {
        return Files.exists(file(day, DAY)) ? read(file(day, DAY), day) : Optional.empty();
    }

    /// The filter in a file of a day or period.
    FoldingFilter parse(byte[] file, long day) throws FilterRefusedException {
        return FoldingFilter.ofFile(file, set.code(), CANONICAL_FORM, seed, startOf(day));
    }

    /// The file of a filter.
    byte[] format(FoldingFilter filter, long day) {
        return filter.toFile(set.code(), CANONICAL_FORM, seed, startOf(day));
    }

    static Instant startOf(long day) {
        return Instant.ofEpochSecond(day * 86_400);
    }

    void writeDay(long day, FoldingFilter filter) throws IOException {
        Files.createDirectories(directory);
        DurableFiles.replace(file(day, DAY), format(filter, day));
    }

    /// Unites a filter with the last file of a period, or begins another one. Doing it twice changes nothing.
    void addToPeriod(long day, FoldingFilter filter) throws IOException {
        List<FoldingFilter> parts = FoldingFilter.addTo(read(new Id(day, true)), filter);
        DurableFiles.replace(periodFile(day, parts.size() - 1), format(parts.getLast(), day));
    }

    /// Moves days that are older than four weeks into their periods, and deletes what is older than the ring.
    ///
    /// @return whether a file was deleted
    boolean retire(long currentDay) throws IOException {
        boolean isChanged = false;
        for (long day : listDays(DAY)) {
            if (day <= currentDay - MemorySet.PERIOD_DAYS) {
                for (FoldingFilter filter : set.hasPeriods() ? read(new Id(day, false)) : List.<FoldingFilter>of()) {
                    addToPeriod(MemorySet.periodOf(day), filter);
                }
                Files.deleteIfExists(file(day, DAY));
                isChanged = true;
            }
        }
        long oldest = MemorySet.periodOf(currentDay) - (long) MemorySet.PERIODS * MemorySet.PERIOD_DAYS;
        for (long day : listDays(FILTER)) {
            if (day < oldest) {
                for (int part = 0; Files.deleteIfExists(periodFile(day, part)); part++) {}
                isChanged = true;
            }
        }
        return isChanged;
    }
}
