package org.bloomgate.base.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps the files of a journal within a bound of bytes. Each holder, which is the network of a client, may use
/// at most an eighth of them. A holder that reaches its share loses its oldest records, down to three quarters
/// of the share. When all files together reach the bound, the holders with the most bytes lose their oldest
/// records until an eighth is free; the others keep theirs, so that a flood displaces only itself.
///
/// A file is replaced in one step by a copy without the evicted records, so that a crash leaves one or the
/// other. The bytes of each holder are counted in memory, exactly for up to [#MAX_HOLDERS] holders; beyond
/// that, those with the least are forgotten (Misra, Gries: "Finding repeated elements", 1982). If no counted
/// holder has enough bytes, the oldest records of all holders are evicted. Used by one thread, except
/// [#countEvicted()].
///
/// @param <H> a holder: a type with value equality
public final class BoundedRecords<H> {
    static final int MAX_HOLDERS = 4_096;

    /// The share of a holder is this fraction of all bytes, and as much is freed at once.
    private static final int PARTS = 8;

    private static final int WRITE_BYTES = 1 << 18;
    private static final String REWRITING = ".rewriting";
    private static final Logger LOG = LoggerFactory.getLogger(BoundedRecords.class);

    private final String name;
    private final long maxBytes;
    private final Format<H> format;
    private final InstantSource clock;
    private final OncePerMinute warnings = new OncePerMinute();
    private final Map<H, Long> bytesByHolder = new HashMap<>();
    private boolean holdersCounted;
    private long totalBytes;
    private final AtomicLong evictedTotal = new AtomicLong();

    /// The format of the journal's records.
    public interface Format<H> {
        /// Passes each readable record to the visitor, in the order of the file.
        void read(Path file, Visitor<H> visitor) throws IOException;

        /// The holder as text, for the log.
        String describe(H holder);

        /// The bytes that a file begins with.
        default ByteBuffer head() {
            return ByteBuffer.allocate(0);
        }
    }

    /// Receives the records of a file.
    @FunctionalInterface
    public interface Visitor<H> {
        /// @param bytes valid during the call
        void record(H holder, ByteBuffer bytes) throws IOException;
    }

    /// Decides whether a record is evicted.
    @FunctionalInterface
    private interface Eviction<H> {
        boolean evicts(H holder, int bytes);
    }

    /// @param name of the journal in the log
    public BoundedRecords(String name, long maxBytes, Format<H> format, InstantSource clock) {
        this.name = name;
        this.maxBytes = maxBytes;
        this.format = format;
        this.clock = clock;
    }

    /// Measures the sizes of all files and, the first time, the bytes of each holder in them.
    public void measure(List<Path> files) throws IOException {
        totalBytes = 0;
        for (Path file : files) {
            totalBytes += readSize(file);
            if (!holdersCounted) {
                format.read(file, (holder, bytes) -> count(holder, bytes.remaining()));
            }
        }
        holdersCounted = true;
    }

    /// Deletes a file that is too old.
    public void delete(Path file) throws IOException {
        if (holdersCounted) {
            format.read(file, (holder, bytes) -> count(holder, -bytes.remaining()));
        }
        Files.deleteIfExists(file);
    }

    /// Whether one more record is within the bounds; otherwise [#makeRoom] comes first.
    public boolean hasRoom(H holder, int bytes) {
        return totalBytes + bytes <= maxBytes && !exceedsShare(holder, bytes);
    }

    private boolean exceedsShare(H holder, int bytes) {
        return bytesByHolder.getOrDefault(holder, 0L) + bytes > maxBytes / PARTS;
    }

    /// Counts a record that was written.
    public void add(H holder, int bytes) {
        totalBytes += bytes;
        count(holder, bytes);
    }

    /// Number of records evicted since the start.
    public long countEvicted() {
        return evictedTotal.get();
    }

    private void count(H holder, long bytes) {
        if (bytesByHolder.merge(holder, bytes, Long::sum) <= 0) {
            bytesByHolder.remove(holder);
        }
        if (bytesByHolder.size() > MAX_HOLDERS) {
            long median = bytesByHolder.values().stream()
                    .sorted()
                    .skip(MAX_HOLDERS / 2)
                    .findFirst()
                    .orElseThrow();
            bytesByHolder.values().removeIf(count -> count <= median);
            bytesByHolder.replaceAll((_, count) -> count - median);
        }
    }

