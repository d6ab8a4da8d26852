package org.bloomgate.decision.keyjournal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.bloomgate.base.io.BoundedRecords;
import org.bloomgate.base.io.LockFile;
import org.bloomgate.base.io.PrivateFile;
import org.bloomgate.base.io.StateFile;
import org.bloomgate.base.io.SteadyClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Appends messages to the file of their hour, many of them in one write. Used by one thread.
///
/// If two processes share a directory, the first to write keeps it until it is closed; each attempt of the
/// other is refused.
final class HourFileWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HourFileWriter.class);
    private static final String LOCK = ".lock";

    /// The messages of a busy second take a few writes.
    private static final int WRITE_BYTES = 1 << 18;

    private final KeyJournalOptions options;
    private final MailKeyHash hash;
    private final InstantSource clock;
    private final BoundedRecords<Long> bound;
    private final ByteBuffer records = HourFileFormat.allocate(WRITE_BYTES);
    private Optional<SteadyClock> steady = Optional.empty();
    private Optional<LockFile> lock = Optional.empty();
    private Optional<HourFile> current = Optional.empty();
    private Optional<FileChannel> out = Optional.empty();

    HourFileWriter(KeyJournalOptions options, MailKeyHash hash, InstantSource clock) {
        this.options = options;
        this.hash = hash;
        this.clock = clock;
        bound = new BoundedRecords<>("key journal", options.maxBytes(), new Records(hash), clock);
    }

    /// The client network of each record, as a hash.
    private record Records(MailKeyHash hash) implements BoundedRecords.Format<Long> {
        @Override
        public void read(Path file, BoundedRecords.Visitor<Long> visitor) throws IOException {
            try (HourFileReader reader = new HourFileReader(file)) {
                if (reader.isWrittenWith(hash)) {
                    for (ByteBuffer record = reader.next(); record.hasRemaining(); record = reader.next()) {
                        visitor.record(HourFileFormat.network(record), record);
                    }
                }
            } catch (NoSuchFileException gone) {
                LOG.debug("{} is gone", file);
            }
        }

        @Override
        public String describe(Long network) {
            return "a client network (a hash here; 'bloomgate decisions' shows clients)";
        }

        @Override
        public ByteBuffer head() {
            return HourFileFormat.head(hash);
        }
    }

    /// Passes all records to the operating system. After an exception some of them may be in the file.
    void append(List<MailKeys> messages) throws IOException {
        try {
            for (MailKeys mail : messages) {
                mail.fold();
                switchTo(HourFile.of(mail.epochSecond()));
                put(mail);
            }
            flush();
        } catch (IOException e) {
            records.clear();
            closeFile();
            throw e;
        }
    }

    private void put(MailKeys mail) throws IOException {
        int bytes = HourFileFormat.bytes(1 + mail.size());
        if (!bound.hasRoom(mail.network(), bytes)) {
            flush();
            makeRoom(mail.network(), bytes);
        }
        if (records.remaining() < bytes) {
            flush();
        }
        HourFileFormat.put(mail, records);
        bound.add(mail.network(), bytes);
    }

    private void makeRoom(long network, int bytes) throws IOException {
        HourFile hour = current.orElseThrow();
        closeFile();
        bound.makeRoom(network, bytes, files());
        open(hour);
    }

    /// Records that were evicted, since the start.
    long evicted() {
        return bound.countEvicted();
    }

    @Override
    public void close() throws IOException {
        closeFile();
        if (lock.isPresent()) {
            lock.get().close();
            lock = Optional.empty();
        }
    }

    private void closeFile() throws IOException {
        current = Optional.empty();
        if (out.isPresent()) {
            out.get().close();
            out = Optional.empty();
        }
    }

    private void flush() throws IOException {
        records.flip();
        while (records.hasRemaining()) {
            out.orElseThrow().write(records);
        }
        records.clear();
    }

    /// Opens the file of a later hour. A message of an earlier hour goes to the current file.
    private void switchTo(HourFile hour) throws IOException {
        if (current.isEmpty() || hour.hour().isAfter(current.get().hour())) {
            flush();
            closeFile();
            open(hour);
            prune();
        }
    }

    private void open(HourFile hour) throws IOException {
        if (lock.isEmpty()) {
            lock = Optional.of(lock(options.directory()));
        }
        Path path = hour.in(options.directory());
        PrivateFile.create(path);
        long whole = wholeBytes(path);
        FileChannel file = StateFile.open(path, HourFileFormat.MAX_FILE_BYTES, StandardOpenOption.WRITE);
        out = Optional.of(file);
        file.truncate(whole).position(whole);
        if (whole == 0) {
            file.write(HourFileFormat.head(hash));
        }
        current = Optional.of(hour);
        bound.measure(files());
    }

    private List<Path> files() throws IOException {
        return HourFile.oldestFirst(options.directory()).stream()
                .map(file -> file.in(options.directory()))
                .toList();
    }

    /// @throws IOException when another gateway writes there
    private static LockFile lock(Path directory) throws IOException {
        Files.createDirectories(directory);
        PrivateFile.create(directory.resolve(LOCK));
        return LockFile.tryHold(directory, LOCK)
                .orElseThrow(() ->
                        new IOException(directory + " is another gateway's: give each its own journal.keys.directory"));
    }

    /// A killed process may have left a torn block; a file of another key is useless.
    private long wholeBytes(Path path) throws IOException {
        try (HourFileReader reader = new HourFileReader(path)) {
            long size = Files.size(path);
            if (!reader.isWrittenWith(hash)) {
                if (size > 0) {
                    LOG.warn("{} is damaged or of another installation key, and is started again", path);
                }
                return 0;
            }
            long whole = reader.wholeBytes();
            if (whole < size) {
                LOG.warn("{}: truncated the last {} bytes, an incomplete record", path, size - whole);
            }
            return whole;
        }
    }

    private SteadyClock steadyClock() throws IOException {
        if (steady.isEmpty()) {
            Optional<Instant> newest = HourFile.oldestFirst(options.directory()).reversed().stream()
                    .filter(file -> !current.equals(Optional.of(file)))
                    .findFirst()
                    .map(HourFile::end);
            steady = Optional.of(new SteadyClock(clock, System::nanoTime, newest, options.keep()));
        }
        return steady.get();
    }

    /// Deletes hours that are too old.
    private void prune() throws IOException {
        Instant oldest = steadyClock().instant().minus(options.keep());
        for (HourFile file : HourFile.oldestFirst(options.directory())) {
            if (!file.reaches(oldest) && !current.equals(Optional.of(file))) {
                bound.delete(file.in(options.directory()));
            }
        }
        bound.measure(files());
    }
}
