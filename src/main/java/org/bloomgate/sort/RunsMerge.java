package org.bloomgate.sort;

import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/// Merges runs into one, or into two that two threads write at the same time: the keys before one of them, and that key
/// with those behind it.
final class RunsMerge {
    /// Records between two reports of progress.
    private static final int TICK = 1 << 16;

    private final List<SortedRun> runs;
    private final BitSet dropped;
    private final long memoryBytes;
    private final AtomicLong done = new AtomicLong();
    private volatile boolean ended;

    RunsMerge(List<SortedRun> runs, BitSet dropped, long memoryBytes) {
        this.runs = List.copyOf(runs);
        this.dropped = dropped;
        this.memoryBytes = memoryBytes;
    }

    /// Records so far, in all parts.
    long done() {
        return done.get();
    }

    /// Lets a part that is still merged break off.
    void end() {
        ended = true;
    }

    SortedRun all(Path into, LongConsumer progress) throws IOException {
        List<Path> files = runs.stream().map(SortedRun::file).toList();
        return write(new RunMerge(files, memoryBytes / 4), into, progress);
    }

    /// Of the keys before one.
    FutureTask<SortedRun> below(byte[] key, Path into) {
        List<RunMerge.Part> parts =
                runs.stream().map(run -> new RunMerge.Part(run.file(), 0)).toList();
        return new FutureTask<>(
                () -> write(new RunMerge(parts, new byte[0], key, memoryBytes / 8), into, records -> {}));
    }

    /// Of a key and those behind it.
    SortedRun from(byte[] key, Path into, LongConsumer progress) throws IOException {
        List<RunMerge.Part> parts = runs.stream().map(run -> run.from(key)).toList();
        return write(new RunMerge(parts, key, new byte[0], memoryBytes / 8), into, progress);
    }

    private SortedRun write(RunMerge merge, Path file, LongConsumer progress) throws IOException {
        try (merge) {
            SortedRun.Open merged = new SortedRun.Open(file);
            try {
                write(merge, merged, progress);
            } finally {
                merged.end();
            }
            return merged.close();
        }
    }

    private void write(RunMerge merge, SortedRun.Open merged, LongConsumer progress) throws IOException {
        int records = 0;
        while (merge.next()) {
            RunReader record = merge.record();
            if (!dropped.get(record.source())) {
                merged.add(record.key(), record.keyLength(), record.source(), record.count());
            }
            if (++records == TICK) {
                progress.accept(done.addAndGet(records));
                records = 0;
                if (ended) {
                    throw new CancellationException("the other part of the keys is not merged");
                }
            }
        }
    }
}
