package org.bloomgate.decision.journal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
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
import org.bloomgate.base.io.BoundedRecords;
import org.bloomgate.base.io.LineTruncation;
import org.bloomgate.base.io.PrivateFile;
import org.bloomgate.base.io.SteadyClock;
import org.bloomgate.base.net.Network;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Appends to the file of the UTC day. A day that exceeds an eighth of the allowed bytes continues in a further
/// file, so that files are rewritten in eighths.
///
/// Files are readable for their owner only: they contain addresses. Used by one thread.
final class DayFileWriter {
    private static final int PARTS = 8;
    private static final int WRITE_BYTES = 256 * 1024;
    private static final Logger LOG = LoggerFactory.getLogger(DayFileWriter.class);

    private final JournalOptions options;
    private final InstantSource clock;
    private final long partBytes;
    private final BoundedRecords<String> bound;

    private Optional<SteadyClock> steady = Optional.empty();
    private Optional<DayFile> current = Optional.empty();
    private OutputStream out = OutputStream.nullOutputStream();
    private long fileBytes;

    DayFileWriter(JournalOptions options, InstantSource clock) {
        this.options = options;
        this.clock = clock;
        this.partBytes = Math.max(1, options.maxBytes() / PARTS);
        this.bound = new BoundedRecords<>("decision journal", options.maxBytes(), new DayFileRecords(), clock);
    }

    /// Truncates the newest file after its last whole line, before anything is written.
    void mend() throws IOException {
        Optional<DayFile> newest =
                DayFile.newestFirst(options.directory()).stream().findFirst();
        if (newest.isPresent()) {
            cutTorn(options.directory().resolve(newest.get().name()));
        }
    }

    /// Passes all lines to the operating system. After an exception some whole lines may be in the file.
    void append(List<Decision> decisions) throws IOException {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        write(lines);
        for (Decision decision : decisions) {
            DecisionLine.write(decision, line);
            String network = Network.ofClient(decision.connection().client());
            if (!bound.hasRoom(network, line.size())) {
                write(lines);
                close();
                bound.makeRoom(network, line.size(), files());
                write(lines);
            }
            bound.add(network, line.size());
            line.writeTo(lines);
            if (lines.size() >= WRITE_BYTES) {
                write(lines);
            }
        }
        write(lines);
    }

    /// Records that were evicted, since the start.
    long evicted() {
        return bound.countEvicted();
    }

    private List<Path> files() throws IOException {
        return DayFile.newestFirst(options.directory()).reversed().stream()
                .map(file -> options.directory().resolve(file.name()))
                .toList();
    }

    void close() throws IOException {
        current = Optional.empty();
        out.close();
    }

    private void write(ByteArrayOutputStream lines) throws IOException {
        LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
        try {
            if (!current.map(DayFile::day).equals(Optional.of(today))) {
                open(today);
            }
            lines.writeTo(out);
            fileBytes += lines.size();
            lines.reset();
            if (fileBytes >= partBytes) {
                open(today);
            }
        } catch (IOException e) {
            removeTornLine(e);
            throw e;
        }
    }

    /// Removes the incomplete line, also if nothing more can be written.
    private void removeTornLine(IOException cause) {
        Optional<DayFile> torn = current;
        try {
            close();
            if (torn.isPresent()) {
                cutTorn(options.directory().resolve(torn.get().name()));
            }
        } catch (IOException fault) {
            cause.addSuppressed(fault);
        }
    }

    private void open(LocalDate today) throws IOException {
        close();
        Files.createDirectories(options.directory());
        DayFile file = next(today);
        Path path = options.directory().resolve(file.name());
        PrivateFile.create(path);
        cutTorn(path);
        prune(file);
        out = Files.newOutputStream(path, StandardOpenOption.APPEND);
        fileBytes = Files.size(path);
        current = Optional.of(file);
    }

    /// The last file of the day if it has space, otherwise the next one.
    private DayFile next(LocalDate today) throws IOException {
        for (DayFile file : DayFile.newestFirst(options.directory())) {
            if (file.day().equals(today)) {
                boolean full = Files.size(options.directory().resolve(file.name())) >= partBytes;
                return full ? new DayFile(today, file.part() + 1) : file;
            }
        }
        return new DayFile(today, 0);
    }

    /// A process that was killed, or a disk that was full, may have left a part of a line.
    private void cutTorn(Path path) throws IOException {
        long torn = LineTruncation.truncate(path, options.maxBytes());
        if (torn > 0) {
            LOG.warn("{}: truncated the last {} bytes, an incomplete record", path, torn);
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

    /// Deletes days that are too old.
    private void prune(DayFile opened) throws IOException {
        LocalDate from =
                LocalDate.ofInstant(steady(opened).instant(), ZoneOffset.UTC).minusDays(options.keepDays());
        for (DayFile file : DayFile.newestFirst(options.directory())) {
            if (!file.day().isAfter(from) && !file.equals(opened)) {
                bound.delete(options.directory().resolve(file.name()));
            }
        }
        bound.measure(files());
    }
}
