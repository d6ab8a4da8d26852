package org.bloomgate.sort;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;

/// Sorts more records than memory holds: full buffers become sorted runs on disk, one while the other is filled, and
/// runs are merged into one. What comes out does not depend on threads or memory.
///
/// Records that come in order, as those of a list that is sorted already do, are a run as they are: they are neither
/// kept nor sorted, and a single run is not merged.
///
/// Heap stays within the bound given, whatever the number of records; disk holds each record at most twice.
/// All files are in one folder, which the owner deletes. Not thread-safe.
public final class ExternalSort {
    /// Files open at once; more runs than this are merged in between.
    private static final int MAX_RUNS = 256;

    /// Records in order after which the next ones are a run as they come: for fewer a file would not pay.
    static final int IN_ORDER = 1 << 16;

    /// Records that are fetched from memory together.
    private static final int TOUCHED = 64;

    /// Between two looks at what another thread does.
    private static final long WAIT_MILLIS = 50;

    /// Marks of all runs from which on two threads merge a part each.
    static final int MARKS_WORTH_PARTS = 32;

    private final Path folder;
    private final long memoryBytes;
    private final Optional<Executor> threads;
    private SortBuffer buffer;
    private SortBuffer other;
    private Optional<FutureTask<SortedRun>> spilling = Optional.empty();
    private final List<SortedRun> runs = new ArrayList<>();
    private final Last last = new Last();
    private Optional<SortedRun.Open> ascending = Optional.empty();
    private int files;
    private long records;

    /// Sorts and merges on the thread that adds.
    public ExternalSort(Path folder, long memoryBytes) {
        this(folder, memoryBytes, Optional.empty());
    }

    /// @param threads sort one half of the memory and write it while the other one is filled, and merge the lower half
    ///     of the keys while the upper one is merged: each task on a thread of its own
    public ExternalSort(Path folder, long memoryBytes, Executor threads) {
        this(folder, memoryBytes, Optional.of(threads));
    }

    private ExternalSort(Path folder, long memoryBytes, Optional<Executor> threads) {
        this.folder = folder;
        this.memoryBytes = memoryBytes;
        this.threads = threads;
        buffer = new SortBuffer(memoryBytes / 2);
        other = new SortBuffer(memoryBytes / 2);
    }

    /// @param source 0 to 65,535, by which [#finish] can leave records out
    public void add(int kindCode, byte[] octets, int source, long count) throws IOException {
        add(kindCode, octets, 0, octets.length, source, count);
    }

    /// @param octets hold the key between the two positions
    public void add(int kindCode, byte[] octets, int from, int to, int source, long count) throws IOException {
        if (!last.isFollowedBy(kindCode, octets, from, to, source)) {
            endAscending();
        }
        if (ascending.isEmpty() && last.inOrder == IN_ORDER) {
            beginAscending();
        }
        if (ascending.isPresent()) {
            ascending.get().add(last.key, last.length, source, count);
        } else {
            keep(kindCode, octets, from, to, source, count);
        }
        records++;
    }

    private void keep(int kindCode, byte[] octets, int from, int to, int source, long count) throws IOException {
        if (!buffer.add(kindCode, octets, from, to, source, count)) {
            spill();
            if (!buffer.add(kindCode, octets, from, to, source, count)) {
                throw new IllegalStateException("an empty buffer takes no key of " + (to - from) + " octets");
            }
        }
    }

    /// Records added so far.
    public long records() {
        return records;
    }

    /// With what the buffer holds, when that is the beginning of the same order.
    private void beginAscending() throws IOException {
        SortedRun.Open run = new SortedRun.Open(nextFile());
        ascending = Optional.of(run);
        if (buffer.size() <= IN_ORDER) {
            write(buffer, run);
        }
    }

    private void endAscending() throws IOException {
        if (ascending.isPresent()) {
            SortedRun run = ascending.get().close();
            ascending = Optional.empty();
            take(run);
        }
    }

    private void spill() throws IOException {
        if (buffer.size() > 0) {
            awaitSpill();
            SortBuffer full = buffer;
            Path file = nextFile();
            FutureTask<SortedRun> task = new FutureTask<>(() -> {
                SortedRun.Open run = new SortedRun.Open(file);
                write(full, run);
                return run.close();
            });
            spilling = Optional.of(task);
            buffer = other;
            other = full;
            threads.orElse(Runnable::run).execute(task);
        }
    }

    private void awaitSpill() throws IOException {
        if (spilling.isPresent()) {
            FutureTask<SortedRun> task = spilling.get();
            spilling = Optional.empty();
            take(resultOf(task));
        }
    }

