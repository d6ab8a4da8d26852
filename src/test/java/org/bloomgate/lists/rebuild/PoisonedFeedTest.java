package org.bloomgate.lists.rebuild;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.fetch.FeedFormat;
import org.bloomgate.lists.layer.FeedReport;
import org.bloomgate.lists.layer.RebuildOutcome;
import org.bloomgate.lists.layer.RebuildReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A feed made to end the reading of it, beside a good one: the good one is published, the other is named.
class PoisonedFeedTest {
    private static final String WIDE = "\ufdfa".repeat(330) + ".example";

    @TempDir
    private Path folder;

    enum Poison {
        WIDE_HOST(FeedFormat.LINES, "1 lines, none fits lines; line 1: longer than a host name can be: "),
        DEEP_JSON(FeedFormat.JSON, "JSON beyond a bound (depth 1000, "),
        LONG_JSON_STRING(FeedFormat.JSON, "JSON beyond a bound (depth 1000, 1048576 characters a string, "),
        LONG_JSON_NUMBER(FeedFormat.JSON, "1000 a number) in line 1"),
        ENDLESS_QUOTES(FeedFormat.CSV, "line 2: not CSV: a quote out of place: "),
        NULS(FeedFormat.HOSTS, "looks like a binary file"),
        BOMB(FeedFormat.LINES, "unpacks to more than 1048576 bytes (maxUnpackedBytes)"),
        TORN_GZIP(FeedFormat.ADBLOCK, "cannot be read to its end: "),
        BAD_BZIP2(FeedFormat.LINES, "cannot be read to its end: ");

        private final FeedFormat format;
        private final String named;

        Poison(FeedFormat format, String named) {
            this.format = format;
            this.named = named;
        }

        byte[] bytes() throws IOException {
            return switch (this) {
                case WIDE_HOST -> utf8(WIDE + "\n");
                case DEEP_JSON -> utf8("[".repeat(100_000));
                case LONG_JSON_STRING -> utf8("[\"" + "a".repeat(3_000_000) + "\"]");
                case LONG_JSON_NUMBER -> utf8("[" + "9".repeat(5_000) + "]");
                case ENDLESS_QUOTES -> utf8("id,url\n" + "1,\"http://a.example/\n".repeat(2_000));
                case NULS -> new byte[100_000];
                case BOMB -> gzip(utf8("a.example\n".repeat(2_000_000)));
                case TORN_GZIP -> torn(gzip(utf8("||a.example^\n".repeat(20_000))));
                case BAD_BZIP2 -> utf8("BZh91AY&SY" + "\u0000\u0001x".repeat(5_000));
            };
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(packed)) {
            out.write(bytes);
        }
        return packed.toByteArray();
    }

    private static byte[] torn(byte[] bytes) {
        bytes[bytes.length / 2] ^= 0x55;
        return bytes;
    }

    private RebuildRig rig(Poison poison) throws IOException {
        RebuildRig rig = new RebuildRig(folder);
        rig.feed("good", KeyKind.DOMAIN, "good.example").feed("bad", KeyKind.DOMAIN, "was.example");
        rig.feedOption("bad", "format", poison.format).feedOption("bad", "maxUnpackedBytes", 1L << 20);
        if (poison.format == FeedFormat.CSV) {
            rig.feedOption("bad", "column", Optional.of("url")).feedOption("bad", "kind", FeedKind.URL);
        }
        Files.write(rig.source("bad"), poison.bytes());
        return rig;
    }

    @ParameterizedTest
    @EnumSource
    void goodFeedIsPublishedAndTheOtherNamed(Poison poison) throws Exception {
        RebuildRig rig = rig(poison);
        RebuildReport report = rig.run();

        assertEquals(RebuildOutcome.PUBLISHED_WITH_FAILED_FEEDS, report.outcome());
        assertEquals(1, report.outcome().exitStatus());
        assertEquals(Set.of("good"), rig.listedBy("good.example"));
        FeedReport bad = report.failedFeeds().getFirst();
        assertEquals("bad", bad.name());
        assertEquals(FeedReport.From.NOTHING, bad.from());
        String failure = bad.failure().orElseThrow();
        assertTrue(failure.contains(poison.named), failure);
        assertTrue(failure.length() < 1_000, failure);
    }

    @Test
    void lastGoodCopyTakesThePlaceOfAPoisonedFeed() throws Exception {
        RebuildRig rig = new RebuildRig(folder);
        rig.feed("good", KeyKind.DOMAIN, "good.example").feed("bad", KeyKind.DOMAIN, "was.example");
        rig.run();
        Files.write(rig.source("bad"), Poison.BAD_BZIP2.bytes());
        RebuildReport report = rig.run();
        assertEquals(RebuildOutcome.PUBLISHED_WITH_FAILED_FEEDS, report.outcome());
        assertEquals(
                FeedReport.From.LAST_GOOD_COPY, report.failedFeeds().getFirst().from());
        assertEquals(Set.of("bad"), rig.listedBy("was.example"));
    }

    @Test
    void wideHostAmongGoodLinesIsARejectOfItsLine() throws Exception {
        RebuildRig rig = new RebuildRig(folder);
        rig.feed("list", KeyKind.DOMAIN, "one.example", "two.example", "three.example", WIDE, "four.example")
                .feedOption("list", "maxRejectShare", Optional.of(0.3));
        RebuildReport report = rig.run();
        assertEquals(RebuildOutcome.PUBLISHED, report.outcome());
        FeedReport.Example rejected = report.feeds().getFirst().rejects().getFirst();
        assertEquals(4, rejected.line());
        assertEquals("longer than a host name can be", rejected.reason());
        assertEquals(Set.of("list"), rig.listedBy("four.example"));
    }
}
