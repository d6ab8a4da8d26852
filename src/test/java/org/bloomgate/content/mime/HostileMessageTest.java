package org.bloomgate.content.mime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.bloomgate.content.links.KeyExtractor;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.core.limit.MessageLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Inputs made to be slow, at a reduced size: few of them end with the allowance, and nothing throws.
class HostileMessageTest {
    private static final int BYTES = 200_000;

    /// Each could be what a decoy before it hides, so each is read: to the end of the allowance.
    private static final Set<String> TO_THE_BUDGET = Set.of(
            "pdf strings",
            "pdf strings under an empty password",
            "pdf streams",
            "links within links",
            "quotes of shells in quotes",
            "variables that double",
            "variables that double by parts",
            "commands of commands",
            "formats that double",
            "replacements that double",
            "pdf formatted texts",
            "pdf links below a long base",
            "pdf objects that overlap",
            "pdf streams in base 85",
            "links below long bases",
            "inflated texts in links");

    static Stream<String> htmlPatterns() {
        return Stream.of(HostileMessages.HTML);
    }

    static Stream<String> textPatterns() {
        return Stream.of(HostileMessages.TEXT);
    }

    @ParameterizedTest
    @MethodSource("htmlPatterns")
    void html(String pattern) {
        stays(HostileMessages.ofHtml(pattern, BYTES));
    }

    @ParameterizedTest
    @MethodSource("textPatterns")
    void text(String pattern) {
        stays(HostileMessages.ofText(pattern, BYTES));
    }

    static Stream<String> structures() {
        return HostileMessages.structures().keySet().stream().filter(name -> !TO_THE_BUDGET.contains(name));
    }

    @ParameterizedTest
    @MethodSource("structures")
    void structure(String name) {
        stays(structured(name));
    }

    private static byte[] structured(String name) {
        return Optional.ofNullable(HostileMessages.structures().get(name))
                .orElseThrow()
                .apply(BYTES);
    }

    @Test
    void whatIsWithinItselfEndsWithTheBudget() {
        TO_THE_BUDGET.forEach(
                name -> assertTrue(ReadMessage.of(structured(name)).limits().contains("work"), name));
    }

    /// Without a bound of its own: the square of four million characters takes a minute of a processor, in which no
    /// work is drawn.
    @Test
    @Timeout(30)
    void parametersOfALongLineAreReadOnce() {
        byte[] line = Optional.ofNullable(HostileMessages.structures().get("parameters of a calendar"))
                .orElseThrow()
                .apply(4_000_000);
        assertEquals(Set.of(), ReadMessage.of(line).limits());
    }

    /// What is unpacked adds to the allowance of work, so each way to unpack has a bound for the whole message.
    @ParameterizedTest
    @CsvSource({
        "bomb zip of PDFs, pdfInflated",
        "bomb zip of compressed messages, archiveBytes",
        "bomb zip of long pictures, archiveBytes"
    })
    void manyFilesThatInflateEndWithTheirBytes(String name, String limit) {
        byte[] message =
                Optional.ofNullable(HostileBombs.all().get(name)).orElseThrow().apply(0);
        assertTrue(ReadMessage.of(message).limits().contains(limit));
    }

    @Test
    void threePdfsMayInflateAsMuchAsEachMay() {
        assertEquals(Set.of(), ReadMessage.of(HostileBombs.zipOfPdfs(3)).limits());
        assertEquals(
                Set.of("pdfInflated"), ReadMessage.of(HostileBombs.zipOfPdfs(4)).limits());
    }

    /// Each line stands for more than thirty times its bytes.
    @Test
    void fileOfShortLinesEndsWithTheLengthOfItsText() {
        byte[] message = structured("short lines of a file in a text");
        assertEquals(Set.of("archiveRatio"), ReadMessage.of(message).limits());
    }

    @Test
    void picturesFullOfMarksEndWithTheirSearch() {
        byte[] pictures = Optional.ofNullable(HostileBombs.all().get("bomb pictures of marks"))
                .orElseThrow()
                .apply(0);
        assertEquals(Set.of("qrMarks"), ReadMessage.of(pictures).limits());
    }

    private static void stays(byte[] bytes) {
        Allowance allowance = new Allowance(MessageLimits.defaults());
        KeyBatch batch = new KeyBatch();
        try {
            KeyExtractor keys = new KeyExtractor(PublicSuffixes.bundled(), Set.of(), batch, allowance);
            RecentBytes message = RecentBytes.ofMessage(
                    new ByteArrayInputStream(bytes), allowance, new byte[RecentBytes.REMEMBERED_BYTES]);
            MessageReader.read(message, keys, new Workspace(new LargeBuffers()), Nesting.NONE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            allowance.keptBackTo(0);
        }
        assertFalse(allowance.reached().contains(Limit.WORK), () -> "" + allowance.reached());
        assertFalse(allowance.reached().contains(Limit.MALFORMED), () -> "" + allowance.reached());
    }

    @Test
    void documentsInDocumentsAreReadToABound() {
        String inner = "<a href=http://deep.example/>";
        for (int i = 0; i < 8; i++) {
            inner = "<iframe srcdoc=\"" + inner.replace("&", "&amp;").replace("\"", "&quot;") + "\">";
        }
        stays(("Content-Type: text/html\r\n\r\n" + inner).getBytes(StandardCharsets.UTF_8));
        assertTrue(List.of(0, 1, 2, 3).stream().allMatch(HostileMessageTest::isFoundAtDepth));
    }

    private static boolean isFoundAtDepth(int depth) {
        String inner = "<a href=http://deep.example/>";
        for (int i = 0; i < depth; i++) {
            inner = "<iframe srcdoc=\"" + inner.replace("&", "&amp;").replace("\"", "&quot;") + "\">";
        }
        return ReadMessage.html(inner).holds("deep.example");
    }
}
