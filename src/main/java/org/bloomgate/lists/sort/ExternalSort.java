package org.bloomgate.lists.sort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.function.LongConsumer;
import org.bloomgate.base.concurrent.TaskResult;

/// Sorts more records than fit in memory: full buffers become sorted runs on disk, one while the other is
/// filled, and runs are merged into one. The result does not depend on the number of threads or the memory.
///
/// Records that are added in order, such as those of a sorted list, are written as a run without being buffered
/// and sorted, and a single run is not merged.
///
/// The heap stays within the bound, whatever the number of records; each record is at most twice on disk. All
/// files are in one folder, which the owner deletes. Not thread-safe.
public final class ExternalSort {
    /// The number of open files; more runs are merged in between.
    private static final int MAX_RUNS = 256;

    /// After this many records in order, the next ones are written as a run: fewer are not worth a file.
    static final int IN_ORDER = 1 << 16;

    /// Records that are fetched from memory together.
    private static final int TOUCH_RECORDS = 64;

    /// Records between two reports of progress.
    private static final int TICK = 1 << 16;

    private final Path folder;
    private final long memoryBytes;
    private final Executor spills;
    private SortBuffer buffer;
    private SortBuffer other;
    private Optional<FutureTask<Run>> spilling = Optional.empty();
    private final List<Run> runs = new ArrayList<>();
    private final Last last = new Last();
    private Optional<OpenRun> ascending = Optional.empty();
    private int files;
    private long records;

    /// Sorts on the thread that adds records.
    public ExternalSort(Path folder, long memoryBytes) {
        this(folder, memoryBytes, Runnable::run);
    }

    /// @param spills sorts and writes one half of the memory while the other one is filled
    public ExternalSort(Path folder, long memoryBytes, Executor spills) {
        this.folder = folder;
        this.memoryBytes = memoryBytes;
        this.spills = spills;
        buffer = new SortBuffer(memoryBytes / 2);
        other = new SortBuffer(memoryBytes / 2);
    }

    /// A file in order, with its unique keys by the wire code of their kind.
    private static final class Run {
        private final Path file;
        private final long[] keysByKind;

        Run(Path file, long[] keysByKind) {
            this.file = file;
            this.keysByKind = keysByKind;
        }
    }

    /// @param source 0 to 65,535, by which [#merge] can exclude records
    public void add(int kindCode, byte[] bytes, int source, long count) throws IOException {
        add(kindCode, bytes, 0, bytes.length, source, count);
    }

    /// @param bytes hold the key between the two positions
    public void add(int kindCode, byte[] bytes, int from, int to, int source, long count) throws IOException {
        if (!last.isFollowedBy(kindCode, bytes, from, to, source)) {
            endAscending();
        }
        if (ascending.isEmpty() && last.inOrder == IN_ORDER) {
            beginAscending();
        }
        if (ascending.isPresent()) {
            ascending.get().add(last.key, last.length, source, count);
        } else {
            buffer(kindCode, bytes, from, to, source, count);
        }
        records++;
    }

    private void buffer(int kindCode, byte[] bytes, int from, int to, int source, long count) throws IOException {
        if (!buffer.add(kindCode, bytes, from, to, source, count)) {
            spill();
            if (!buffer.add(kindCode, bytes, from, to, source, count)) {
                throw new IllegalStateException("an empty buffer has no space for a key of " + (to - from) + " bytes");
            }
        }
    }

    /// Records added so far.
    public long records() {
        return records;
    }

    /// Begins a run, with the records in the buffer if they are all part of the same order.
    private void beginAscending() throws IOException {
        OpenRun run = new OpenRun(nextFile());
        ascending = Optional.of(run);
        if (buffer.size() <= IN_ORDER) {
            write(buffer, run);
        }
    }

    private void endAscending() throws IOException {
        if (ascending.isPresent()) {
            Run run = ascending.get().close();
            ascending = Optional.empty();
            addRun(run);
        }
    }

    private void spill() throws IOException {
        if (buffer.size() > 0) {
            awaitSpill();
            SortBuffer full = buffer;
            Path file = nextFile();
            FutureTask<Run> task = new FutureTask<>(() -> {
                OpenRun run = new OpenRun(file);
                write(full, run);
                return run.close();
            });
            spilling = Optional.of(task);
            buffer = other;
            other = full;
            spills.execute(task);
        }
    }

