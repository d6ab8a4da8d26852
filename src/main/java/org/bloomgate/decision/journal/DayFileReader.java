package org.bloomgate.decision.journal;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.bloomgate.base.io.IoText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads the files of the journal from the newest line to the oldest, while they are being written. Unreadable
/// lines are left out. Thread-safe.
final class DayFileReader {
    private static final Logger LOG = LoggerFactory.getLogger(DayFileReader.class);

    private final Path directory;

    DayFileReader(Path directory) {
        this.directory = directory;
    }

    Optional<Decision> find(String token) {
        return latest(
                        1,
                        line -> line.contains(token),
                        decision -> decision.token().equals(token))
                .stream()
                .findFirst();
    }

    /// Those of the tokens that are found, in one walk.
    List<Decision> find(Set<String> tokens) {
        return latest(
                tokens.size(),
                line -> tokens.contains(DecisionLine.token(line)),
                decision -> tokens.contains(decision.token()));
    }

    /// @param likely spares the parsing of lines that cannot be wanted
    private List<Decision> latest(int count, Predicate<String> likely, Predicate<Decision> wanted) {
        List<Decision> latest = new ArrayList<>();
        try {
            for (DayFile file : DayFile.newestFirst(directory)) {
                read(directory.resolve(file.name()), count, likely, wanted, latest);
            }
        } catch (IOException unreadable) {
            LOG.warn("{}: {}", directory, IoText.describe(unreadable));
        }
        return latest;
    }

    private static void read(
            Path file, int count, Predicate<String> likely, Predicate<Decision> wanted, List<Decision> latest)
            throws IOException {
        if (latest.size() >= count) {
            return;
        }
        try (ReverseLines lines = new ReverseLines(file)) {
            Optional<String> line = lines.previous();
            while (line.isPresent() && latest.size() < count) {
                line.filter(likely).flatMap(DecisionLine::read).filter(wanted).ifPresent(latest::add);
                line = lines.previous();
            }
        } catch (NoSuchFileException prunedMeanwhile) {
            LOG.debug("{} is gone", file);
        }
    }
}
