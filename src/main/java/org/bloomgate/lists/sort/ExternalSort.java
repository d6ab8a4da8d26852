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
    private SortBuffer otherBuffer;
    private Optional<FutureTask<Run>> pendingSpill = Optional.empty();
    private final List<Run> runs = new ArrayList<>();
    private final LastRecord lastRecord = new LastRecord();
    private Optional<OpenRun> ascendingRun = Optional.empty();
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
        otherBuffer = new SortBuffer(memoryBytes / 2);
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
        if (!lastRecord.isFollowedBy(kindCode, bytes, from, to, source)) {
            endAscending();
        }
        if (ascendingRun.isEmpty() && lastRecord.orderedCount == IN_ORDER) {
            beginAscending();
        }
        if (ascendingRun.isPresent()) {
            ascendingRun.get().add(lastRecord.key, lastRecord.length, source, count);
        } else {
            addToBuffer(kindCode, bytes, from, to, source, count);
        }
        records++;
    }

    private void addToBuffer(int kindCode, byte[] bytes, int from, int to, int source, long count) throws IOException {
        if (!buffer.add(kindCode, bytes, from, to, source, count)) {
            spill();
            if (!buffer.add(kindCode, bytes, from, to, source, count)) {
                throw new IllegalStateException("an empty buffer has no space for a key of " + (to - from) + " bytes");
            }
        }
    }

    /// Records added so far.
    public long countRecords() {
        return records;
    }

    /// Begins a run, with the records in the buffer if they are all part of the same order.
    private void beginAscending() throws IOException {
        OpenRun run = new OpenRun(nameNextFile());
        ascendingRun = Optional.of(run);
        if (buffer.size() <= IN_ORDER) {
            write(buffer, run);
        }
    }

    private void endAscending() throws IOException {
        if (ascendingRun.isPresent()) {
            Run run = ascendingRun.get().close();
            ascendingRun = Optional.empty();
            addRun(run);
        }
    }

    private void spill() throws IOException {
        if (buffer.size() > 0) {
            awaitSpill();
            SortBuffer fullBuffer = buffer;
            Path file = nameNextFile();
            FutureTask<Run> task = new FutureTask<>(() -> {
                OpenRun run = new OpenRun(file);
                write(fullBuffer, run);
                return run.close();
            });
            pendingSpill = Optional.of(task);
            buffer = otherBuffer;
            otherBuffer = fullBuffer;
            spills.execute(task);
        }
    }

    private void awaitSpill() throws IOException {
        if (pendingSpill.isPresent()) {
            FutureTask<Run> task = pendingSpill.get();
            pendingSpill = Optional.empty();
            addRun(TaskResult.await(task, "a run was written"));
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
    public SortedKeys finish(BitSet droppedSources, LongConsumer progress) throws IOException {
        endAscending();
        lastRecord.orderedCount = 0;
        spill();
        awaitSpill();
        buffer = new SortBuffer(memoryBytes / 2);
        otherBuffer = new SortBuffer(memoryBytes / 2);
        boolean isSorted = runs.size() == 1 && droppedSources.isEmpty();
        Run merged = isSorted ? runs.getFirst() : merge(droppedSources, progress);
        runs.clear();
        runs.add(merged);
        return new SortedKeys(merged.file, merged.keysByKind);
    }

    private Run merge(BitSet droppedSources, LongConsumer progress) throws IOException {
        OpenRun merged = new OpenRun(nameNextFile());
        long done = 0;
        List<Path> runFiles = runs.stream().map(run -> run.file).toList();
        try (RunMerge merge = new RunMerge(runFiles, memoryBytes / 4)) {
            while (merge.next()) {
                RunReader record = merge.record();
                if (!droppedSources.get(record.source())) {
                    merged.add(record.key(), record.keyLength(), record.source(), record.count());
                }
                if (++done % TICK == 0) {
                    progress.accept(done);
                }
            }
        } finally {
            merged.writer.close();
        }
        for (Path run : runFiles) {
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
    private static final class LastRecord {
        private final byte[] key = new byte[SortBuffer.MAX_KEY_BYTES];
        private int length;
        private int source;
        private int orderedCount;

        /// Whether the next record sorts at or after the last one, which it replaces.
        boolean isFollowedBy(int kindCode, byte[] bytes, int from, int to, int next) {
            if (to - from >= key.length) {
                throw new IllegalArgumentException("a key of " + (to - from) + " bytes");
            }
            int order = Integer.compare(kindCode, key[0] & 0xff);
            if (order == 0) {
                order = Arrays.compareUnsigned(bytes, from, to, key, 1, length);
            }
            boolean isInOrder = length > 0 && (order > 0 || (order == 0 && next >= source));
            orderedCount = isInOrder ? Math.min(IN_ORDER, orderedCount + 1) : 0;
            key[0] = (byte) kindCode;
            System.arraycopy(bytes, from, key, 1, to - from);
            length = to - from + 1;
            source = next;
            return isInOrder;
        }
    }

    private Path nameNextFile() {
        return folder.resolve("run-" + files++);
    }
}
