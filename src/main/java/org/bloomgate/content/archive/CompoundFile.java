package org.bloomgate.content.archive;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;

/// Reads the streams of a compound file (MS-CFB): old Office documents, messages of Outlook, installers, macros. A
/// stream is a chain of sectors anywhere in the file. Each sector is read once, so all streams together are not longer
/// than the file.
///
/// A chain that leads to a sector twice, out of the file, or to its end before the stated size, and a header that is
/// damaged, are the limit `opaque`; the bytes before the damage are read.
public final class CompoundFile {
    public static final String MAGIC = "\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1";

    /// Larger numbers do not denote sectors; this one is the end of a chain.
    private static final long END_OF_CHAIN = 0xffff_fffeL;

    private static final long FREE = 0xffff_ffffL;

    /// Numbers of sectors of the table in the header.
    private static final int TABLE_AT = 76;

    private static final int SECTORS_IN_HEADER = 109;
    private static final int ENTRY_BYTES = 128;

    /// Heap of an entry with its name.
    private static final int ENTRY_HEAP_BYTES = 200;

    private static final int NAME_BYTES = 64;
    private static final int STORAGE = 1;
    private static final int STREAM = 2;
    private static final int ROOT = 5;

    /// Binary logarithms of the sizes of sectors.
    private static final int SMALL_SHIFT = 6;

    private static final int SHIFT = 9;
    private static final int LARGE_SHIFT = 12;

    /// A storage or a stream.
    ///
    /// @param number of the entry
    /// @param storage number of the storage that contains it; 0 is the root
    /// @param size of a stream in bytes, as stated
    public record Entry(int number, int storage, String name, boolean isStream, long start, long size) {}

    private final byte[] file;
    private final int length;
    private final Allowance allowance;
    private final Sectors sectors;
    private final List<Entry> entries = new ArrayList<>();
    private Sectors smallSectors;
    private boolean isDamaged;

    private CompoundFile(byte[] file, int length, Allowance allowance) {
        this.file = file;
        this.length = length;
        this.allowance = allowance;
        int shift = LittleEndian.two(file, length, 30) == LARGE_SHIFT ? LARGE_SHIFT : SHIFT;
        this.sectors = new Sectors(file, length, 1 << shift, shift);
        this.smallSectors = new Sectors(file, 0, 0, SMALL_SHIFT);
    }

    /// Reads the tables and the directory. Their heap is not given back.
    public static CompoundFile open(byte[] bytes, int length, Allowance allowance) {
        CompoundFile compound = new CompoundFile(bytes, length, allowance);
        if (LittleEndian.two(bytes, length, 30) != compound.sectors.shift
                || LittleEndian.two(bytes, length, 32) != SMALL_SHIFT) {
            compound.damage();
        }
        compound.readTable();
        compound.readDirectory();
        return compound;
    }

    /// All storages and streams, also those to which the tree of the directory does not lead, which count as streams of
    /// the root.
    public List<Entry> entries() {
        return entries;
    }

    /// The bytes of a stream; fewer than its size if it is damaged. Can be read once. The caller gives back their heap.
    public byte[] read(Entry stream) {
        boolean isSmall = stream.size() < LittleEndian.four(file, length, 56);
        return (isSmall ? smallSectors : sectors).read(stream.start(), stream.size());
    }

    /// Whether something could not be read so far.
    public boolean isDamaged() {
        return isDamaged;
    }

    /// The position after the last sector that was read.
    public int end() {
        return (int) Math.min(length, sectors.position(sectors.used.length()));
    }

    private void damage() {
        isDamaged = true;
        allowance.reached(Limit.OPAQUE);
    }

    /// Reads the table of chains from the sectors whose numbers are in the header and, for large files, in a list of
    /// sectors.
    private void readTable() {
        int[] table = allocateTable(sectors.count);
        int filled = 0;
        int at = TABLE_AT;
        int left = SECTORS_IN_HEADER;
        long nextList = LittleEndian.four(file, length, 68);
        while (filled < table.length) {
            if (left == 0) {
                if (!sectors.claim(nextList)) {
                    break;
                }
                at = (int) sectors.position(nextList);
                left = (1 << sectors.shift) / 4 - 1;
                nextList = LittleEndian.four(file, length, at + 4 * left);
            }
            long number = LittleEndian.four(file, length, at);
            if (number == FREE) {
                break;
            }
            if (!sectors.claim(number)) {
                damage();
                break;
            }
            int from = (int) sectors.position(number);
            for (int i = 0; i < 1 << sectors.shift && filled < table.length; i += 4) {
                table[filled++] = (int) LittleEndian.four(file, length, from + i);
            }
            at += 4;
            left--;
        }
        sectors.next = table;
    }

    private int[] allocateTable(int count) {
        int[] table = new int[allowance.takeHeap(Limit.ARCHIVE_BYTES, 4L * count) ? count : 0];
        Arrays.fill(table, (int) FREE);
        return table;
    }

