package org.bloomgate.journal;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Looks for decisions in the files of the journal, from the newest line to the oldest, while they are being written:
/// in those blocks whose filters may hold what is asked for, and in what no index speaks of yet.
///
/// A day of ten million decisions has some seven thousand blocks; of a thousand of them that do not hold a term about
/// one is read. Heap: what is found, and one line. Used by one thread.
final class DecisionSearch {
    private static final int LINES_BETWEEN_CLOCK_READINGS = 256;

    private final Path directory;
    private final DecisionQuery query;
    private final long[] terms;
    private final long deadline;
    private final Set<String> tokens = new HashSet<>();
    private final List<Decision> found = new ArrayList<>();
    private int lines;
    private boolean ended;

    private DecisionSearch(Path directory, DecisionQuery query, Duration within) {
        this.directory = directory;
        this.query = query.plain();
        this.terms = query.terms();
        this.deadline = System.nanoTime() + within.toNanos();
    }

    /// @param waiting what is not in a file yet, oldest first
    /// @param within how long it may take
    static DecisionJournal.Found find(DecisionQuery query, List<Decision> waiting, Path directory, Duration within)
            throws IOException {
        DecisionSearch search = new DecisionSearch(directory, query, within);
        waiting.reversed().forEach(search::take);
        LocalDate first = LocalDate.ofInstant(query.since(), ZoneOffset.UTC);
        for (DayFile file : DayFile.newestFirst(directory)) {
            if (!search.goesOn() || file.day().isBefore(first)) {
                break;
            }
            search.file(file);
        }
        return new DecisionJournal.Found(search.found, !search.ended);
    }

    private boolean goesOn() {
        return found.size() < query.limit() && !ended;
    }

    private void take(Decision decision) {
        if (found.size() < query.limit() && query.matches(decision) && tokens.add(decision.token())) {
            found.add(decision);
        }
    }

    private void file(DayFile file) throws IOException {
        Path path = directory.resolve(file.name());
        try (Arena arena = Arena.ofShared()) {
            long behind = Files.size(path);
            for (DayIndex.Block block :
                    DayIndex.read(DayIndex.of(directory, file), behind, arena).reversed()) {
                lines(path, block.to(), behind);
                if (block.mayHold(terms, query.since().getEpochSecond())) {
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
                DecisionLine.read(line.get()).ifPresent(this::take);
                lines++;
                ended = lines % LINES_BETWEEN_CLOCK_READINGS == 0 && System.nanoTime() > deadline;
            }
        }
    }
}
