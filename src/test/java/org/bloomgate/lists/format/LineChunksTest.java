package org.bloomgate.lists.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bloomgate.core.key.Key;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedCounts;
import org.bloomgate.lists.fetch.FeedRefusedException;
import org.bloomgate.lists.fetch.PhysicalLines;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Chunks that several threads parse give what one thread gives that reads from the first line to the last.
class LineChunksTest {
    private static final Path FEEDS = Path.of("src/test/resources/feeds");
    private static final int THREADS = 3;

    private static final String SMALL = "\ufeff# head\r\none.example\r\n\r\nzwei-\u00fc.example # \u20ac\nco.uk\nt.co\n"
            + "not a name\n\0\nbad\ufffd.example\n10.0.0.0/30\nlast.example";

    /// What a reading gave: a refusal is part of it.
    private record Given(List<String> events, List<String> excerpts, String counts) {}

    private static Given read(LineChunks chunks, Feed feed, FeedReader.Content content) {
        FeedReader reader = new FeedReader(
                FeedFixtures.KEYS,
                new EntryGates(
                        AllowList.of(List.of("allowed.example", "sub.deep.allowed.example", "t.co")),
                        SharedHosts.shipped()),
                chunks);
        RecordingSink sink = new RecordingSink();
        String counts;
        try {
            counts = reader.read(feed, content, sink).toString();
        } catch (FeedRefusedException refused) {
            counts = refused.getMessage() + " " + refused.counts();
        }
        return new Given(sink.events, sink.excerpts, counts);
    }

    private static void assertSameInChunks(Feed feed, FeedReader.Content content, int chunkBytes) {
        assertEquals(
                read(new LineChunks(1, chunkBytes), feed, content),
                read(new LineChunks(THREADS, chunkBytes), feed, content),
                () -> "chunks of " + chunkBytes);
    }