    private void readDirectory() {
        byte[] directory = sectors.read(LittleEndian.four(file, length, 48), Integer.MAX_VALUE);
        int count = directory.length / ENTRY_BYTES;
        if (count == 0) {
            damage();
        }
        if (count == 0 || !allowance.takeHeap(Limit.ARCHIVE_BYTES, (long) count * ENTRY_HEAP_BYTES)) {
            return;
        }
        int[] storages = findStorages(directory, count);
        for (int i = 1; i < count; i++) {
            int at = i * ENTRY_BYTES;
            int type = directory[at + 66];
            if (type == STREAM || type == STORAGE) {
                int nameBytes = Math.clamp(number(directory, at + 64) & 0xffff, 2, NAME_BYTES) - 2;
                String name = new String(directory, at, nameBytes, StandardCharsets.UTF_16LE);
                long size = number(directory, at + 120);
                entries.add(new Entry(i, storages[i], name, type == STREAM, number(directory, at + 116), size));
            }
        }
        readSmallSectors(number(directory, 116), number(directory, 120));
    }

    /// The storage of each entry, by the trees of siblings (left, right) below each storage (child).
    private static int[] findStorages(byte[] directory, int count) {
        int[] storages = new int[count];
        BitSet found = new BitSet(count);
        Deque<Long> siblings = new ArrayDeque<>();
        for (int i = 0; i < count; i++) {
            int type = directory[i * ENTRY_BYTES + 66];
            if (type == STORAGE || type == ROOT) {
                siblings.push(number(directory, i * ENTRY_BYTES + 76));
            }
            while (!siblings.isEmpty()) {
                long entry = siblings.pop();
                if (entry > 0 && entry < count && !found.get((int) entry)) {
                    found.set((int) entry);
                    storages[(int) entry] = i;
                    siblings.push(number(directory, (int) entry * ENTRY_BYTES + 68));
                    siblings.push(number(directory, (int) entry * ENTRY_BYTES + 72));
                }
            }
        }
        return storages;
    }

    private static long number(byte[] directory, int at) {
        return LittleEndian.four(directory, directory.length, at);
    }

    /// Small streams are chains of small sectors in the stream of the root.
    private void readSmallSectors(long start, long size) {
        if (size == 0) {
            return;
        }
        byte[] table = sectors.read(LittleEndian.four(file, length, 60), Integer.MAX_VALUE);
        byte[] container = sectors.read(start, size);
        smallSectors = new Sectors(container, container.length, 0, SMALL_SHIFT);
        smallSectors.next = allocateTable(Math.min(smallSectors.count, table.length / 4));
        for (int i = 0; i < smallSectors.next.length; i++) {
            smallSectors.next[i] = (int) LittleEndian.four(table, table.length, 4 * i);
        }
    }

    /// Sectors of one size, and the table of their chains.
    private final class Sectors {
        final byte[] bytes;
        final int length;

        /// The position of the first sector.
        final int first;

        final int shift;
        final int count;
        final BitSet used = new BitSet();
        int[] next = new int[0];

        Sectors(byte[] bytes, int length, int first, int shift) {
            this.bytes = bytes;
            this.length = length;
            this.first = first;
            this.shift = shift;
            this.count = Math.ceilDiv(Math.max(0, length - first), 1 << shift);
        }

        long position(long sector) {
            return first + (sector << shift);
        }

        long findNext(long sector) {
            return sector < next.length ? next[(int) sector] & FREE : FREE;
        }

        /// Whether the sector exists and was not read before; it is paid for.
        boolean claim(long sector) {
            if (sector >= count || used.get((int) sector) || !allowance.spend(1L << shift)) {
                return false;
            }
            used.set((int) sector);
            return true;
        }

        /// Reads a chain up to this size, or [Integer#MAX_VALUE] for one that ends where its last sector ends.
        byte[] read(long start, long size) {
            long sector = start;
            int chained = 0;
            while ((long) chained << shift < size && claim(sector)) {
                chained++;
                sector = findNext(sector);
            }
            int available = (int) Math.min(size, (long) chained << shift);
            boolean hasEnd = sector == END_OF_CHAIN || (chained == 0 && sector == FREE);
            boolean isWhole = size == Integer.MAX_VALUE ? hasEnd : available == size;
            if (!allowance.takeHeap(Limit.ARCHIVE_BYTES, available)) {
                return new byte[0];
            }
            byte[] content = new byte[available];
            sector = start;
            for (int to = 0; to < available; to += 1 << shift) {
                int from = (int) position(sector);
                int present = Math.min(Math.min(1 << shift, available - to), length - from);
                isWhole &= present == Math.min(1 << shift, available - to) || size == Integer.MAX_VALUE;
                System.arraycopy(bytes, from, content, to, present);
                sector = findNext(sector);
            }
            if (!isWhole) {
                damage();
            }
            return content;
        }
    }
}
