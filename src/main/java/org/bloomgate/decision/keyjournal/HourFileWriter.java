package org.bloomgate.decision.keyjournal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.bloomgate.base.io.LockFile;
import org.bloomgate.base.io.PrivateFile;
import org.bloomgate.base.io.StateFile;
import org.bloomgate.base.io.SteadyClock;
import org.bloomgate.core.bloom.ScalableFilter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Appends messages to the file of their hour, block by block, each handed to the system in one write. A
/// growing filter remembers which keys of the hour are in the file, so that each is written once. Used by one
/// thread.
///
/// If two processes share a directory, the first to write keeps it until it is closed; each attempt of the
/// other is refused.
final class HourFileWriter implements AutoCloseable {
    /// A key that it takes for seen is missing from the set and cannot be found: once in a million keys.
    private static final double SEEN_RATE = 1e-6;

    private static final long FIRST_SEEN = 1 << 16;

    /// Some 50 MB; then keys come into the set once more.
    private static final long MOST_SEEN = 8 << 20;

    /// Room is made once an eighth of the bytes allowed was written.
    private static final int PARTS = 8;

    private static final Logger LOG = LoggerFactory.getLogger(HourFileWriter.class);
    private static final String LOCK = ".lock";
    private static final int MAIL_HEAD_BYTES = 20;

    /// The greatest mail fits, and a busy second's messages take a handful.
    private static final int BLOCK_BYTES = HourFileFormat.BLOCK_HEAD_BYTES + HourFileFormat.MAX_CONTENT_BYTES / 4;

    private final KeyJournalOptions options;
    private final MailKeyHash hash;
    private final InstantSource clock;
    private final ByteBuffer mails = HourFileFormat.allocate(BLOCK_BYTES);
    private final ByteBuffer fresh = HourFileFormat.allocate(BLOCK_BYTES);
    private Optional<SteadyClock> steady = Optional.empty();
    private Optional<LockFile> lock = Optional.empty();
    private Optional<HourFile> current = Optional.empty();
    private Optional<FileChannel> out = Optional.empty();
    private ScalableFilter seen = new ScalableFilter(FIRST_SEEN, SEEN_RATE);
    private long sincePruned;

    HourFileWriter(KeyJournalOptions options, MailKeyHash hash, InstantSource clock) {
        this.options = options;
        this.hash = hash;
        this.clock = clock;
        beginBlocks();
    }

    /// Everything is handed to the system when this returns. After an exception some of it may be.
    void append(List<MailKeys> delivered) throws IOException {
        try {
            for (MailKeys mail : delivered) {
                mail.fold();
                turnTo(HourFile.of(mail.epochSecond()));
                if (mails.remaining() < MAIL_HEAD_BYTES + mail.size() * Long.BYTES) {
                    flush();
                }
                put(mail);
            }
            flush();
        } catch (IOException half) {
            beginBlocks();
            closeFile();
            throw half;
        }
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

    private void put(MailKeys mail) {
        mails.putLong(mail.token()).putLong(mail.epochSecond()).putInt(mail.size());
        for (int i = 0; i < mail.size(); i++) {
            mails.putLong(mail.hash(i));
            if (seen.add(mail.hash(i))) {
                fresh.putLong(mail.hash(i));
            }
        }
    }

    /// The set goes first: a message whose keys are in no set is not found.
    private void flush() throws IOException {
        write(fresh, HourFileFormat.SEEN);
        write(mails, HourFileFormat.MAIL);
        beginBlocks();
        if (sincePruned > options.maxBytes() / PARTS) {
            prune();
        }
        if (seen.keys() > MOST_SEEN) {
            seen = new ScalableFilter(FIRST_SEEN, SEEN_RATE);
        }
    }

    private void beginBlocks() {
        fresh.clear().position(HourFileFormat.BLOCK_HEAD_BYTES);
        mails.clear().position(HourFileFormat.BLOCK_HEAD_BYTES);
    }

    private void write(ByteBuffer block, int type) throws IOException {
        if (block.position() == HourFileFormat.BLOCK_HEAD_BYTES) {
            return;
        }
        HourFileFormat.seal(block, 0, type);
        sincePruned += block.flip().remaining();
        FileChannel file = out.orElseThrow();
        while (block.hasRemaining()) {
            file.write(block);
        }
    }

    /// A message that was delivered just before the hour turned goes to the new one.
    private void turnTo(HourFile hour) throws IOException {
        if (current.isEmpty() || hour.hour().isAfter(current.get().hour())) {
            flush();
            closeFile();
            open(hour);
        }
    }

    private void open(HourFile hour) throws IOException {
        if (lock.isEmpty()) {
            lock = Optional.of(hold(options.directory()));
        }
        Path path = hour.in(options.directory());
        PrivateFile.create(path);
        long whole = wholeBytes(path);
        FileChannel file = StateFile.open(path, Long.MAX_VALUE, StandardOpenOption.WRITE);
        out = Optional.of(file);
        file.truncate(whole).position(whole);
        if (whole == 0) {
            file.write(HourFileFormat.head(hash));
        }
        current = Optional.of(hour);
        seen = new ScalableFilter(FIRST_SEEN, SEEN_RATE);
        prune();
    }

    /// @throws IOException when another gateway writes there
    private static LockFile hold(Path directory) throws IOException {
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
            if (!reader.isOf(hash)) {
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

    private SteadyClock steady() throws IOException {
        if (steady.isEmpty()) {
            Optional<Instant> newest = HourFile.oldestFirst(options.directory()).reversed().stream()
                    .filter(file -> !current.equals(Optional.of(file)))
                    .findFirst()
                    .map(HourFile::end);
            steady = Optional.of(new SteadyClock(clock, System::nanoTime, newest, options.keep()));
        }
        return steady.get();
    }

    /// Keeps space for the next writes. The current hour stays, unless it fills the limit alone: then it starts
    /// again.
    private void prune() throws IOException {
        sincePruned = 0;
        Instant from = steady().instant().minus(options.keep());
        long kept = options.maxBytes() / PARTS;
        for (HourFile file : HourFile.oldestFirst(options.directory()).reversed()) {
            Path path = file.in(options.directory());
            kept += Files.size(path);
            boolean tooOld = !file.reaches(from);
            if ((tooOld || kept > options.maxBytes()) && !current.equals(Optional.of(file))) {
                Files.deleteIfExists(path);
            }
        }
        FileChannel file = out.orElseThrow();
        if (file.size() > options.maxBytes() / PARTS * (PARTS - 1)) {
            file.truncate(HourFileFormat.HEAD_BYTES).position(HourFileFormat.HEAD_BYTES);
            seen = new ScalableFilter(FIRST_SEEN, SEEN_RATE);
        }
    }
}
