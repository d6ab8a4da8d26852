package org.bloomgate.disk;

import static java.nio.file.StandardOpenOption.READ;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/// Checksums of a file by block: CRC-32C (RFC 3720) in the upper and CRC-32 (RFC 1952) in the lower 32 bits. They
/// show damage, of which one in 2^64 goes unseen and none within 32 bits in a row. They stop nobody: whoever can
/// write a block makes one with the same checksums.
///
/// A processor reads and checks 4.6 GB a second from the page cache, where it takes SHA-256 of 1.2 to 1.3 GB.
///
/// Not thread-safe.
public final class BlockChecksums {
    /// Far below the length at which a CRC of 32 bits misses two single bits.
    public static final int BLOCK_BYTES = 4 << 20;

    /// Stays in the cache of one processor.
    private static final int BUFFER_BYTES = 128 << 10;

    /// What one thread reads in a row.
    private static final int SPAN_BLOCKS = 16;

    private final CRC32C upper = new CRC32C();
    private final CRC32 lower = new CRC32();
    private final List<Long> blocks = new ArrayList<>();
    private int inBlock;

    /// Takes octets as they come, all that remain.
    void update(ByteBuffer octets) {
        while (octets.hasRemaining()) {
            int length = Math.min(octets.remaining(), BLOCK_BYTES - inBlock);
            ByteBuffer part = octets.slice(octets.position(), length);
            upper.update(part);
            lower.update(part.rewind());
            octets.position(octets.position() + length);
            inBlock += length;
            if (inBlock == BLOCK_BYTES) {
                endBlock();
            }
        }
    }

    private void endBlock() {
        blocks.add(upper.getValue() << 32 | lower.getValue());
        upper.reset();
        lower.reset();
        inBlock = 0;
    }

    /// Of all blocks; the last one may be shorter.
    List<Long> finish() {
        if (inBlock > 0) {
            endBlock();
        }
        return List.copyOf(blocks);
    }

    /// Blocks of a file of this length.
    public static long count(long fileBytes) {
        return (fileBytes + BLOCK_BYTES - 1) / BLOCK_BYTES;
    }

    /// Where the first block begins that differs, in octets of the file.
    public static OptionalLong firstDifference(List<Long> some, List<Long> others) {
        return IntStream.range(0, Math.max(some.size(), others.size()))
                .filter(i ->
                        i >= some.size() || i >= others.size() || !some.get(i).equals(others.get(i)))
                .mapToLong(i -> (long) i * BLOCK_BYTES)
                .findFirst();
    }

    /// Those of several files, which are read at once by all processors, in pieces.
    public static List<List<Long>> of(List<Path> files) throws IOException {
        List<Callable<List<Long>>> spans = new ArrayList<>();
        List<Integer> spansOf = new ArrayList<>();
        long octets = 0;
        for (Path file : files) {
            long size = Files.size(file);
            octets += size;
            spansOf.add(addSpans(spans, file, size));
        }
        List<List<Long>> read = AtOnce.read(spans, octets);
        List<List<Long>> all = new ArrayList<>();
        int at = 0;
        for (int count : spansOf) {
            all.add(read.subList(at, at + count).stream().flatMap(List::stream).toList());
            at += count;
        }
        return all;
    }

    /// @return how many
    private static int addSpans(List<Callable<List<Long>>> spans, Path file, long size) {
        int before = spans.size();
        long span = (long) SPAN_BLOCKS * BLOCK_BYTES;
        for (long from = 0; from < size; from += span) {
            long begin = from;
            long length = Math.min(span, size - from);
            spans.add(() -> span(file, begin, length));
        }
        return spans.size() - before;
    }

    private static List<Long> span(Path file, long from, long length) throws IOException {
        BlockChecksums checksums = new BlockChecksums();
        try (FileChannel channel = FileChannel.open(file, READ);
                Arena arena = Arena.ofConfined()) {
            ByteBuffer buffer = arena.allocate(Math.min(BUFFER_BYTES, length)).asByteBuffer();
            for (long at = from; at < from + length; ) {
                buffer.clear().limit((int) Math.min(buffer.capacity(), from + length - at));
                int read = channel.read(buffer, at);
                if (read < 0) {
                    throw new EOFException(file + ": shorter than it was when it was opened");
                }
                checksums.update(buffer.flip());
                at += read;
            }
        }
        return checksums.finish();
    }
}