    private static SortedRun resultOf(FutureTask<SortedRun> task) throws IOException {
        try {
            return task.get();
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException broken -> throw broken;
                case RuntimeException fault -> throw fault;
                case null, default -> throw new IllegalStateException(e.getCause());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a run was written");
        }
    }

    private static void write(SortBuffer from, SortedRun.Open run) throws IOException {
        from.sort();
        for (int i = 0; i < from.size(); i++) {
            if (i % TOUCHED == 0) {
                from.touch(i, Math.min(i + TOUCHED, from.size()));
            }
            run.add(from, i);
        }
        from.clear();
    }

    private void take(SortedRun run) throws IOException {
        runs.add(run);
        if (runs.size() == MAX_RUNS) {
            replace(List.of(new RunsMerge(runs, new BitSet(), memoryBytes).all(nextFile(), done -> {})));
        }
    }

    /// Makes one sorted sequence of all records but those of the sources that were dropped. What is added
    /// afterwards goes with it into the next one, which takes its place: the sequence before cannot be walked
    /// any more then.
    ///
    /// @param progress told of records merged, by the thread that asks
    public SortedKeys finish(BitSet dropped, LongConsumer progress) throws IOException {
        endAscending();
        last.inOrder = 0;
        spill();
        awaitSpill();
        buffer = new SortBuffer(memoryBytes / 2);
        other = new SortBuffer(memoryBytes / 2);
        if (runs.size() != 1 || !dropped.isEmpty()) {
            replace(merged(dropped, progress));
        }
        long[] keysByKind = new long[SortedRun.KINDS];
        for (SortedRun run : runs) {
            Arrays.setAll(keysByKind, kind -> keysByKind[kind] + run.keysByKind()[kind]);
        }
        return new SortedKeys(runs.stream().map(SortedRun::file).toList(), keysByKind);
    }

    private void replace(List<SortedRun> merged) throws IOException {
        for (SortedRun run : runs) {
            Files.delete(run.file());
        }
        runs.clear();
        runs.addAll(merged);
    }

    /// In one part, or in two, each by a thread of its own.
    private List<SortedRun> merged(BitSet dropped, LongConsumer progress) throws IOException {
        RunsMerge merging = new RunsMerge(runs, dropped, memoryBytes);
        List<byte[]> marks = runs.stream()
                .flatMap(run -> run.marks().stream())
                .map(SortedRun.Mark::key)
                .sorted(Arrays::compareUnsigned)
                .toList();
        if (threads.isEmpty() || marks.size() < MARKS_WORTH_PARTS) {
            return List.of(merging.all(nextFile(), progress));
        }
        byte[] middle = marks.get(marks.size() / 2);
        FutureTask<SortedRun> lower = merging.below(middle, nextFile());
        threads.get().execute(lower);
        try {
            SortedRun upper = merging.from(middle, nextFile(), progress);
            while (!hasEnded(lower)) {
                progress.accept(merging.done());
            }
            return List.of(resultOf(lower), upper);
        } finally {
            merging.end();
            while (!hasEnded(lower)) {
                Thread.onSpinWait();
            }
        }
    }

    /// Whether a task has ended, after a short wait.
    private static boolean hasEnded(FutureTask<SortedRun> task) throws IOException {
        try {
            SortedRun _ = task.get(WAIT_MILLIS, TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException broken) {
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while runs were merged");
        }
    }

    /// The record added last, and how many came in order up to it.
    private static final class Last {
        private final byte[] key = new byte[SortBuffer.MAX_KEY_BYTES];
        private int length;
        private int source;
        private int inOrder;

        /// Whether the next one sorts at or after it; from now on that is the last.
        boolean isFollowedBy(int kindCode, byte[] octets, int from, int to, int next) {
            if (to - from >= key.length) {
                throw new IllegalArgumentException("a key of " + (to - from) + " octets");
            }
            int order = Integer.compare(kindCode, key[0] & 0xff);
            if (order == 0) {
                order = Arrays.compareUnsigned(octets, from, to, key, 1, length);
            }
            boolean follows = length > 0 && (order > 0 || (order == 0 && next >= source));
            inOrder = follows ? Math.min(IN_ORDER, inOrder + 1) : 0;
            key[0] = (byte) kindCode;
            System.arraycopy(octets, from, key, 1, to - from);
            length = to - from + 1;
            source = next;
            return follows;
        }
    }

    private Path nextFile() {
        return folder.resolve("run-" + files++);
    }
}