    /// Evicts records so that there is room for one more of this holder. No file may be open for writing.
    ///
    /// @param oldestFirst all files; some of them may be deleted by this
    public void makeRoom(H holder, int bytes, List<Path> oldestFirst) throws IOException {
        long level = totalBytes + bytes > maxBytes
                ? computeLevel(totalBytes - maxBytes / PARTS * (PARTS - 1))
                : Long.MAX_VALUE;
        Map<H, Long> excess = new HashMap<>();
        bytesByHolder.forEach((other, size) -> {
            if (size > level) {
                excess.put(other, size - level);
            }
        });
        if (exceedsShare(holder, bytes)) {
            excess.merge(holder, bytesByHolder.getOrDefault(holder, 0L) + bytes - maxBytes / PARTS / 4 * 3, Math::max);
        }
        long previousTotal = evictedTotal.get();
        String largest = excess.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(entry ->
                        format.describe(entry.getKey()) + " and of " + (excess.size() - 1) + " others that hold most")
                .orElse("all networks");
        for (Path file : oldestFirst) {
            if (holdsAnyOf(excess, file)) {
                rewrite(file, (other, length) -> {
                    long remaining = excess.getOrDefault(other, 0L);
                    if (remaining < length) {
                        excess.remove(other);
                        return false;
                    }
                    excess.put(other, remaining - length);
                    return true;
                });
            }
        }
        excess.forEach((other, remaining) -> count(other, -remaining));
        measure(oldestFirst);
        if (totalBytes + bytes > maxBytes) {
            evictOldest(totalBytes - maxBytes / PARTS * (PARTS - 1), oldestFirst);
            measure(oldestFirst);
        }
        if (warnings.isDue(name, clock.millis())) {
            LOG.warn(
                    "{}: evicted {} records, the oldest of {}: a client network has at most an eighth of {} bytes",
                    name,
                    evictedTotal.get() - previousTotal,
                    largest,
                    maxBytes);
        }
    }

    private boolean holdsAnyOf(Map<H, Long> excess, Path file) throws IOException {
        boolean[] containsAny = new boolean[1];
        if (!excess.isEmpty()) {
            format.read(file, (other, _) -> containsAny[0] |= excess.containsKey(other));
        }
        return containsAny[0];
    }

    /// The most bytes that each holder may keep so that all holders together lose `bytes`; at least a 1024th of
    /// the bound.
    private long computeLevel(long bytes) {
        List<Long> sorted = bytesByHolder.values().stream()
                .sorted(Comparator.reverseOrder())
                .toList();
        long sum = 0;
        for (int i = 0; i < sorted.size(); i++) {
            sum += sorted.get(i);
            long level = (sum - bytes) / (i + 1);
            if (i + 1 == sorted.size() || level >= sorted.get(i + 1)) {
                return Math.max(level, maxBytes / 1024);
            }
        }
        return maxBytes / 1024;
    }

    private void evictOldest(long bytes, List<Path> oldestFirst) throws IOException {
        long[] remaining = {bytes};
        for (Path file : oldestFirst) {
            if (remaining[0] > 0) {
                rewrite(file, (_, length) -> {
                    boolean evict = remaining[0] > 0;
                    remaining[0] -= length;
                    return evict;
                });
            }
        }
    }

    /// Replaces the file by a copy without the evicted records, or deletes it if no record is left.
    private void rewrite(Path file, Eviction<H> eviction) throws IOException {
        Path copy = file.resolveSibling(REWRITING);
        Files.deleteIfExists(copy);
        long previousTotal = evictedTotal.get();
        try {
            long size = copy(file, copy, eviction);
            if (evictedTotal.get() == previousTotal) {
                Files.delete(copy);
            } else if (size > format.head().remaining()) {
                DurableFiles.rename(copy, file);
            } else {
                Files.delete(file);
                Files.delete(copy);
            }
        } catch (NoSuchFileException _) {
            LOG.debug("{} was deleted meanwhile", file);
        } finally {
            Files.deleteIfExists(copy);
        }
    }

    private long copy(Path from, Path to, Eviction<H> eviction) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(WRITE_BYTES);
        PrivateFile.create(to);
        try (FileChannel out = FileChannel.open(to, StandardOpenOption.WRITE)) {
            buffer.put(format.head());
            format.read(from, (holder, bytes) -> {
                if (eviction.evicts(holder, bytes.remaining())) {
                    count(holder, -bytes.remaining());
                    evictedTotal.incrementAndGet();
                    return;
                }
                if (buffer.remaining() < bytes.remaining()) {
                    writeOut(buffer, out);
                }
                if (buffer.remaining() < bytes.remaining()) {
                    while (bytes.hasRemaining()) {
                        out.write(bytes);
                    }
                } else {
                    buffer.put(bytes);
                }
            });
            writeOut(buffer, out);
            out.force(false);
            return out.position();
        }
    }

    private static void writeOut(ByteBuffer buffer, FileChannel out) throws IOException {
        buffer.flip();
        while (buffer.hasRemaining()) {
            out.write(buffer);
        }
        buffer.clear();
    }

    private static long readSize(Path file) throws IOException {
        try {
            return Files.size(file);
        } catch (NoSuchFileException _) {
            return 0;
        }
    }
}
