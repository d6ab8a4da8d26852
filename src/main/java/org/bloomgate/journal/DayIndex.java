package org.bloomgate.journal;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import org.bloomgate.filter.FilterSizing;
import org.bloomgate.filter.SmallFilter;

/// The index beside a file of the journal: for each block of lines, in order, a record with a filter over the terms
/// of its decisions.
///
/// | offset | octets | |
/// |---|---|---|
/// | 0 | 4 | [#MAGIC] |
/// | 4 | 4 | octets of the filter, a multiple of 64 |
/// | 8 | 8 | offset in the journal file of the block's first octet |
/// | 16 | 8 | and of the first behind it |
/// | 24 | 8 | latest decision of the block, seconds since 1970 |
/// | 32 | 8 | CRC-32 of octets 0 to 31 and of the filter |
/// | 40 | | filter |
///
/// Little-endian. The first record that is torn, damaged or of octets that the journal file does not have ends the
/// index: what no record speaks of is read, so that an index may be short, or gone, but never wrong.
final class DayIndex {
    static final int HEADER_BYTES = 40;

    /// A block of a thousand decisions that each name fifty recipients has 200 KiB.
    static final int MAX_FILTER_BYTES = 8 << 20;

    static final int MAGIC = 0x31494742;
    private static final int CHECKED_BYTES = 32;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private DayIndex() {}

    /// The lines at [from, to) of a journal file.
    ///
    /// @param latest second of the last decision
    record Block(long from, long to, long latest, SmallFilter filter) {
        /// False: surely no decision in it has all of these terms.
        boolean mayHold(long[] terms, long sinceSecond) {
            if (latest < sinceSecond) {
                return false;
            }
            for (long term : terms) {
                if (!filter.mightContain(term)) {
                    return false;
                }
            }
            return true;
        }

        /// One record.
        ByteBuffer record() {
            int filterBytes = Math.toIntExact(filter.body().byteSize());
            ByteBuffer record = ByteBuffer.allocate(HEADER_BYTES + filterBytes).order(ByteOrder.LITTLE_ENDIAN);
            record.putInt(MAGIC).putInt(filterBytes).putLong(from).putLong(to).putLong(latest);
            record.position(HEADER_BYTES).put(filter.body().asByteBuffer());
            record.putLong(CHECKED_BYTES, check(MemorySegment.ofArray(record.array()), filterBytes));
            return record.flip();
        }

        int recordBytes() {
            return HEADER_BYTES + Math.toIntExact(filter.body().byteSize());
        }
    }

    static Path of(Path directory, DayFile file) {
        return directory.resolve(file.name() + ".index");
    }

    /// The sound records; none when there is no index.
    ///
    /// @param arena that the filters live in
    /// @param bytes of the journal file
    static List<Block> read(Path index, long bytes, Arena arena) throws IOException {
        List<Block> blocks = new ArrayList<>();
        try (FileChannel channel = FileChannel.open(index)) {
            MemorySegment all = channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
            long at = 0;
            long end = 0;
            while (isSound(all, at, end, bytes)) {
                int filterBytes = all.get(INT, at + 4);
                end = all.get(LONG, at + 16);
                blocks.add(new Block(
                        all.get(LONG, at + 8),
                        end,
                        all.get(LONG, at + 24),
                        new SmallFilter(all.asSlice(at + HEADER_BYTES, filterBytes))));
                at += HEADER_BYTES + filterBytes;
            }
        } catch (NoSuchFileException none) {
            return List.of();
        }
        return blocks;
    }

    private static boolean isSound(MemorySegment all, long at, long endBefore, long bytes) {
        if (all.byteSize() - at < HEADER_BYTES || all.get(INT, at) != MAGIC) {
            return false;
        }
        int filterBytes = all.get(INT, at + 4);
        long from = all.get(LONG, at + 8);
        long to = all.get(LONG, at + 16);
        return filterBytes > 0
                && filterBytes <= MAX_FILTER_BYTES
                && filterBytes % FilterSizing.LINE_BYTES == 0
                && all.byteSize() - at - HEADER_BYTES >= filterBytes
                && from >= endBefore
                && from < to
                && to <= bytes
                && all.get(LONG, at + CHECKED_BYTES) == check(all.asSlice(at, HEADER_BYTES + filterBytes), filterBytes);
    }

    private static long check(MemorySegment record, int filterBytes) {
        CRC32 crc = new CRC32();
        crc.update(record.asSlice(0, CHECKED_BYTES).asByteBuffer());
        crc.update(record.asSlice(HEADER_BYTES, filterBytes).asByteBuffer());
        return crc.getValue();
    }
}
