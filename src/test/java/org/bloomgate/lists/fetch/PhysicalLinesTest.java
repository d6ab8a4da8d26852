package org.bloomgate.lists.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.lists.format.FeedFixtures;
import org.bloomgate.lists.format.RecordingSink;
import org.junit.jupiter.api.Test;

class PhysicalLinesTest {

    @Test
    void lineEndsMayBeLfOrCrLfOrMissingAtTheEnd() throws IOException {
        assertEquals(List.of("a", "b", "", "c\r", "d"), read("a\nb\r\n\nc\r\r\nd"));
        assertEquals(List.of("a"), read("a\n"));
        assertEquals(List.of(), read(""));
        assertEquals(List.of(""), read("\n"));
    }

    @Test
    void byteOrderMarkIsSkippedOnlyAtTheStart() throws IOException {
        assertEquals(List.of("a", "\ufeffb"), read("\ufeffa\n\ufeffb"));
    }

    @Test
    void longestLineIsTakenAndOneByteMoreIsAFault() throws IOException {
        PhysicalLines lines =
                lines("x".repeat(PhysicalLines.MAX_BYTES) + "\n" + "y".repeat(PhysicalLines.MAX_BYTES + 1) + "\nz");
        assertTrue(lines.next());
        assertEquals(PhysicalLines.MAX_BYTES, lines.text().length());
        assertEquals(Optional.empty(), lines.findFault(lines.text()));
        assertTrue(lines.next());
        assertTrue(lines.findFault(lines.text()).orElse("").startsWith("longer than"));
        assertTrue(lines.next());
        assertEquals("z", lines.text());
        assertEquals(3, lines.number());
        assertFalse(lines.next());
    }

    @Test
    void lineMayBeSplitAnywhereByTheStream() throws IOException {
        InputStream dripping = new ByteArrayInputStream("one\r\ntwo".getBytes(StandardCharsets.UTF_8)) {
            @Override
            public synchronized int read(byte[] buffer, int offset, int length) {
                return super.read(buffer, offset, Math.min(length, 1));
            }
        };
        assertEquals(List.of("one", "two"), read(new PhysicalLines(dripping)));
    }

    @Test
    void overlongLineIsOneRejectAndTheNextLineCounts() throws FeedRefusedException {
        RecordingSink sink = new RecordingSink();
        FeedCounts counts = FeedFixtures.read(
                FeedFixtures.feed(Map.of()), "x".repeat(3 * PhysicalLines.MAX_BYTES) + "\nevil.example\n", sink);
        assertEquals(new FeedCounts(2, 1, 0, 1, 0, 0, 1), counts);
        assertEquals(List.of("1 reject longer than 65536 bytes", "2 key evil.example"), sink.events);
        assertTrue(sink.excerpts.getFirst().length() < 100);
    }

    private static List<String> read(String text) throws IOException {
        return read(lines(text));
    }

    private static List<String> read(PhysicalLines lines) throws IOException {
        List<String> read = new ArrayList<>();
        while (lines.next()) {
            read.add(lines.text());
        }
        return read;
    }

    private static PhysicalLines lines(String text) {
        return new PhysicalLines(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }
}