    private void awaitSpill() throws IOException {
        if (spilling.isPresent()) {
            FutureTask<Run> task = spilling.get();
            spilling = Optional.empty();
            addRun(TaskResult.of(task, "a run was written"));
        }
    }

    private static void write(SortBuffer from, OpenRun run) throws IOException {
        from.sort();
        for (int i = 0; i < from.size(); i++) {
            if (i % TOUCH_RECORDS == 0) {
                from.touch(i, Math.min(i + TOUCH_RECORDS, from.size()));
            }
            run.add(from, i);
        }
        from.clear();
    }

    private void addRun(Run run) throws IOException {
        runs.add(run);
        if (runs.size() == MAX_RUNS) {
            Run merged = merge(new BitSet(), done -> {});
            runs.clear();
            runs.add(merged);
        }
    }

    /// Merges all records, except those of dropped sources, into one sorted sequence. Records may be added
    /// afterwards; the next call merges them with this sequence, which cannot be walked any more then.
    public SortedKeys finish(BitSet dropped, LongConsumer progress) throws IOException {
        endAscending();
        last.inOrder = 0;
        spill();
        awaitSpill();
        buffer = new SortBuffer(memoryBytes / 2);
        other = new SortBuffer(memoryBytes / 2);
        boolean done = runs.size() == 1 && dropped.isEmpty();
        Run merged = done ? runs.getFirst() : merge(dropped, progress);
        runs.clear();
        runs.add(merged);
        return new SortedKeys(merged.file, merged.keysByKind);
    }

    private Run merge(BitSet dropped, LongConsumer progress) throws IOException {
        OpenRun merged = new OpenRun(nextFile());
        long done = 0;
        List<Path> read = runs.stream().map(run -> run.file).toList();
        try (RunMerge merge = new RunMerge(read, memoryBytes / 4)) {
            while (merge.next()) {
                RunReader record = merge.record();
                if (!dropped.get(record.source())) {
                    merged.add(record.key(), record.keyLength(), record.source(), record.count());
                }
                if (++done % TICK == 0) {
                    progress.accept(done);
                }
            }
        } finally {
            merged.writer.close();
        }
        for (Path run : read) {
            Files.delete(run);
        }
        return merged.close();
    }

    /// A run that is being written.
    private static final class OpenRun {
        private final Path file;
        private final RunWriter writer;
        private final long[] keysByKind = new long[256];

        OpenRun(Path file) throws IOException {
            this.file = file;
            this.writer = new RunWriter(file);
        }

        void add(byte[] key, int length, int source, long count) throws IOException {
            if (writer.add(key, 0, length, source, count)) {
                keysByKind[key[0] & 0xff]++;
            }
        }

        void add(SortBuffer from, int i) throws IOException {
            byte[] bytes = from.keyBytes(i);
            if (writer.add(bytes, from.keyFrom(i), from.keyTo(i), from.source(i), from.count(i))) {
                keysByKind[bytes[from.keyFrom(i)] & 0xff]++;
            }
        }

        Run close() throws IOException {
            writer.close();
            return new Run(file, keysByKind);
        }
    }

    /// The last added record, and the number of records in order up to it.
    private static final class Last {
        private final byte[] key = new byte[SortBuffer.MAX_KEY_BYTES];
        private int length;
        private int source;
        private int inOrder;

        /// Whether the next record sorts at or after the last one, which it replaces.
        boolean isFollowedBy(int kindCode, byte[] bytes, int from, int to, int next) {
            if (to - from >= key.length) {
                throw new IllegalArgumentException("a key of " + (to - from) + " bytes");
            }
            int order = Integer.compare(kindCode, key[0] & 0xff);
            if (order == 0) {
                order = Arrays.compareUnsigned(bytes, from, to, key, 1, length);
            }
            boolean follows = length > 0 && (order > 0 || (order == 0 && next >= source));
            inOrder = follows ? Math.min(IN_ORDER, inOrder + 1) : 0;
            key[0] = (byte) kindCode;
            System.arraycopy(bytes, from, key, 1, to - from);
            length = to - from + 1;
            source = next;
            return follows;
        }
    }

    private Path nextFile() {
        return folder.resolve("run-" + files++);
    }
}
