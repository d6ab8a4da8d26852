package org.bloomgate.lists.sort;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;
import org.bloomgate.base.concurrent.TaskResult;

/// Writes sorted records to a file. Records of the same key and source are combined into one with the larger
/// count. Another thread writes one buffer while the next one is filled; a failure there is thrown by a later
/// call. Used by one thread.
///
/// Bytes of a record: length of the key, 0 for the key of the previous record; the key; source; count. Numbers
/// are in groups of seven bits, least significant first.
public final class RunWriter implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 18;

    private final OutputStream out;
    private byte[] buffer = new byte[BUFFER_BYTES];
    private byte[] otherBuffer = new byte[BUFFER_BYTES];
    private Optional<FutureTask<Boolean>> pendingWrite = Optional.empty();
    private final byte[] key = new byte[SortBuffer.MAX_KEY_BYTES];
    private int usedBytes;
    private int keyLength;
    private int source = -1;
    private long count;
    private boolean sameKey;
    private boolean closed;

    public RunWriter(Path file) throws IOException {
        out = Files.newOutputStream(file);
    }

    /// Appends a record that sorts at or after the previous one.
    ///
    /// @return whether it has another key
    public boolean add(byte[] bytes, int from, int to, int source, long count) throws IOException {
        boolean isSameKey = this.source >= 0 && Arrays.equals(key, 0, keyLength, bytes, from, to);
        if (isSameKey && this.source == source) {
            this.count = Math.max(this.count, count);
            return false;
        }
        writePending();
        if (!isSameKey) {
            keyLength = to - from;
            System.arraycopy(bytes, from, key, 0, keyLength);
        }
        sameKey = isSameKey;
        this.source = source;
        this.count = count;
        return !isSameKey;
    }

    private void writePending() throws IOException {
        if (source < 0) {
            return;
        }
        if (usedBytes + keyLength + 32 > buffer.length) {
            flush();
        }
        put(sameKey ? 0 : keyLength);
        if (!sameKey) {
            System.arraycopy(key, 0, buffer, usedBytes, keyLength);
            usedBytes += keyLength;
        }
        put(source);
        put(count);
    }

    private void put(long number) {
        long rest = number;
        while (rest >>> 7 != 0) {
            buffer[usedBytes++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        buffer[usedBytes++] = (byte) rest;
    }

    private void flush() throws IOException {
        awaitWriting();
        byte[] full = buffer;
        int length = usedBytes;
        FutureTask<Boolean> task = new FutureTask<>(() -> write(full, length));
        pendingWrite = Optional.of(task);
        buffer = otherBuffer;
        otherBuffer = full;
        usedBytes = 0;
        ForkJoinPool.commonPool().execute(task);
    }

    private boolean write(byte[] bytes, int length) throws IOException {
        out.write(bytes, 0, length);
        return true;
    }

    /// Waits for the other thread, or writes on this thread if that has not begun.
    private void awaitWriting() throws IOException {
        if (pendingWrite.isPresent()) {
            FutureTask<Boolean> task = pendingWrite.get();
            pendingWrite = Optional.empty();
            task.run();
            boolean _ = TaskResult.await(task, "a run was written");
        }
    }

    /// Writes the rest and closes the file.
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try (out) {
            writePending();
            source = -1;
            awaitWriting();
            boolean _ = write(buffer, usedBytes);
        }
    }
}
