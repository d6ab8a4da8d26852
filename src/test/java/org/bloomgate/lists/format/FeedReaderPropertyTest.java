package org.bloomgate.lists.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.bloomgate.HostileText;
import org.bloomgate.Rounds;
import org.bloomgate.core.key.Key;
import org.bloomgate.lists.fetch.FeedCounts;
import org.bloomgate.lists.fetch.FeedFormat;
import org.bloomgate.lists.fetch.FeedRefusedException;
import org.bloomgate.lists.fetch.UnpackingTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// For any bytes, packed or not: a feed is read or refused, its counts add up, and nothing else is thrown but
/// what the sink throws.
class FeedReaderPropertyTest {
    private static final int ROUNDS = Rounds.of(400);

    @ParameterizedTest
    @EnumSource
    void anyBytes_areReadOrRejected(FeedFormat format) {
        HostileText hostile = new HostileText(20260410);
        for (int i = 0; i < ROUNDS; i++) {
            FeedFuzz.read(format, i % 2 == 0, hostile.bytes(80));
        }
    }

    @ParameterizedTest
    @EnumSource
    void damagedArchive_isReadOrRejected(UnpackingTest.Packing packing) throws Exception {
        HostileText hostile = new HostileText(20260411);
        for (int i = 0; i < ROUNDS; i++) {
            byte[] packed = packing.pack(hostile.bytes(40));
            for (int change = hostile.below(4); change >= 0; change--) {
                packed[hostile.below(packed.length)] = (byte) hostile.below(256);
            }
            FeedFuzz.read(FeedFormat.LINES, false, packed);
        }
    }

    @Test
    void hostTooLong_rejectsItsLineOnly() throws Exception {
        RecordingSink sink = new RecordingSink();
        FeedCounts counts = FeedFixtures.read(
                FeedFixtures.feed(Map.of()),
                "one.example\n" + "\ufdfa".repeat(330) + ".example\nthree.example\n",
                sink);
        assertEquals(new FeedCounts(3, 2, 0, 1, 0, 0, 2), counts);
        assertEquals("2 reject longer than a host name can be", sink.events.get(1));
    }

    @Test
    void jsonBeyondABound_isRejectedWithItsLine() {
        for (String json : new String[] {
            "[\n".repeat(JsonStream.MAX_DEPTH + 1),
            "[\n\"" + "a".repeat(JsonStream.MAX_STRING_CHARS + 1) + "\"]",
            "{\"x\":\n" + "1".repeat(JsonStream.MAX_NUMBER_CHARS + 1) + "}",
            "{\n\"" + "n".repeat(JsonStream.MAX_NAME_CHARS + 1) + "\":1}"
        }) {
            FeedRefusedException refused = assertThrows(
                    FeedRefusedException.class,
                    () -> FeedFixtures.read(FeedFixtures.feed(Map.of("format", "json")), json, new RecordingSink()));
            assertFalse(refused.isFault());
            String message = FeedFixtures.message(refused);
            assertTrue(message.contains("JSON beyond a bound"), message);
            assertTrue(message.contains(" in line "), message);
        }
    }

    @Test
    void jsonAtABound_isRead() throws Exception {
        RecordingSink sink = new RecordingSink();
        String deep = "[".repeat(JsonStream.MAX_DEPTH) + "\"deep.example\"" + "]".repeat(JsonStream.MAX_DEPTH);
        String number = "{\"x\":" + "1".repeat(JsonStream.MAX_NUMBER_CHARS) + "}";
        FeedFixtures.read(FeedFixtures.feed(Map.of("format", "json")), deep + "\n" + number, sink);
        assertEquals("1 key deep.example", sink.events.getFirst());
        String longest = "[\"" + "a".repeat(JsonStream.MAX_STRING_CHARS) + "\",\"next.example\"]";
        RecordingSink next = new RecordingSink();
        FeedFixtures.read(FeedFixtures.feed(Map.of("format", "json")), longest, next);
        assertEquals("2 key next.example", next.events.getLast());
    }

    @Test
    void faultOfTheStream_isAFailureOfTheFeed() {
        for (Throwable thrown : new Throwable[] {new IllegalStateException("x"), new StackOverflowError()}) {
            InputStream broken = new FailingStream(thrown);
            FeedRefusedException refused = assertThrows(
                    FeedRefusedException.class,
                    () -> FeedFixtures.READER.read(FeedFixtures.feed(Map.of()), () -> broken, new RecordingSink()));
            assertTrue(
                    FeedFixtures.message(refused).contains(thrown.getClass().getSimpleName()),
                    FeedFixtures.message(refused));
            assertSame(thrown, root(refused));
        }
    }

    private static Throwable root(Throwable thrown) {
        Throwable root = thrown;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    @Test
    void exceptionOfTheSink_isThrownUnchanged() {
        UncheckedIOException full = new UncheckedIOException(new IOException("disk full"));
        FeedSink sink = new FeedSink() {
            @Override
            public void addKey(long line, Key key, long count) {
                throw full;
            }

            @Override
            public void reject(long line, String reason, String excerpt) {}

            @Override
            public void hold(long line, String reason, Key key) {}

            @Override
            public void except(long line, Key key) {}
        };
        byte[] list = "a.example\n".getBytes(StandardCharsets.UTF_8);
        assertSame(
                full,
                assertThrows(
                        UncheckedIOException.class,
                        () -> FeedFixtures.READER.read(
                                FeedFixtures.feed(Map.of()), () -> new ByteArrayInputStream(list), sink)));
    }

    /// Begins as a list.
    private static final class FailingStream extends InputStream {
        private final Throwable thrown;
        private int given;

        FailingStream(Throwable thrown) {
            this.thrown = thrown;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) {
            int taken = Math.min(length, 12);
            if (given > 2 * WrongFormat.HEAD_BYTES) {
                fail();
            }
            given += taken;
            Arrays.fill(buffer, offset, offset + taken, (byte) 'a');
            buffer[offset] = '\n';
            return taken;
        }

        @Override
        public int read() {
            throw new AssertionError("byte by byte");
        }

        private void fail() {
            switch (thrown) {
                case RuntimeException e -> throw e;
                case Error e -> throw e;
                default -> throw new AssertionError(thrown);
            }
        }
    }
}
