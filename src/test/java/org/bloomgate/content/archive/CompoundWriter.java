package org.bloomgate.content.archive;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// Writes compound files (MS-CFB) whose sectors are in any order.
public final class CompoundWriter {
    private static final int END = -2;
    private static final int FREE = -1;
    private static final int TABLE = -3;
    private static final int TABLE_LIST = -4;
    private static final int SMALL_BYTES = 64;
    private static final int CUTOFF = 4096;
    private static final int HEADER_NUMBERS = 109;

    private final Random random;
    private final int sectorBytes;
    private final Map<String, byte[]> streams = new LinkedHashMap<>();

    /// @param shift of the size of a sector: 9, or 12
    public CompoundWriter(Random random, int shift) {
        this.random = random;
        this.sectorBytes = 1 << shift;
    }

    public CompoundWriter() {
        this(new Random(1), 9);
    }

    /// @param path names of storages and of the stream, with a slash between them
    public CompoundWriter add(String path, byte[] content) {
        streams.put(path, content);
        return this;
    }

    public CompoundWriter add(String path, String content) {
        return add(path, content.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static final class Entry {
        final String name;
        final int type;
        int sibling = FREE;
        int child = FREE;
        int start = END;
        int size;

        Entry(String name, int type) {
            this.name = name;
            this.type = type;
        }
    }

    public byte[] write() {
        List<Entry> entries = new ArrayList<>(List.of(new Entry("Root Entry", 5)));
        Map<String, Integer> numbers = new LinkedHashMap<>(Map.of("", 0));
        List<byte[]> large = new ArrayList<>();
        List<Entry> ofLarge = new ArrayList<>();
        List<byte[]> small = new ArrayList<>();
        List<Entry> ofSmall = new ArrayList<>();
        streams.forEach((path, content) -> {
            int slash = path.lastIndexOf('/');
            Entry entry =
                    addEntry(path.substring(0, Math.max(0, slash)), path.substring(slash + 1), 2, entries, numbers);
            entry.size = content.length;
            if (content.length > 0) {
                (content.length < CUTOFF ? small : large).add(content);
                (content.length < CUTOFF ? ofSmall : ofLarge).add(entry);
            }
        });
        int[] smallTable = new int
                [small.stream().mapToInt(content -> count(content, SMALL_BYTES)).sum()];
        byte[] container = new byte[smallTable.length * SMALL_BYTES];
        chain(small, ofSmall, shuffled(smallTable.length), smallTable, container, 0, SMALL_BYTES);
        Entry root = entries.getFirst();
        root.size = container.length;
        byte[] smallNumbers = new byte[4 * smallTable.length];
        Arrays.stream(smallTable).forEach(ByteBuffer.wrap(smallNumbers).order(ByteOrder.LITTLE_ENDIAN)::putInt);
        Entry directory = new Entry("", 0);
        Entry smallNumbersEntry = new Entry("", 0);
        large.addAll(List.of(container, smallNumbers, new byte[entries.size() * 128]));
        ofLarge.addAll(List.of(root, smallNumbersEntry, directory));
        return write(large, ofLarge, entries);
    }

    private byte[] write(List<byte[]> large, List<Entry> ofLarge, List<Entry> entries) {
        int data =
                large.stream().mapToInt(content -> count(content, sectorBytes)).sum();
        int perSector = sectorBytes / 4;
        int tables = 0;
        int lists = 0;
        while (tables * perSector < data + tables + lists) {
            tables++;
            lists = Math.ceilDiv(Math.max(0, tables - HEADER_NUMBERS), perSector - 1);
        }
        int total = data + tables + lists;
        List<Integer> order = shuffled(total);
        int[] table = new int[tables * perSector];
        Arrays.fill(table, FREE);
        ByteBuffer file = ByteBuffer.allocate((total + 1) * sectorBytes).order(ByteOrder.LITTLE_ENDIAN);
        int first = sectorBytes;
        chain(large, ofLarge, order.subList(0, data), table, file.array(), first, sectorBytes);
        writeDirectory(entries, ofLarge.getLast().start, table, file, first);
        writeHeader(file, ofLarge, tables, lists, order.subList(data, total), first, table);
        return file.array();
    }

    private void writeDirectory(List<Entry> entries, int start, int[] table, ByteBuffer file, int first) {
        ByteBuffer directory = ByteBuffer.allocate(count(new byte[entries.size() * 128], sectorBytes) * sectorBytes)
                .order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < entries.size(); i++) {
            Entry entry = entries.get(i);
            byte[] name = entry.name.getBytes(StandardCharsets.UTF_16LE);
            boolean left = random.nextBoolean();
            directory.put(i * 128, name).putShort(i * 128 + 64, (short) (name.length + 2));
            directory.put(i * 128 + 66, (byte) entry.type).put(i * 128 + 67, (byte) 1);
            directory
                    .putInt(i * 128 + 68, left ? entry.sibling : FREE)
                    .putInt(i * 128 + 72, left ? FREE : entry.sibling);
            directory.putInt(i * 128 + 76, entry.child).putInt(i * 128 + 116, entry.start);
            directory.putInt(i * 128 + 120, entry.size);
        }
        int sector = start;
        for (int from = 0; from < directory.capacity(); from += sectorBytes) {
            file.put(first + sector * sectorBytes, directory.array(), from, sectorBytes);
            sector = table[sector];
        }
    }

    private void writeHeader(
            ByteBuffer file, List<Entry> ofLarge, int tables, int lists, List<Integer> order, int first, int[] table) {
        file.put(0, CompoundFile.MAGIC.getBytes(StandardCharsets.ISO_8859_1));
        file.putShort(26, (short) (sectorBytes == 4096 ? 4 : 3)).putShort(28, (short) 0xfffe);
        file.putShort(30, (short) Integer.numberOfTrailingZeros(sectorBytes)).putShort(32, (short) 6);
        file.putInt(44, tables).putInt(48, ofLarge.getLast().start).putInt(56, CUTOFF);
        file.putInt(60, ofLarge.get(ofLarge.size() - 2).start).putInt(68, lists == 0 ? END : order.get(tables));
        file.putInt(72, lists);
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < HEADER_NUMBERS; i++) {
            file.putInt(76 + 4 * i, FREE);
            places.add(76 + 4 * i);
        }
        for (int i = 0; i < lists; i++) {
            int list = order.get(tables + i);
            table[list] = TABLE_LIST;
            for (int at = 0; at + 4 < sectorBytes; at += 4) {
                file.putInt(first + list * sectorBytes + at, FREE);
                places.add(first + list * sectorBytes + at);
            }
            file.putInt(first + (list + 1) * sectorBytes - 4, i + 1 < lists ? order.get(tables + i + 1) : END);
        }
        for (int i = 0; i < tables; i++) {
            table[order.get(i)] = TABLE;
            file.putInt(places.get(i), order.get(i));
        }
        for (int i = 0; i < table.length; i++) {
            int perSector = sectorBytes / 4;
            file.putInt(first + order.get(i / perSector) * sectorBytes + i % perSector * 4, table[i]);
        }
    }

