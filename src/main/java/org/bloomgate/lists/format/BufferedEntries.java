package org.bloomgate.lists.format;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;

/// Buffers the events of lines, in order, until those of the lines before them were passed on. Keys need no
/// object each. Not thread-safe.
final class BufferedEntries implements FeedSink {
    /// Somewhat more than the keys of a chunk, unless lines have many keys.
    static final int MAX_KEYS = 1 << 17;

    static final int MAX_KEY_BYTES = 4 << 20;

    /// The bound for other events, which are few and need objects.
    static final int MAX_OTHERS = 1 << 12;

    private static final int LENGTH_BITS = 24;
    private static final int KIND_BITS = 8;

    /// The line, the key's size and the kind of each event; no kind for events in `others`.
    private long[] heads = new long[1 << 12];

    private long[] counts = new long[1 << 12];
    private byte[] bytes = new byte[1 << 16];
    private final List<Other> others = new ArrayList<>();
    private int size;
    private int used;

    /// Thrown if the buffer is full: the lines have to be read again.
    static final class Full extends RuntimeException {
        private static final long serialVersionUID = 1;

        private Full() {
            super("", null, false, false);
        }
    }

    private sealed interface Other {
        void passTo(FeedSink sink, long line);

        record Rejected(String reason, String excerpt) implements Other {
            @Override
            public void passTo(FeedSink sink, long line) {
                sink.reject(line, reason, excerpt);
            }
        }

        record Held(String reason, Key key) implements Other {
            @Override
            public void passTo(FeedSink sink, long line) {
                sink.held(line, reason, key);
            }
        }

        record Excepted(Key key) implements Other {
            @Override
            public void passTo(FeedSink sink, long line) {
                sink.except(line, key);
            }
        }
    }

    void clear() {
        size = 0;
        used = 0;
        others.clear();
    }

    @Override
    public void key(long line, Key key, long count) {
        byte[] own = key.bytes();
        key(line, key.kind(), own, 0, own.length, count);
    }

    @Override
    public void key(long line, KeyKind kind, byte[] from, int start, int end, long count) {
        int length = end - start;
        if (used + length > bytes.length) {
            if (used + length > MAX_KEY_BYTES) {
                throw new Full();
            }
            bytes = Arrays.copyOf(bytes, Math.min(MAX_KEY_BYTES, Math.max(used + length, bytes.length * 2)));
        }
        System.arraycopy(from, start, bytes, used, length);
        used += length;
        event(line, length, kind.wireCode(), count);
    }

    private void event(long line, int length, int kindCode, long count) {
        if (size == heads.length) {
            if (size == MAX_KEYS) {
                throw new Full();
            }
            heads = Arrays.copyOf(heads, size * 2);
            counts = Arrays.copyOf(counts, size * 2);
        }
        heads[size] = (line << LENGTH_BITS | length) << KIND_BITS | kindCode;
        counts[size++] = count;
    }

    @Override
    public void reject(long line, String reason, String excerpt) {
        other(line, new Other.Rejected(reason, excerpt));
    }

    @Override
    public void held(long line, String reason, Key key) {
        other(line, new Other.Held(reason, key));
    }

    @Override
    public void except(long line, Key key) {
        other(line, new Other.Excepted(key));
    }

    private void other(long line, Other other) {
        if (others.size() == MAX_OTHERS) {
            throw new Full();
        }
        others.add(other);
        event(line, 0, 0, 0);
    }

    /// Passes on all events in order.
    ///
    /// @param before number of lines before the first one of these
    void passTo(FeedSink sink, long before) {
        int at = 0;
        int other = 0;
        KeyKind kind = KeyKind.DOMAIN;
        for (int i = 0; i < size; i++) {
            long head = heads[i];
            long line = before + (head >>> (LENGTH_BITS + KIND_BITS));
            int kindCode = (int) head & (1 << KIND_BITS) - 1;
            if (kindCode == 0) {
                others.get(other++).passTo(sink, line);
            } else {
                int end = at + ((int) (head >>> KIND_BITS) & (1 << LENGTH_BITS) - 1);
                kind = kind.wireCode() == kindCode
                        ? kind
                        : KeyKind.ofWireCode(kindCode).orElseThrow();
                sink.key(line, kind, bytes, at, end, counts[i]);
                at = end;
            }
        }
    }
}
