package org.bloomgate.journal;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import org.bloomgate.disk.IoText;
import org.bloomgate.disk.PrivateFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes the index of one journal file at a time, a record for each [#BLOCK_BYTES] of lines. What is not indexed for
/// a fault of the disk is read when somebody searches, so no fault goes further than the log. Used by one thread.
///
/// Heap: the hashes of one block, about 200 KiB.
final class DayIndexWriter {
    static final int BLOCK_BYTES = 1 << 20;

    /// Lines without a record that are read again when a file is gone on with; more than that are left to those who
    /// search.
    static final int MAX_CAUGHT_UP = 8 * BLOCK_BYTES;

    private static final Logger LOG = LoggerFactory.getLogger(DayIndexWriter.class);

    private Optional<FileChannel> out = Optional.empty();
    private final BlockTerms pending = new BlockTerms();
    private final BlockTerms block = new BlockTerms();
    private long from;
    private long to;

    /// Goes on with the index of a journal file that has so many octets.
    void open(Path directory, DayFile file, long bytes) {
        close();
        Path index = DayIndex.of(directory, file);
        try {
            PrivateFile.create(index);
            long indexed = keepSound(index, bytes);
            from = indexed;
            to = bytes;
            if (bytes - indexed > MAX_CAUGHT_UP) {
                from = bytes;
            } else if (bytes > indexed) {
                catchUp(directory.resolve(file.name()));
            }
        } catch (IOException fault) {
            giveUp(fault);
        }
    }

    /// Cuts off what follows the last sound record.
    ///
    /// @return octets of the journal file that are indexed
    private long keepSound(Path index, long bytes) throws IOException {
        FileChannel channel = FileChannel.open(index, StandardOpenOption.READ, StandardOpenOption.WRITE);
        out = Optional.of(channel);
        try (Arena arena = Arena.ofConfined()) {
            List<DayIndex.Block> sound = DayIndex.read(index, bytes, arena);
            long kept = sound.stream().mapToLong(DayIndex.Block::recordBytes).sum();
            channel.truncate(kept).position(kept);
            return sound.isEmpty() ? 0 : sound.getLast().to();
        }
    }

    private void catchUp(Path file) throws IOException {
        try (ReverseLines lines = new ReverseLines(file, from, to)) {
            for (Optional<String> line = lines.previous(); line.isPresent(); line = lines.previous()) {
                DecisionLine.read(line.get()).ifPresent(block::add);
            }
        }
        flushIfLarge();
    }

    /// Notes a decision that is about to be written.
    void add(Decision decision) {
        pending.add(decision);
    }

    /// What was noted since the last call stands in the file, which has so many octets now.
    void written(long bytes) {
        if (out.isEmpty()) {
            pending.clear();
            return;
        }
        pending.moveTo(block);
        to = bytes;
        flushIfLarge();
    }

    private void flushIfLarge() {
        if (to - from >= BLOCK_BYTES) {
            flush();
        }
    }

    private void flush() {
        if (out.isEmpty() || to <= from) {
            return;
        }
        try {
            ByteBuffer record = new DayIndex.Block(from, to, block.latest(), block.filter()).record();
            while (record.hasRemaining()) {
                out.get().write(record);
            }
            from = to;
            block.clear();
        } catch (IOException fault) {
            giveUp(fault);
        }
    }

    private void giveUp(IOException fault) {
        LOG.warn("the index of decisions: {}", IoText.told(fault));
        abandon();
    }

    /// Ends with what was written.
    void close() {
        flush();
        abandon();
    }

    /// Some of what was noted may not stand in the file: that is found out when the file is gone on with.
    void fail() {
        pending.clear();
        abandon();
    }

    private void abandon() {
        block.clear();
        if (out.isPresent()) {
            try {
                out.get().close();
            } catch (IOException fault) {
                LOG.warn("the index of decisions: {}", IoText.told(fault));
            }
        }
        out = Optional.empty();
    }
}
