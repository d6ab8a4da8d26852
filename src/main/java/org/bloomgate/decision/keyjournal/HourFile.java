package org.bloomgate.decision.keyjournal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The name of one file of the key journal, by the UTC hour it covers: `2026-01-31T05.keys`.
///
/// @param hour its beginning
record HourFile(Instant hour) {
    private static final String SUFFIX = ".keys";
    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH").withZone(ZoneOffset.UTC);

    static HourFile of(long epochSecond) {
        return new HourFile(Instant.ofEpochSecond(epochSecond).truncatedTo(ChronoUnit.HOURS));
    }

    Path in(Path directory) {
        return directory.resolve(NAME.format(hour) + SUFFIX);
    }

    /// Whether a message delivered at or after the instant can be in it.
    boolean reaches(Instant since) {
        return end().isAfter(since);
    }

    Instant end() {
        return hour.plus(1, ChronoUnit.HOURS);
    }

    /// The files of a directory; none when it does not exist yet. Files with other names are not the journal's.
    static List<HourFile> oldestFirst(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> parse(file.getFileName().toString()))
                    .flatMap(Optional::stream)
                    .sorted(Comparator.comparing(HourFile::hour))
                    .toList();
        } catch (NoSuchFileException nothingWritten) {
            return List.of();
        }
    }

    private static Optional<HourFile> parse(String name) {
        if (!name.endsWith(SUFFIX)) {
            return Optional.empty();
        }
        String hour = name.substring(0, name.length() - SUFFIX.length());
        try {
            HourFile file = new HourFile(Instant.parse(hour + ":00:00Z"));
            return Optional.of(file).filter(parsed -> NAME.format(parsed.hour()).equals(hour));
        } catch (DateTimeException noHour) {
            return Optional.empty();
        }
    }
}
