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
    /// Lines are in the order of their decisions, except for the time that each waits in the queue of the writer.
    static final Duration DISORDER = Duration.ofMinutes(5);

    /// Longer than any walk takes.
    private static final Duration UNLIMITED = Duration.ofDays(1);

    private static final int LINES_BETWEEN_CLOCK_READINGS = 16;

    private final Path directory;
    private final Span span;
    private final String oldest;
    private final long deadline;
    private final Predicate<String> reader;
    private boolean readerContinues = true;
    private boolean timeUp;
    private boolean reachedOldest;
    private int lines;
    private String last = "";
    private Optional<JournalPosition> next = Optional.empty();

    /// The decisions to read; lines around them are read as well.
    ///
    /// @param since inclusive
    /// @param before exclusive
    record Span(Instant since, Instant before) {
        static Span since(Instant since) {
            return new Span(since, Instant.MAX);
        }

        private LocalDate firstDay() {
            return since.isAfter(Instant.EPOCH) ? LocalDate.ofInstant(since, ZoneOffset.UTC) : LocalDate.EPOCH;
        }

        /// The second after which there is nothing to read; empty if there is no end.
        private Optional<Instant> end() {
            return before.equals(Instant.MAX) ? Optional.empty() : Optional.of(before.plus(DISORDER));
        }
    }

    /// How a walk ended.
    ///
    /// @param complete false when the time was up before all was read or the reader had enough
    /// @param next where to continue; empty if all was read
    /// @param back time of the oldest line that was read, to the second; empty without a line
    record End(boolean complete, Optional<JournalPosition> next, Optional<Instant> back) {}

    private JournalWalk(Path directory, Span span, Duration within, Predicate<String> reader) {
        this.directory = directory;
        this.span = span;
        this.oldest = span.firstDay().equals(LocalDate.EPOCH)
                ? ""
                : DecisionLine.second(span.since().minus(DISORDER));
        this.deadline = System.nanoTime() + within.toNanos();
        this.reader = reader;
    }

    /// @param from where an earlier walk ended; empty for the newest line
    /// @param within how long it may take
    /// @param reader receives a line and returns whether to continue
    static End newestFirst(
            Path directory, Span span, Optional<JournalPosition> from, Duration within, Predicate<String> reader)
            throws IOException {
        JournalWalk walk = new JournalWalk(directory, span, within, reader);
        for (DayFile file : DayFile.newestFirst(directory)) {
            if (!walk.mayContinue() || file.day().isBefore(span.firstDay())) {
                break;
            }
            if (from.isEmpty() || file.compareTo(from.get().file()) <= 0) {
                walk.file(file, from.filter(position -> position.file().equals(file)));
            }
        }
        return new End(
                !walk.timeUp,
                walk.timeUp || !walk.readerContinues ? walk.next : Optional.empty(),
                DecisionLine.instant(walk.last));
    }

    /// The same from the newest line on, however long it takes.
    static void newestFirst(Path directory, Span span, Predicate<String> reader) throws IOException {
        newestFirst(directory, span, Optional.empty(), UNLIMITED, reader);
    }

    private boolean mayContinue() {
        return readerContinues && !timeUp && !reachedOldest;
    }

    private void file(DayFile file, Optional<JournalPosition> from) throws IOException {
        Path path = directory.resolve(file.name());
        try {
            long end = from.isPresent() ? from.get().offset() : end(file, path);
            try (ReverseLines reverse = new ReverseLines(path, end)) {
                for (Optional<String> line = reverse.previous();
                        line.isPresent() && mayContinue();
                        line = reverse.previous()) {
                    next = Optional.of(new JournalPosition(file, reverse.position()));
                    read(line.get());
                }
            }
        } catch (NoSuchFileException deletedMeanwhile) {
            return;
        }
    }

    private void read(String line) {
        String second = DecisionLine.secondOf(line);
        last = second.isEmpty() ? last : second;
        if (!second.isEmpty() && second.compareTo(oldest) < 0) {
            reachedOldest = true;
            return;
        }
        readerContinues = reader.test(line);
        lines++;
        timeUp = readerContinues && lines % LINES_BETWEEN_CLOCK_READINGS == 0 && System.nanoTime() > deadline;
    }

    /// The end of the lines to read in a file.
    private long end(DayFile file, Path path) throws IOException {
        if (span.end().isEmpty()) {
            return Long.MAX_VALUE;
        }
        LocalDate last = LocalDate.ofInstant(span.end().get(), ZoneOffset.UTC);
        if (!file.day().equals(last)) {
            return file.day().isAfter(last) ? 0 : Long.MAX_VALUE;
        }
        return DayFileSeek.before(path, DecisionLine.second(span.end().get()));
    }
}
