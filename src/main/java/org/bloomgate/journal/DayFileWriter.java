package org.bloomgate.journal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.bloomgate.disk.PrivateFile;

/// Appends to the file of the UTC day. A day that outgrows an eighth of the bytes allowed goes on in a further file,
/// so that bytes can be given back an eighth at a time.
///
/// Files are readable for their owner only: they hold addresses. Used by one thread.
final class DayFileWriter {
    private static final int PARTS = 8;
    private static final int WRITE_BYTES = 256 * 1024;

    private final JournalOptions options;
    private final InstantSource clock;
    private final long partBytes;
    private final DayIndexWriter index = new DayIndexWriter();

    private Optional<SteadyClock> steady = Optional.empty();
    private Optional<DayFile> current = Optional.empty();
    private OutputStream out = OutputStream.nullOutputStream();
    private long written;

    DayFileWriter(JournalOptions options, InstantSource clock) {
        this.options = options;
        this.clock = clock;
        this.partBytes = Math.max(1, options.maxBytes() / PARTS);
    }

    /// Everything is handed to the system when this returns. After an exception some of it may be, and the next call
    /// begins on a line of its own.
    void append(List<Decision> decisions) throws IOException {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        for (Decision decision : decisions) {
            DecisionLine.write(decision, lines);
            lines.write('\n');
            index.add(decision);
            if (lines.size() >= WRITE_BYTES) {
                write(lines);
            }
        }
        write(lines);
    }

    void close() throws IOException {
        index.close();
        current = Optional.empty();
        out.close();
    }

    private void write(ByteArrayOutputStream lines) throws IOException {
        LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
        try {
            if (written >= partBytes || !current.map(DayFile::day).equals(Optional.of(today))) {
                open(today);
            }
            lines.writeTo(out);
        } catch (IOException half) {
            index.fail();
            close();
            throw half;
        }
        written += lines.size();
        index.written(written);
        lines.reset();
    }

    private void open(LocalDate today) throws IOException {
        close();
        Files.createDirectories(options.directory());
        DayFile file = next(today);
        Path path = options.directory().resolve(file.name());
        PrivateFile.create(path);
        endLine(path);
        prune(file);
        out = Files.newOutputStream(path, StandardOpenOption.APPEND);
        written = Files.size(path);
        index.open(options.directory(), file, written);
        current = Optional.of(file);
    }

    /// The last file of the day while it has room, otherwise the one after it.
    private DayFile next(LocalDate today) throws IOException {
        for (DayFile file : DayFile.newestFirst(options.directory())) {
            if (file.day().equals(today)) {
                boolean full = Files.size(options.directory().resolve(file.name())) >= partBytes;
                return full ? new DayFile(today, file.part() + 1) : file;
            }
        }
        return new DayFile(today, 0);
    }

    /// A process that was killed, or a disk that was full, may have left half a line.
    private static void endLine(Path path) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            long length = file.length();
            file.seek(Math.max(0, length - 1));
            if (length > 0 && file.read() != '\n') {
                file.write('\n');
            }
        }
    }

    private SteadyClock steady(DayFile opened) throws IOException {
        if (steady.isEmpty()) {
            Optional<Instant> newest = DayFile.newestFirst(options.directory()).stream()
                    .filter(file -> !file.equals(opened))
                    .findFirst()
                    .map(file ->
                            file.day().plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant());
            steady = Optional.of(new SteadyClock(clock, System::nanoTime, newest, Duration.ofDays(options.keepDays())));
        }
        return steady.get();
    }

    /// Leaves room for one whole file, so that the bound holds until the next one is opened.
    private void prune(DayFile opened) throws IOException {
        LocalDate from =
                LocalDate.ofInstant(steady(opened).instant(), ZoneOffset.UTC).minusDays(options.keepDays());
        long kept = partBytes;
        for (DayFile file : DayFile.newestFirst(options.directory())) {
            Path path = options.directory().resolve(file.name());
            Path itsIndex = DayIndex.of(options.directory(), file);
            kept += Files.size(path) + (Files.exists(itsIndex) ? Files.size(itsIndex) : 0);
            boolean tooOld = !file.day().isAfter(from);
            if ((tooOld || kept > options.maxBytes()) && !file.equals(opened)) {
                Files.deleteIfExists(path);
                Files.deleteIfExists(itsIndex);
            }
        }
    }
}
