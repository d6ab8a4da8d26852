package org.bloomgate.content.mime;

import java.lang.ref.WeakReference;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/// Buffers for messages with much text. One of each kind is kept for the next such message, until a full
/// garbage collection frees it: if each message allocated its own, they would soon fill most of the old
/// generation of the heap. Thread-safe.
final class LargeBuffers {
    /// The text of one part at the usual limits; larger buffers are not kept.
    static final int KEPT_BYTES = 4 << 20;

    /// The same in chars, with space for the remainder of a decoder.
    static final int KEPT_CHARS = KEPT_BYTES + 1024;

    private final Spare<byte[]> bytes = new Spare<>();
    private final Spare<char[]> chars = new Spare<>();

    /// A buffer of at least this many bytes; its content is undefined.
    byte[] takeBytes(int size) {
        return bytes.take().filter(buffer -> buffer.length >= size).orElseGet(() -> new byte[size]);
    }

    /// A buffer of at least this many chars; its content is undefined.
    char[] takeChars(int size) {
        return chars.take().filter(buffer -> buffer.length >= size).orElseGet(() -> new char[size]);
    }

    /// Returns a buffer, which the caller must not use any more.
    void giveBack(byte[] buffer) {
        if (buffer.length <= KEPT_BYTES) {
            bytes.keep(buffer);
        }
    }

    /// Returns a buffer, which the caller must not use any more.
    void giveBack(char[] buffer) {
        if (buffer.length <= KEPT_CHARS) {
            chars.keep(buffer);
        }
    }

    private static final class Spare<T> {
        private final AtomicReference<Optional<WeakReference<T>>> spare = new AtomicReference<>(Optional.empty());

        Optional<T> take() {
            return spare.getAndSet(Optional.empty()).flatMap(weak -> Optional.ofNullable(weak.get()));
        }

        void keep(T buffer) {
            spare.set(Optional.of(new WeakReference<>(buffer)));
        }
    }
}
