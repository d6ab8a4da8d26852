package org.bloomgate.lists.sort;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Reads several runs as one sorted sequence, with a binary heap of readers: the one with the least record is
/// on top.
final class RunMerge implements AutoCloseable {
    private final List<RunReader> readers = new ArrayList<>();
    private final RunReader[] heap;
    private int size;
    private boolean started;

    /// @param memoryBytes for all read buffers together
    RunMerge(List<Path> runs, long memoryBytes) throws IOException {
        int bufferBytes = Math.clamp(memoryBytes / Math.max(1, runs.size()), 1 << 12, 1 << 20);
        heap = new RunReader[runs.size()];
        try {
            for (Path run : runs) {
                RunReader reader = new RunReader(run, bufferBytes);
                readers.add(reader);
                if (reader.next()) {
                    heap[size++] = reader;
                }
            }
        } catch (IOException e) {
            close();
            throw e;
        }
        for (int i = size / 2 - 1; i >= 0; i--) {
            siftDown(i);
        }
    }

    /// Moves to the next record; false after the last.
    boolean next() throws IOException {
        if (started && size > 0) {
            if (!heap[0].next()) {
                heap[0] = heap[--size];
            }
            siftDown(0);
        }
        started = true;
        return size > 0;
    }

    /// The reader of the current record.
    RunReader record() {
        return heap[0];
    }

    private void siftDown(int from) {
        RunReader reader = heap[from];
        int index = from;
        while (2 * index + 1 < size) {
            int child = 2 * index + 1;
            if (child + 1 < size && heap[child + 1].isBefore(heap[child])) {
                child++;
            }
            if (!heap[child].isBefore(reader)) {
                break;
            }
            heap[index] = heap[child];
            index = child;
        }
        heap[index] = reader;
    }

    @Override
    public void close() throws IOException {
        for (RunReader reader : readers) {
            reader.close();
        }
    }
}
