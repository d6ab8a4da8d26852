package org.bloomgate.journal;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.function.Predicate;

/// Goes through the lines of the journal from the newest to the oldest, while it is being written: those of blocks
/// that may hold what is asked for, and those that no index speaks of yet.
///
/// A day of ten million decisions has some seven thousand blocks; of a thousand of them that do not hold a term about
/// one is read. Heap: one line. Used by one thread.
final class JournalWalk {
    private static final int LINES_BETWEEN_CLOCK_READINGS = 256;

    private final Path directory;
    private final Instant since;
    private final long[] terms;
    private final long deadline;
    private final Predicate<String> reader;
    private boolean wanted = true;
    private boolean ended;
    private int lines;

    private JournalWalk(Path directory, Instant since, long[] terms, Duration within, Predicate<String> reader) {
        this.directory = directory;
        this.since = since;
        this.terms = terms.clone();
        this.deadline = System.nanoTime() + within.toNanos();
        this.reader = reader;
    }

    /// @param since blocks whose last decision is older are left out, others may hold older ones too
    /// @param terms hashes of [SearchTerm]; blocks without one of them are left out
    /// @param within how long it may take
    /// @param reader takes a line and says whether it wants another
    /// @return false when the time was up before all was read or the reader had enough
    static boolean newestFirst(Path directory, Instant since, long[] terms, Duration within, Predicate<String> reader)
            throws IOException {
        JournalWalk walk = new JournalWalk(directory, since, terms, within, reader);
        LocalDate first = LocalDate.ofInstant(since, ZoneOffset.UTC);
        for (DayFile file : DayFile.newestFirst(directory)) {
            if (!walk.goesOn() || file.day().isBefore(first)) {
                break;
            }
            walk.file(file);
        }
        return !walk.ended;
    }

    private boolean goesOn() {
        return wanted && !ended;
    }

    private void file(DayFile file) throws IOException {
        Path path = directory.resolve(file.name());
        try (Arena arena = Arena.ofShared()) {
            long behind = Files.size(path);
            for (DayIndex.Block block :
                    DayIndex.read(DayIndex.of(directory, file), behind, arena).reversed()) {
                lines(path, block.to(), behind);
                if (block.mayHold(terms, since.getEpochSecond())) {
                    lines(path, block.from(), block.to());
                }
                behind = block.from();
            }
            lines(path, 0, behind);
        } catch (NoSuchFileException prunedMeanwhile) {
            return;
        }
    }

    private void lines(Path path, long from, long to) throws IOException {
        if (from >= to || !goesOn()) {
            return;
        }
        try (ReverseLines reverse = new ReverseLines(path, from, to)) {
            for (Optional<String> line = reverse.previous(); line.isPresent() && goesOn(); line = reverse.previous()) {
                wanted = reader.test(line.get());
                lines++;
                ended = wanted && lines % LINES_BETWEEN_CLOCK_READINGS == 0 && System.nanoTime() > deadline;
            }
        }
    }
}
