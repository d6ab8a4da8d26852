package org.bloomgate.prefix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.bloomgate.key.Key;
import org.bloomgate.key.KeyKind;
import org.bloomgate.lookup.KeyRanges;
import org.bloomgate.wire.HashPrefix;
import org.bloomgate.wire.HashedKey;

/// The keys of one kind in one store, in the order of their hashes' first 16 bits: a store has them by their text.
///
/// Two walks over the store, the first to know how much room each prefix takes, the second to put the keys there; no
/// sort, and half a MiB of heap whatever the number of keys. They stand in a mapped file that has no name any more, two
/// octets of length and the key each, so that a killed process leaves nothing. Immutable and thread-safe.
final class PrefixIndex {
    /// Some 300 million domains.
    static final long MAX_BYTES = 8L << 30;

    private static final byte[] FROM_FIRST = {};
    private static final int LENGTH_BYTES = 2;
    private static final int BLOCK_BYTES = 1 << 16;
    private static final int MAX_KEY_BYTES = 0xffff;

    private final KeyKind kind;
    private final long[] ends;
    private final MemorySegment keys;

    private PrefixIndex(KeyKind kind, long[] ends, MemorySegment keys) {
        this.kind = kind;
        this.ends = ends;
        this.keys = keys;
    }

    /// @param folder for the file, made where it is missing
    /// @param ending ends the walk when it says so
    /// @throws IOException when not every key could be read, or the file not be written
    static PrefixIndex of(KeyRanges store, KeyKind kind, Path folder, BooleanSupplier ending) throws IOException {
        long[] sizes = new long[HashPrefix.LONGEST];
        store.forEach(kind, FROM_FIRST, FROM_FIRST, (octets, from, to, _) -> {
            if (to - from > MAX_KEY_BYTES) {
                throw new IOException("a key of " + (to - from) + " octets");
            }
            sizes[HashPrefix.longest(HashedKey.of(kind, octets, from, to))] += LENGTH_BYTES + to - from;
        });
        long[] at = new long[HashPrefix.LONGEST];
        long[] ends = new long[HashPrefix.LONGEST];
        long bytes = 0;
        for (int prefix = 0; prefix < sizes.length; prefix++) {
            at[prefix] = bytes;
            bytes += sizes[prefix];
            ends[prefix] = bytes;
        }
        if (bytes > MAX_BYTES) {
            throw new IOException("an index takes at most " + MAX_BYTES + " octets, not " + bytes);
        }
        MemorySegment keys = mapped(folder, bytes);
        store.forEach(kind, FROM_FIRST, FROM_FIRST, (octets, from, to, _) -> {
            if (ending.getAsBoolean()) {
                throw new IOException("ending");
            }
            int prefix = HashPrefix.longest(HashedKey.of(kind, octets, from, to));
            put(keys, at[prefix], octets, from, to);
            at[prefix] += LENGTH_BYTES + to - from;
        });
        return new PrefixIndex(kind, ends, keys);
    }

    private static MemorySegment mapped(Path folder, long bytes) throws IOException {
        if (bytes == 0) {
            return MemorySegment.NULL;
        }
        Files.createDirectories(folder);
        Path file = Files.createTempFile(folder, "prefix", "");
        try (FileChannel channel = FileChannel.open(file, READ, WRITE)) {
            takeRoom(channel, bytes);
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, Arena.ofAuto());
        } finally {
            Files.delete(file);
        }
    }

    /// A mapped page that finds the disk full would end the process.
    private static void takeRoom(FileChannel channel, long bytes) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocate(BLOCK_BYTES);
        while (channel.position() < bytes) {
            zeros.clear().limit((int) Math.min(BLOCK_BYTES, bytes - channel.position()));
            int _ = channel.write(zeros);
        }
    }

    private static void put(MemorySegment keys, long at, byte[] octets, int from, int to) {
        keys.set(JAVA_BYTE, at, (byte) ((to - from) >> 8));
        keys.set(JAVA_BYTE, at + 1, (byte) (to - from));
        MemorySegment.copy(octets, from, keys, JAVA_BYTE, at + LENGTH_BYTES, to - from);
    }

    /// All keys behind a prefix; empty when there are more than so many.
    Optional<List<Key>> keys(HashPrefix prefix, int most) {
        List<Key> found = new ArrayList<>();
        long at = prefix.first() == 0 ? 0 : ends[prefix.first() - 1];
        long end = ends[prefix.end() - 1];
        while (at < end) {
            if (found.size() == most) {
                return Optional.empty();
            }
            int length = (keys.get(JAVA_BYTE, at) & 0xff) << 8 | (keys.get(JAVA_BYTE, at + 1) & 0xff);
            byte[] octets = keys.asSlice(at + LENGTH_BYTES, length).toArray(JAVA_BYTE);
            found.add(Key.ofOctets(kind, octets, 0, length));
            at += LENGTH_BYTES + length;
        }
        return Optional.of(found);
    }
}
