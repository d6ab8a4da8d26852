package org.bloomgate.lists.format;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.lists.fetch.PhysicalLines;

/// Reads lines in parallel: several threads parse chunks that end at line ends, and the results are passed on
/// in the order of the lines, as if one thread had read them all.
///
/// The beginning of a feed, or all of a small one, is read on the calling thread. If an exception occurs in a
/// chunk, or its entries exceed the buffer, its lines are read again on the calling thread after the lines
/// before them were passed on. So faults are reported in the same place as without threads. Memory is bounded
/// by a few chunks per thread. Immutable, thread-safe.
///
/// @param threads that parse, in addition to the calling one
/// @param chunkBytes approximate bytes of a chunk; a longer line is a chunk of its own
record LineChunks(int threads, int chunkBytes) {
    /// Above this number, the consumer of the keys is the bottleneck.
    private static final int MAX_THREADS = 4;

    private static final int CHUNK_BYTES = 1 << 20;

    /// The bytes of a line that are stored; one more than the maximum marks an overlong line.
    private static final int MAX_LINE_BYTES = PhysicalLines.MAX_BYTES + 1;

    /// Only the first line of a feed may begin with a byte order mark.
    private static final int NOT_THE_FIRST = 1;

    static LineChunks onAllProcessors() {
        return new LineChunks(Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors()), CHUNK_BYTES);
    }

    boolean isWorthIt() {
        return threads > 1;
    }

    /// @param tallies makes the tally that receives the results
    void read(InputStream content, LineReading reading, LineTally tally, Function<BufferedEntries, LineTally> tallies)
            throws IOException {
        Splitter splitter = new Splitter(content);
        Chunk first = new Chunk();
        splitter.fill(first, stepBytes());
        reading.read(first.lines(0), tally);
        if (!splitter.ended) {
            try (Job job = new Job(reading, tally, tallies)) {
                job.read(splitter, first);
            }
        }
        if (splitter.fault.isPresent()) {
            throw splitter.fault.get();
        }
    }

    private int stepBytes() {
        return Math.min(chunkBytes, PhysicalLines.CHUNK_BYTES);
    }

    /// Complete lines and their entries. Reused for later lines.
    private final class Chunk {
        private final byte[] bytes = new byte[Math.max(MAX_LINE_BYTES, chunkBytes) + stepBytes()];
        private final BufferedEntries entries = new BufferedEntries();
        private int length;
        private Optional<LineTally> counted = Optional.empty();

        PhysicalLines lines(long before) {
            return new PhysicalLines(new ByteArrayInputStream(bytes, 0, length), before);
        }

        /// After an exception, the lines are read again when the lines before them were passed on, and it is
        /// thrown then.
        private void parse(LineReading reading, Function<BufferedEntries, LineTally> tallies) throws IOException {
            entries.clear();
            counted = Optional.empty();
            LineTally tally = tallies.apply(entries);
            try {
                reading.read(lines(NOT_THE_FIRST), tally);
                counted = Optional.of(tally);
            } catch (RuntimeException | StackOverflowError fault) {
                entries.clear();
            }
        }
    }

    /// Splits the stream into chunks, with reads of the same size as for a single reader of lines.
    private final class Splitter {
        private final InputStream in;
        private byte[] rest = new byte[0];
        private boolean ended;
        private Optional<IOException> fault = Optional.empty();

        Splitter(InputStream in) {
            this.in = in;
        }

        /// @param minBytes number of bytes to read, if there are as many
        void fill(Chunk chunk, int minBytes) {
            byte[] into = chunk.bytes;
            System.arraycopy(rest, 0, into, 0, rest.length);
            int length = rest.length;
            int end = 0;
            while (!ended && (end == 0 || length < minBytes)) {
                if (end == 0) {
                    length = Math.min(length, MAX_LINE_BYTES);
                }
                int read = more(into, length);
                end = Math.max(end, endOfLastLine(into, length, length + read));
                length += read;
            }
            chunk.length = ended && fault.isEmpty() ? length : end;
            rest = Arrays.copyOfRange(into, chunk.length, Math.min(length, chunk.length + MAX_LINE_BYTES));
        }

        private int more(byte[] into, int at) {
            try {
                int read = Math.max(0, in.read(into, at, stepBytes()));
                ended = read == 0;
                return read;
            } catch (IOException e) {
                fault = Optional.of(e);
                ended = true;
                return 0;
            }
        }

        private static int endOfLastLine(byte[] bytes, int from, int to) {
            int end = to;
            while (end > from && bytes[end - 1] != '\n') {
                end--;
            }
            return end > from ? end : 0;
        }
    }

    /// The parallel reading of everything after the beginning.
    private final class Job implements AutoCloseable {
        private final LineReading reading;
        private final LineTally tally;
        private final Function<BufferedEntries, LineTally> tallies;
        private final ExecutorService workers =
                Executors.newFixedThreadPool(threads, BackgroundTask.createThreadFactory("parse"));
        private final Deque<Chunk> free = new ArrayDeque<>();
        private final Deque<Parsing> parsing = new ArrayDeque<>();

        private record Parsing(Chunk chunk, Future<?> end) {}

        Job(LineReading reading, LineTally tally, Function<BufferedEntries, LineTally> tallies) {
            this.reading = reading;
            this.tally = tally;
            this.tallies = tallies;
        }

        void read(Splitter splitter, Chunk first) throws IOException {
            free.add(first);
            while (!splitter.ended || !parsing.isEmpty()) {
                if (!splitter.ended && parsing.size() <= threads) {
                    Chunk chunk = free.isEmpty() ? new Chunk() : free.remove();
                    splitter.fill(chunk, chunkBytes);
                    parsing.add(new Parsing(chunk, workers.submit(() -> {
                        chunk.parse(reading, tallies);
                        return null;
                    })));
                } else {
                    Parsing oldest = parsing.remove();
                    await(oldest.end());
                    passOn(oldest.chunk());
                    free.add(oldest.chunk());
                }
            }
        }

        private void passOn(Chunk chunk) throws IOException {
            long before = tally.counts().lines();
            if (chunk.counted.isPresent()) {
                tally.add(chunk.entries, before - NOT_THE_FIRST, chunk.counted.get());
            } else {
                reading.read(chunk.lines(before), tally);
            }
        }

        private static void await(Future<?> end) throws IOException {
            try {
                Object _ = end.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("lines could not be parsed", e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while lines were parsed");
            }
        }

        @Override
        public void close() {
            workers.shutdownNow();
            workers.close();
        }
    }
}
