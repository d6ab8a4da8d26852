package org.bloomgate.lists.format;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;

/// Buffers the events of a chunk of lines until the events of all earlier lines have been passed on. A key is stored
/// without an object of its own. Not thread-safe.
final class BufferedEntries implements FeedSink {
    /// Somewhat more than the keys of a chunk, unless lines have many keys.
    static final int MAX_EVENTS = 1 << 17;

    static final int MAX_KEY_BYTES = 4 << 20;

    /// The bound for other events, which are few and need objects.
    static final int MAX_OTHERS = 1 << 12;

    private static final int LENGTH_BITS = 24;
    private static final int KIND_BITS = 8;

    /// Added to the kind of a domain of which only the names below are listed. The codes of kinds are lower.
    private static final int BELOW = 1 << (KIND_BITS - 1);

    /// The line, the key's size and the kind of each event; no kind for events in `others`.
    private long[] heads = new long[1 << 12];

    private long[] counts = new long[1 << 12];
    private byte[] bytes = new byte[1 << 16];
    private final List<OtherEvent> others = new ArrayList<>();
    private int size;
    private int usedBytes;

    /// Thrown if the buffer is full: the lines have to be read again.
    static final class FullException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private FullException() {
            super("", null, false, false);
        }
    }

    private sealed interface OtherEvent {
        void passTo(FeedSink sink, long line);

        record RejectedLine(String reason, String excerpt) implements OtherEvent {
            @Override
            public void passTo(FeedSink sink, long line) {
                sink.reject(line, reason, excerpt);
            }
        }

        record HeldKey(String reason, Key key) implements OtherEvent {
            @Override
            public void passTo(FeedSink sink, long line) {
                sink.hold(line, reason, key);
            }
        }

        record ExceptedKey(Key key) implements OtherEvent {
            @Override
            public void passTo(FeedSink sink, long line) {
                sink.except(line, key);
            }
        }
    }

    void clear() {
        size = 0;
        usedBytes = 0;
        others.clear();
    }

    @Override
    public void addKey(long line, Key key, long count) {
        byte[] keyBytes = key.bytes();
        addKey(line, key.kind(), keyBytes, 0, keyBytes.length, count);
    }

    @Override
    public void addKey(long line, KeyKind kind, byte[] source, int start, int end, long count) {
        addKey(line, kind.wireCode(), source, start, end, count);
    }

    @Override
    public void addBelow(long line, Key key) {
        byte[] keyBytes = key.bytes();
        addKey(line, key.kind().wireCode() | BELOW, keyBytes, 0, keyBytes.length, 0);
    }

    private void addKey(long line, int kindCode, byte[] source, int start, int end, long count) {
        int length = end - start;
        if (usedBytes + length > bytes.length) {
            if (usedBytes + length > MAX_KEY_BYTES) {
                throw new FullException();
            }
            bytes = Arrays.copyOf(bytes, Math.min(MAX_KEY_BYTES, Math.max(usedBytes + length, bytes.length * 2)));
        }
        System.arraycopy(source, start, bytes, usedBytes, length);
        usedBytes += length;
        addEvent(line, length, kindCode, count);
    }

    private void addEvent(long line, int length, int kindCode, long count) {
        if (size == heads.length) {
            if (size == MAX_EVENTS) {
                throw new FullException();
            }
            heads = Arrays.copyOf(heads, size * 2);
            counts = Arrays.copyOf(counts, size * 2);
        }
        heads[size] = (line << LENGTH_BITS | length) << KIND_BITS | kindCode;
        counts[size++] = count;
    }

    @Override
    public void reject(long line, String reason, String excerpt) {
        addOther(line, new OtherEvent.RejectedLine(reason, excerpt));
    }

    @Override
    public void hold(long line, String reason, Key key) {
        addOther(line, new OtherEvent.HeldKey(reason, key));
    }

    @Override
    public void except(long line, Key key) {
        addOther(line, new OtherEvent.ExceptedKey(key));
    }

    private void addOther(long line, OtherEvent other) {
        if (others.size() == MAX_OTHERS) {
            throw new FullException();
        }
        others.add(other);
        addEvent(line, 0, 0, 0);
    }

    /// Passes on all events in order.
    ///
    /// @param precedingLines number of lines before the first one of these
    void passTo(FeedSink sink, long precedingLines) {
        int position = 0;
        int other = 0;
        KeyKind kind = KeyKind.DOMAIN;
        for (int i = 0; i < size; i++) {
            long head = heads[i];
            long line = precedingLines + (head >>> (LENGTH_BITS + KIND_BITS));
            int kindCode = (int) head & (1 << KIND_BITS) - 1;
            if (kindCode == 0) {
                others.get(other++).passTo(sink, line);
            } else {
                int end = position + ((int) (head >>> KIND_BITS) & (1 << LENGTH_BITS) - 1);
                int code = kindCode & ~BELOW;
                kind = kind.wireCode() == code ? kind : KeyKind.ofWireCode(code).orElseThrow();
                if (code == kindCode) {
                    sink.addKey(line, kind, bytes, position, end, counts[i]);
                } else {
                    sink.addBelow(line, Key.ofBytes(kind, bytes, position, end - position));
                }
                position = end;
            }
        }
    }
}
