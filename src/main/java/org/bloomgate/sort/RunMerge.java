package org.bloomgate.sort;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Reads several runs as one sorted sequence: a binary heap of readers, the one with the least record on top.
final class RunMerge implements AutoCloseable {
    private static final byte[] NONE = {};

    private final List<RunReader> all = new ArrayList<>();
    private final RunReader[] heap;
    private final byte[] end;
    private int size;
    private boolean started;

    /// A run from an octet on, where a record with a key of its own begins.
    record Part(Path file, long from) {}

    /// @param memoryBytes for all read buffers together
    RunMerge(List<Path> runs, long memoryBytes) throws IOException {
        this(runs.stream().map(run -> new Part(run, 0)).toList(), NONE, NONE, memoryBytes);
    }

    /// @param start of the keys that are shown: those before it are left out
    /// @param end before which they end; empty when they do not
    RunMerge(List<Part> runs, byte[] start, byte[] end, long memoryBytes) throws IOException {
        this.end = end;
        int bufferBytes = Math.clamp(memoryBytes / Math.max(1, runs.size()), 1 << 12, 1 << 20);
        heap = new RunReader[runs.size()];
        try {
            for (Part run : runs) {
                RunReader reader = new RunReader(run.file(), run.from(), bufferBytes);
                all.add(reader);
                if (moveTo(start, reader)) {
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

    private boolean moveTo(byte[] start, RunReader reader) throws IOException {
        boolean there = next(reader);
        while (there && reader.isBefore(start)) {
            there = next(reader);
        }
        return there;
    }

    private boolean next(RunReader reader) throws IOException {
        return reader.next() && (end.length == 0 || reader.isBefore(end));
    }

    /// Moves to the next record; false after the last.
    boolean next() throws IOException {
        if (started && size > 0) {
            if (!next(heap[0])) {
                heap[0] = heap[--size];
            }
            siftDown(0);
        }
        started = true;
        return size > 0;
    }

    /// Stands at the current record.
    RunReader record() {
        return heap[0];
    }

    private void siftDown(int from) {
        RunReader reader = heap[from];
        int at = from;
        while (2 * at + 1 < size) {
            int child = 2 * at + 1;
            if (child + 1 < size && heap[child + 1].isBefore(heap[child])) {
                child++;
            }
            if (!heap[child].isBefore(reader)) {
                break;
            }
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = reader;
    }

    @Override
    public void close() throws IOException {
        for (RunReader reader : all) {
            reader.close();
        }
    }
}
