package org.bloomgate.lists.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.bloomgate.lists.format.FeedFixtures;
import org.bloomgate.lists.format.RecordingSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Folders of range files.
class RangeFilesTest {
    private static final FeedFetcher FETCHER = new FeedFetcher("test");

    @TempDir
    private Path folder;

    private static Feed feed(Path source, String format) {
        return FeedFixtures.feed(Map.of("kind", "password", "format", format, "source", source.toString()));
    }

    private RecordingSink read(Feed feed) throws IOException {
        Path into = Files.createTempDirectory(folder, "fetched").resolve("feed");
        FETCHER.fetch(feed, into, Validators.NONE);
        RecordingSink sink = new RecordingSink();
        FeedFixtures.read(feed, Files.readAllBytes(into), sink);
        return sink;
    }

    @Test
    void prefixAndSuffixAreOneDigestWhateverTheEndingOfTheFile() throws IOException {
        Path ranges = Files.createDirectory(folder.resolve("ranges"));
        Files.writeString(ranges.resolve("5BAA6.txt"), "1E4C9B93F3F0682250B6CF8331B7EE68FD8:37359195\r\n");
        Files.writeString(ranges.resolve("7c4a8"), "d09ca3762af61e59520943dc26494f8941b:7\r\n" + "0".repeat(35) + ":0");
        Files.writeString(ranges.resolve("README.md"), "not a range");
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(("A".repeat(35) + ":1\n").getBytes(StandardCharsets.US_ASCII));
        }
        Files.write(ranges.resolve("FFFFF.gz"), packed.toByteArray());
        assertEquals(
                List.of(
                        "5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8",
                        "7C4A8D09CA3762AF61E59520943DC26494F8941B",
                        "FFFFF" + "A".repeat(35)),
                read(feed(ranges, "sha1-count")).keys);
    }

    @Test
    void ntlmRangesAreShorter() throws IOException {
        Path ranges = Files.createDirectory(folder.resolve("ranges"));
        Files.writeString(ranges.resolve("8846F"), "7EAEE8FB117AD06BDD830B7586C:37359195\n");
        assertEquals(List.of("8846F7EAEE8FB117AD06BDD830B7586C"), read(feed(ranges, "ntlm-count")).keys);
    }

    @Test
    void folderWithoutRangeFilesAndOneBeyondTheBoundAreRefused() throws IOException {
        Path ranges = Files.createDirectory(folder.resolve("ranges"));
        Feed feed = feed(ranges, "sha1-count");
        FeedRefusedException none = assertThrows(FeedRefusedException.class, () -> read(feed));
        assertTrue(FeedFixtures.message(none).contains("holds no range file"), FeedFixtures.message(none));
        Files.writeString(ranges.resolve("00000"), "A".repeat(35) + ":1\n");
        Feed bounded = FeedFixtures.feed(
                Map.of("kind", "password", "format", "sha1-count", "source", ranges.toString(), "maxBytes", "37"));
        FeedRefusedException tooLong = assertThrows(FeedRefusedException.class, () -> read(bounded));
        assertTrue(FeedFixtures.message(tooLong).contains("(maxBytes)"), FeedFixtures.message(tooLong));
    }

    @Test
    void folderIsNoSourceOfOtherFormats() {
        FeedRefusedException refused = assertThrows(FeedRefusedException.class, () -> read(feed(folder, "lines")));
        assertTrue(FeedFixtures.message(refused).contains("no such file"), FeedFixtures.message(refused));
    }
}
