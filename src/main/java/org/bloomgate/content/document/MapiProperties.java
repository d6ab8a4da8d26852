package org.bloomgate.content.document;

import org.bloomgate.content.archive.LittleEndian;

/// Reads a list of properties in TNEF (MS-OXTNEF 2.1.3.4): numbers are skipped, texts and bytes are passed on.
/// An unknown type ends the list, because its length is unknown too, and is the limit `opaque`.
final class MapiProperties {
    static final int OBJECT = 0x0d;
    static final int UNICODE = 0x1f;
    private static final int TEXT = 0x1e;
    private static final int BINARY = 0x102;
    private static final int MULTIPLE = 0x1000;
    private static final int NAMED = 0x8000;

    interface Sink {
        void property(int id, int type, int from, int to);

        /// Called if some properties could not be read.
        void unread();
    }

    private final byte[] bytes;
    private final int length;
    private final Sink sink;

    MapiProperties(byte[] bytes, int length, Sink sink) {
        this.bytes = bytes;
        this.length = length;
        this.sink = sink;
    }

    void read(int from) {
        long left = LittleEndian.four(bytes, length, from);
        int at = from + 4;
        while (left-- > 0 && at >= 0 && at + 4 < length) {
            int type = LittleEndian.two(bytes, length, at);
            int id = LittleEndian.two(bytes, length, at + 2);
            at = values(id, type, id < NAMED ? at + 4 : afterName(at + 4));
        }
        if (left >= 0) {
            sink.unread();
        }
    }

    private int afterName(int at) {
        boolean text = LittleEndian.four(bytes, length, at + 16) == 1;
        return at + 24 + (text ? padded(LittleEndian.four(bytes, length, at + 20)) : 0);
    }

    /// @return the position after the values; -1 for an unknown type
    private int values(int id, int type, int from) {
        int single = type & ~MULTIPLE;
        boolean varies = single == OBJECT || single == UNICODE || single == TEXT || single == BINARY;
        boolean counted = varies || single != type;
        long count = counted ? LittleEndian.four(bytes, length, from) : 1;
        int at = counted ? from + 4 : from;
        if (!varies) {
            return size(single) < 0 || count > length ? -1 : (int) Math.min(length, at + count * size(single));
        }
        while (count-- > 0 && at + 4 <= length) {
            long size = LittleEndian.four(bytes, length, at);
            int value = at + 4;
            sink.property(id, single, value, (int) Math.min(length, value + size));
            at = Math.min(length, value + padded(size));
        }
        return at;
    }

    private int padded(long byteCount) {
        return (int) Math.min(length, (byteCount + 3) / 4 * 4);
    }

    private static int size(int type) {
        return switch (type) {
            case 0x02, 0x03, 0x04, 0x0a, 0x0b -> 4;
            case 0x05, 0x06, 0x07, 0x14, 0x40 -> 8;
            case 0x48 -> 16;
            default -> -1;
        };
    }
}
