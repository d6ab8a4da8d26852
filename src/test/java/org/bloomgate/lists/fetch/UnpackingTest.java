package org.bloomgate.lists.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.ZstdOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.bloomgate.lists.format.FeedFixtures;
import org.bloomgate.lists.format.FeedSink;
import org.bloomgate.lists.format.RecordingSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

public class UnpackingTest {
    private static final String LIST = "# list\none.example\ntwo.example\n";

    public enum Packing {
        GZIP,
        ZIP,
        BZIP2,
        ZSTD;

        public byte[] pack(byte[] bytes) throws IOException {
            ByteArrayOutputStream packed = new ByteArrayOutputStream();
            try (OutputStream out = packer(packed)) {
                out.write(bytes);
            }
            return packed.toByteArray();
        }

        private OutputStream packer(OutputStream out) throws IOException {
            return switch (this) {
                case GZIP -> new GZIPOutputStream(out);
                case ZIP -> {
                    ZipOutputStream zip = new ZipOutputStream(out);
                    zip.putNextEntry(new ZipEntry("folder/"));
                    zip.putNextEntry(new ZipEntry("folder/list.txt"));
                    yield zip;
                }
                case BZIP2 -> new BZip2CompressorOutputStream(out);
                case ZSTD -> new ZstdOutputStream(out);
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void packedFeedGivesTheSameEntries(Packing packing) throws IOException {
        RecordingSink sink = new RecordingSink();
        FeedCounts counts = read(packing.pack(LIST.getBytes(StandardCharsets.UTF_8)), sink);
        assertEquals(new FeedCounts(3, 2, 1, 0, 0, 0, 2), counts);
    }

    @ParameterizedTest
    @EnumSource(names = {"GZIP", "BZIP2", "ZSTD"})
    void allMembersAreRead(Packing packing) throws IOException {
        byte[] one = packing.pack("one.example\n".getBytes(StandardCharsets.UTF_8));
        byte[] both = Arrays.copyOf(one, 2 * one.length);
        System.arraycopy(one, 0, both, one.length, one.length);
        assertEquals(2, read(both, new RecordingSink()).entries());
    }

    @ParameterizedTest
    @EnumSource
    void bombIsCutOffAtTheBound(Packing packing) throws IOException {
        byte[] bomb = packing.pack("evil.example\n".repeat(10_000).getBytes(StandardCharsets.UTF_8));
        Feed feed = FeedFixtures.feed(Map.of("maxUnpackedBytes", "100000"));
        FeedRefusedException refused =
                assertThrows(FeedRefusedException.class, () -> FeedFixtures.read(feed, bomb, new RecordingSink()));
        assertTrue(
                FeedFixtures.message(refused).contains("unpacks to more than 100000 bytes"),
                FeedFixtures.message(refused));
    }

    @ParameterizedTest
    @EnumSource
    void boundItselfIsStillTaken(Packing packing) throws IOException {
        byte[] packed = packing.pack(LIST.getBytes(StandardCharsets.UTF_8));
        Feed feed = FeedFixtures.feed(Map.of("maxUnpackedBytes", "" + LIST.length()));
        assertEquals(2, FeedFixtures.read(feed, packed, new RecordingSink()).entries());
    }

    @ParameterizedTest
    @EnumSource
    void truncatedDownloadIsRefused(Packing packing) throws IOException {
        byte[] packed = packing.pack(noise());
        for (int length : new int[] {12, packed.length / 2, packed.length * 9 / 10}) {
            assertThrows(
                    FeedRefusedException.class,
                    () -> read(Arrays.copyOf(packed, length), new RecordingSink()),
                    "" + length);
        }
    }

    @ParameterizedTest
    @EnumSource
    void corruptBytesAreReadOrRefusedAndThrowNothingElse(Packing packing) throws IOException {
        byte[] packed = packing.pack(noise());
        Random random = new Random(11);
        for (int round = 0; round < 25; round++) {
            byte[] corrupt = packed.clone();
            for (int i = 0; i < 3; i++) {
                corrupt[10 + random.nextInt(corrupt.length - 10)] = (byte) random.nextInt(256);
            }
            try {
                FeedCounts counts = read(corrupt, new RecordingSink());
                assertEquals(counts.lines(), counts.entries() + counts.comments() + counts.rejects() + counts.held());
            } catch (FeedRefusedException refused) {
                assertTrue(FeedFixtures.message(refused).startsWith("feed test: "));
            }
        }
    }

    @Test
    void zipOfTwoFilesIsRefused() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(packed)) {
            zip.putNextEntry(new ZipEntry("a.txt"));
            zip.write(LIST.getBytes(StandardCharsets.UTF_8));
            zip.putNextEntry(new ZipEntry("b.txt"));
            zip.write(LIST.getBytes(StandardCharsets.UTF_8));
        }
        FeedRefusedException refused =
                assertThrows(FeedRefusedException.class, () -> read(packed.toByteArray(), new RecordingSink()));
        assertTrue(FeedFixtures.message(refused).contains("several files"), FeedFixtures.message(refused));
    }

    @Test
    void emptyArchiveIsRefused() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        new ZipOutputStream(packed).close();
        assertThrows(FeedRefusedException.class, () -> read(packed.toByteArray(), new RecordingSink()));
        assertThrows(FeedRefusedException.class, () -> read(Packing.GZIP.pack(new byte[0]), new RecordingSink()));
    }

    @Test
    void wordsThatBeginLikeAPackingAreText() throws FeedRefusedException {
        RecordingSink sink = new RecordingSink();
        FeedFixtures.read(FeedFixtures.feed(Map.of()), "bzh9.example\n", sink);
        FeedFixtures.read(FeedFixtures.feed(Map.of("kind", "password")), "BZh9 is a password\n", sink);
        assertEquals(2, sink.keys.size());
    }

    private static FeedCounts read(byte[] bytes, FeedSink sink) throws FeedRefusedException {
        return FeedFixtures.read(FeedFixtures.feed(Map.of()), bytes, sink);
    }

    /// Names that do not pack well, so that every part of the stream matters.
    private static byte[] noise() {
        Random random = new Random(3);
        StringBuilder names = new StringBuilder();
        for (int i = 0; i < 2_000; i++) {
            names.append(Long.toString(random.nextLong() >>> 1, 36)).append(".example\n");
        }
        return names.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void headerOfAGzipMemberIsBounded() throws IOException {
        int fixed = 10;
        byte[] list = "one.example\n".getBytes(StandardCharsets.UTF_8);
        String most = "n".repeat(Unpacking.MAX_GZIP_HEADER_BYTES - fixed - 1);
        assertEquals(
                1,
                read(named(most, Packing.GZIP.pack(list)), new RecordingSink()).entries());
        String message = FeedFixtures.message(assertThrows(
                FeedRefusedException.class,
                () -> read(named(most + "n", Packing.GZIP.pack(list)), new RecordingSink())));
        assertTrue(message.contains("a gzip header of more than 65536 bytes"), message);
    }

    /// With a file name in the header, which the JDK writes without (RFC 1952, 2.3).
    private static byte[] named(String name, byte[] gzip) {
        ByteArrayOutputStream named = new ByteArrayOutputStream();
        named.write(gzip, 0, 3);
        named.write(8);
        named.write(gzip, 4, 6);
        named.writeBytes(name.getBytes(StandardCharsets.US_ASCII));
        named.write(0);
        named.write(gzip, 10, gzip.length - 10);
        return named.toByteArray();
    }
}
