package org.bloomgate.sort;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A file of records in order.
final class SortedRun {
    /// Codes of kinds: octets.
    static final int KINDS = 256;

    /// Keys from one mark to the next.
    static final int MARKED = 1 << 14;

    /// A key of a run, with its kind, and where its first record begins.
    static final class Mark {
        private final byte[] key;
        private final long at;

        private Mark(byte[] key, long at) {
            this.key = key;
            this.at = at;
        }

        byte[] key() {
            return key;
        }
    }

    private final Path file;
    private final long[] keysByKind;
    private final List<Mark> marks;

    private SortedRun(Path file, long[] keysByKind, List<Mark> marks) {
        this.file = file;
        this.keysByKind = keysByKind;
        this.marks = marks;
    }

    Path file() {
        return file;
    }

    /// Unique keys by the wire code of their kind.
    long[] keysByKind() {
        return keysByKind;
    }

    /// Some of the keys, in order.
    List<Mark> marks() {
        return marks;
    }

    /// From the last mark on that is not behind a key.
    RunMerge.Part from(byte[] key) {
        long at = 0;
        for (Mark mark : marks) {
            if (Arrays.compareUnsigned(mark.key, key) > 0) {
                break;
            }
            at = mark.at;
        }
        return new RunMerge.Part(file, at);
    }

    /// A run on its way.
    static final class Open {
        private final Path file;
        private final RunWriter writer;
        private final long[] keysByKind = new long[KINDS];
        private final List<Mark> marks = new ArrayList<>();
        private int unmarked;

        Open(Path file) throws IOException {
            this.file = file;
            this.writer = new RunWriter(file);
        }

        void add(byte[] key, int length, int source, long count) throws IOException {
            if (writer.add(key, 0, length, source, count)) {
                counted(key, 0, length);
            }
        }

        void add(SortBuffer from, int i) throws IOException {
            byte[] octets = from.keyOctets(i);
            if (writer.add(octets, from.keyFrom(i), from.keyTo(i), from.source(i), from.count(i))) {
                counted(octets, from.keyFrom(i), from.keyTo(i));
            }
        }

        private void counted(byte[] octets, int from, int to) {
            keysByKind[octets[from] & 0xff]++;
            if (++unmarked == MARKED) {
                marks.add(new Mark(Arrays.copyOfRange(octets, from, to), writer.position()));
                unmarked = 0;
            }
        }

        /// Closes the file as it is.
        void end() throws IOException {
            writer.close();
        }

        SortedRun close() throws IOException {
            writer.close();
            return new SortedRun(file, keysByKind, List.copyOf(marks));
        }
    }
}
