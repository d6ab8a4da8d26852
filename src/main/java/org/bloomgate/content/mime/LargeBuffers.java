package org.bloomgate.content.mime;

import java.lang.ref.WeakReference;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/// Buffers for mail with much text. One of each kind is kept for the next such mail, until a full collection
/// takes it: made again for each, they would soon be all that the heap's old objects are. Thread-safe.
final class LargeBuffers {
    /// The text of one part at the usual limits; larger buffers are not kept.
    static final int KEPT_BYTES = 4 << 20;

    /// The same in chars, with space for the remainder of a decoder.
    static final int KEPT_CHARS = KEPT_BYTES + 1024;

    private final Spare<byte[]> bytes = new Spare<>();
    private final Spare<char[]> chars = new Spare<>();

    /// One of at least this many bytes, with what it held last.
    byte[] bytes(int size) {
        return bytes.take().filter(kept -> kept.length >= size).orElseGet(() -> new byte[size]);
    }

    /// One of at least this many chars, with what it held last.
    char[] chars(int size) {
        return chars.take().filter(kept -> kept.length >= size).orElseGet(() -> new char[size]);
    }

    /// Nobody uses it any more.
    void giveBack(byte[] buffer) {
        if (buffer.length <= KEPT_BYTES) {
            bytes.keep(buffer);
        }
    }

    /// Nobody uses it any more.
    void giveBack(char[] buffer) {
        if (buffer.length <= KEPT_CHARS) {
            chars.keep(buffer);
        }
    }

    private static final class Spare<T> {
        private final AtomicReference<Optional<WeakReference<T>>> kept = new AtomicReference<>(Optional.empty());

        Optional<T> take() {
            return kept.getAndSet(Optional.empty()).flatMap(weak -> Optional.ofNullable(weak.get()));
        }

        void keep(T buffer) {
            kept.set(Optional.of(new WeakReference<>(buffer)));
        }
    }
}
