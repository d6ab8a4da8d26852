package org.bloomgate.decision.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The name of one file of the journal: `2026-01-31.jsonl`, `2026-01-31-1.jsonl`, ...
///
/// @param part 0 for the first file of the day
public record DayFile(LocalDate day, int part) implements Comparable<DayFile> {
    /// A longer file is not read: an eighth of a `journal.maxBytes` that fits on a disk is below it.
    static final long MAX_BYTES = 64L << 30;

    private static final Pattern NAME = Pattern.compile("(\\d{4}-\\d{2}-\\d{2})(?:-(\\d{1,6}))?\\.jsonl");
    private static final Comparator<DayFile> OLDEST_FIRST =
            Comparator.comparing(DayFile::day).thenComparingInt(DayFile::part);

    String name() {
        return part == 0 ? day + ".jsonl" : day + "-" + part + ".jsonl";
    }

    /// The files of a directory; none when it does not exist yet. Files with other names are not the journal's.
    static List<DayFile> newestFirst(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> parse(file.getFileName().toString()))
                    .flatMap(Optional::stream)
                    .sorted(Comparator.reverseOrder())
                    .toList();
        } catch (NoSuchFileException nothingWritten) {
            return List.of();
        }
    }

    /// The older file is the smaller one.
    @Override
    public int compareTo(DayFile other) {
        return OLDEST_FIRST.compare(this, other);
    }

    /// Empty for a name that is not of a file of the journal.
    static Optional<DayFile> parse(String name) {
        Matcher matcher = NAME.matcher(name);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        try {
            int part = matcher.group(2) == null ? 0 : Integer.parseInt(matcher.group(2));
            return Optional.of(new DayFile(LocalDate.parse(matcher.group(1)), part));
        } catch (DateTimeException noDay) {
            return Optional.empty();
        }
    }
}
