package org.bloomgate.decision.journal;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.function.Predicate;

/// Reads the lines of the journal from the newest to the oldest, while it is being written. Heap: one line. Used by one
/// thread.
final class JournalWalk {
    private static final int LINES_BETWEEN_CLOCK_READINGS = 256;

    private final Path directory;
    private final long deadline;
    private final Predicate<String> reader;
    private boolean wanted = true;
    private boolean ended;
    private int lines;

    private JournalWalk(Path directory, Duration within, Predicate<String> reader) {
        this.directory = directory;
        this.deadline = System.nanoTime() + within.toNanos();
        this.reader = reader;
    }

    /// @param since files of earlier days are left out; the others may hold earlier decisions too
    /// @param within how long it may take
    /// @param reader takes a line and says whether it wants another
    /// @return false when the time was up before all was read or the reader had enough
    static boolean newestFirst(Path directory, Instant since, Duration within, Predicate<String> reader)
            throws IOException {
        JournalWalk walk = new JournalWalk(directory, within, reader);
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
        try (ReverseLines reverse = new ReverseLines(directory.resolve(file.name()))) {
            for (Optional<String> line = reverse.previous(); line.isPresent() && goesOn(); line = reverse.previous()) {
                wanted = reader.test(line.get());
                lines++;
                ended = wanted && lines % LINES_BETWEEN_CLOCK_READINGS == 0 && System.nanoTime() > deadline;
            }
        } catch (NoSuchFileException prunedMeanwhile) {
            return;
        }
    }
}