    static Stream<Path> fixtures() throws IOException {
        try (Stream<Path> files = Files.list(FEEDS)) {
            return files.filter(file -> file.toString().endsWith(".expect")).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("fixtures")
    void fixture_readsTheSameInChunks(Path expected) throws IOException {
        String name = String.valueOf(expected.getFileName());
        byte[] content = Files.readAllBytes(FEEDS.resolve(name.substring(0, name.length() - ".expect".length())));
        Map<String, String> settings = new HashMap<>();
        for (String line : Files.readAllLines(expected)) {
            if (line.isEmpty()) {
                break;
            }
            settings.put(line.replaceFirst(": .*", ""), line.replaceFirst("[^:]+: ", ""));
        }
        Feed feed = FeedFixtures.feed(settings);
        for (int chunkBytes : new int[] {1, 7, 64, 1 << 20}) {
            assertSameInChunks(feed, () -> new ByteArrayInputStream(content), chunkBytes);
        }
    }

    @ParameterizedTest
    @CsvSource({"domain,lines", "url,lines", "auto,lines", "password,lines", "domain,rpz", "domain,bind"})
    void chunkBoundAtEveryByte_readsTheSame(String kind, String format) {
        byte[] content = SMALL.getBytes(StandardCharsets.UTF_8);
        Feed feed = FeedFixtures.feed(Map.of("kind", kind, "format", format));
        for (int chunkBytes = 1; chunkBytes <= content.length + 1; chunkBytes++) {
            assertSameInChunks(feed, () -> new ByteArrayInputStream(content), chunkBytes);
        }
    }

    @Test
    void lineAroundItsBound_readsTheSameInChunks() {
        for (int more = -2; more <= 2; more++) {
            String longest = "l".repeat(PhysicalLines.MAX_BYTES + more);
            String text = String.join(
                    "\n", "a.example", longest, "b.example", longest + "\r", longest.repeat(3), "c.example", longest);
            byte[] content = text.getBytes(StandardCharsets.UTF_8);
            for (int chunkBytes : new int[] {100, PhysicalLines.MAX_BYTES, 100_000}) {
                assertSameInChunks(FeedFixtures.feed(Map.of()), () -> new ByteArrayInputStream(content), chunkBytes);
            }
        }
    }

    @Test
    void lastLineWithoutItsEnd_readsTheSameInChunks() {
        for (String end : List.of("", "\n", "\r", "\r\n", "\n\n")) {
            byte[] content = ("a.example\nb.example\nc.example" + end).getBytes(StandardCharsets.UTF_8);
            assertSameInChunks(FeedFixtures.feed(Map.of()), () -> new ByteArrayInputStream(content), 4);
        }
    }

    @Test
    void moreKeysThanABuffer_readTheSameInChunks() {
        String ranges = IntStream.range(0, 700)
                .mapToObj(i -> "198.18." + i % 256 + ".0/24\nx" + i + ".example")
                .collect(Collectors.joining("\n"));
        byte[] content = ranges.getBytes(StandardCharsets.UTF_8);
        Feed feed = FeedFixtures.feed(Map.of());
        Given given = read(new LineChunks(THREADS, 1 << 13), feed, () -> new ByteArrayInputStream(content));
        assertTrue(given.events().size() > BufferedEntries.MAX_EVENTS, given::counts);
        assertEquals(read(new LineChunks(1, 1), feed, () -> new ByteArrayInputStream(content)), given);
    }

    @Test
    void chunkOfRejects_readsTheSame() {
        byte[] content = "not a name\n".repeat(BufferedEntries.MAX_OTHERS * 3).getBytes(StandardCharsets.UTF_8);
        assertSameInChunks(FeedFixtures.feed(Map.of()), () -> new ByteArrayInputStream(content), 1 << 16);
    }

    @Test
    void brokenStream_givesTheLinesBefore() {
        byte[] content = "n.example\n".repeat(40).getBytes(StandardCharsets.UTF_8);
        for (int chunkBytes = 1; chunkBytes < 50; chunkBytes++) {
            int cut = content.length - chunkBytes;
            assertSameInChunks(
                    FeedFixtures.feed(Map.of()),
                    () -> new SequenceInputStream(new ByteArrayInputStream(content, 0, cut), new Broken()),
                    chunkBytes);
        }
    }

    private static final class Broken extends InputStream {
        @Override
        public int read() throws IOException {
            throw new IOException("broken");
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            throw new IOException("broken");
        }
    }

    /// Throws at a line of its choice.
    private static final class Full implements FeedSink {
        private final IllegalStateException full = new IllegalStateException("the disk is full");
        private final List<Long> lines = new ArrayList<>();
        private final long last;

        Full(long last) {
            this.last = last;
        }

        @Override
        public void addKey(long line, Key key, long count) {
            lines.add(line);
            if (line == last) {
                throw full;
            }
        }

        @Override
        public void reject(long line, String reason, String excerpt) {}

        @Override
        public void hold(long line, String reason, Key key) {}

        @Override
        public void except(long line, Key key) {}
    }

    @Test
    void exceptionOfTheSink_endsReadingAtItsLine() {
        byte[] content = "n.example\n".repeat(100).getBytes(StandardCharsets.UTF_8);
        FeedReader reader = new FeedReader(
                FeedFixtures.KEYS,
                new EntryGates(AllowList.of(List.of()), SharedHosts.shipped()),
                new LineChunks(THREADS, 30));
        Full sink = new Full(57);
        RuntimeException thrown = assertThrows(
                RuntimeException.class,
                () -> reader.read(FeedFixtures.feed(Map.of()), () -> new ByteArrayInputStream(content), sink));
        assertSame(sink.full, thrown);
        assertEquals(57, sink.lines.size());
        assertEquals(57, sink.lines.getLast());
    }

    @Test
    void counts_areOfAllChunks() throws Exception {
        byte[] content = "a.example\n# b\nnot a name\nt.co\n".repeat(50).getBytes(StandardCharsets.UTF_8);
        FeedReader reader = new FeedReader(
                FeedFixtures.KEYS,
                new EntryGates(AllowList.of(List.of("t.co")), SharedHosts.shipped()),
                new LineChunks(THREADS, 64));
        FeedCounts counts =
                reader.read(FeedFixtures.feed(Map.of()), () -> new ByteArrayInputStream(content), new RecordingSink());
        assertEquals(new FeedCounts(200, 50, 50, 50, 0, 50, 50), counts);
    }

    @Test
    void zoneFormats_areNotLineByLine() {
        assertTrue(new LineFormat.PlainLines().isStateless());
        assertFalse(new RpzLines().isStateless());
        assertFalse(new BindLines().isStateless());
        assertEquals(
                2,
                Arrays.stream(LineFormat.class.getPermittedSubclasses())
                        .filter(type -> !type.isRecord())
                        .count());
    }
}