    private Entry addEntry(String folder, String name, int type, List<Entry> entries, Map<String, Integer> numbers) {
        if (!numbers.containsKey(folder)) {
            int slash = folder.lastIndexOf('/');
            addEntry(folder.substring(0, Math.max(0, slash)), folder.substring(slash + 1), 1, entries, numbers);
            numbers.put(folder, entries.size() - 1);
        }
        Entry entry = new Entry(name, type);
        Entry storage = entries.get(numbers.get(folder));
        entry.sibling = storage.child;
        storage.child = entries.size();
        entries.add(entry);
        return entry;
    }

    private static void chain(
            List<byte[]> contents,
            List<Entry> owners,
            List<Integer> order,
            int[] table,
            byte[] to,
            int first,
            int size) {
        int taken = 0;
        for (int i = 0; i < contents.size(); i++) {
            byte[] content = contents.get(i);
            int sectors = count(content, size);
            owners.get(i).start = sectors == 0 ? END : order.get(taken);
            for (int j = 0; j < sectors; j++, taken++) {
                table[order.get(taken)] = j + 1 < sectors ? order.get(taken + 1) : END;
                int from = j * size;
                System.arraycopy(
                        content, from, to, first + order.get(taken) * size, Math.min(size, content.length - from));
            }
        }
    }

    private List<Integer> shuffled(int count) {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            order.add(i);
        }
        Collections.shuffle(order, random);
        return order;
    }

    private static int count(byte[] content, int size) {
        return Math.ceilDiv(content.length, size);
    }
}
