package org.bloomgate.sort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongConsumer;

/// Sorts more records than memory holds: full buffers become sorted runs on disk, runs are merged into one.
///
/// Heap stays within the bound given, whatever the number of records; disk holds each record at most twice.
/// All files are in one folder, which the owner deletes. Not thread-safe.
public final class ExternalSort {
    /// Files open at once; more runs than this are merged in between.
    private static final int MAX_RUNS = 256;

    /// Records between two reports of progress.
    private static final int TICK = 1 << 16;

    private final Path folder;
    private final long memoryBytes;
    private SortBuffer buffer;
    private final List<Path> runs = new ArrayList<>();
    private int files;
    private long records;

    public ExternalSort(Path folder, long memoryBytes) {
        this.folder = folder;
        this.memoryBytes = memoryBytes;
        buffer = new SortBuffer(memoryBytes);
    }

    /// @param source 0 to 65,535, by which [#merge] can leave records out
    public void add(int kindCode, byte[] octets, int source, long count) throws IOException {
        if (!buffer.add(kindCode, octets, 0, octets.length, source, count)) {
            spill();
            if (!buffer.add(kindCode, octets, 0, octets.length, source, count)) {
                throw new IllegalStateException("an empty buffer takes no key of " + octets.length + " octets");
            }
        }
        records++;
    }

    /// Records added so far.
    public long records() {
        return records;
    }

    private void spill() throws IOException {
        buffer.sort();
        Path run = nextFile();
        try (RunWriter writer = new RunWriter(run)) {
            for (int i = 0; i < buffer.size(); i++) {
                writer.add(buffer.keyOctets(i), buffer.keyFrom(i), buffer.keyTo(i), buffer.source(i), buffer.count(i));
            }
        }
        buffer.clear();
        runs.add(run);
        if (runs.size() == MAX_RUNS) {
            Path merged = merge(new BitSet(), new long[256], done -> {});
            runs.clear();
            runs.add(merged);
        }
    }

    /// Makes one sorted sequence of all records but those of the sources that were dropped. What is added
    /// afterwards goes with it into the next one, which takes its place: the sequence before cannot be walked
    /// any more then.
    public SortedKeys finish(BitSet dropped, LongConsumer progress) throws IOException {
        spill();
        buffer = new SortBuffer(memoryBytes);
        long[] keysByKind = new long[256];
        Path merged = merge(dropped, keysByKind, progress);
        runs.clear();
        runs.add(merged);
        return new SortedKeys(merged, keysByKind);
    }

    private Path merge(BitSet dropped, long[] keysByKind, LongConsumer progress) throws IOException {
        Path merged = nextFile();
        long done = 0;
        try (RunMerge merge = new RunMerge(runs, memoryBytes / 4);
                RunWriter writer = new RunWriter(merged)) {
            while (merge.next()) {
                RunReader record = merge.record();
                if (!dropped.get(record.source())
                        && writer.add(record.key(), 0, record.keyLength(), record.source(), record.count())) {
                    keysByKind[record.key()[0] & 0xff]++;
                }
                if (++done % TICK == 0) {
                    progress.accept(done);
                }
            }
        }
        for (Path run : runs) {
            Files.delete(run);
        }
        return merged;
    }

    private Path nextFile() {
        return folder.resolve("run-" + files++);
    }
}
