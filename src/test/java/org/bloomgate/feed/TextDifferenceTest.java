package org.bloomgate.feed;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextDifferenceTest {
    private static final String HEAD = "0123456789abcde\n".repeat(TextDifference.HEAD_BYTES / 16);

    @TempDir
    private Path folder;

    private Optional<TextDifference> difference(String before, String after) throws IOException {
        Path one = Files.writeString(folder.resolve("before"), before, ISO_8859_1);
        Path other = Files.writeString(folder.resolve("after"), after, ISO_8859_1);
        return TextDifference.of(one, other);
    }

    private void requireLines(String before, String after, String less, String more) throws IOException {
        TextDifference lines = difference(before, after).orElseThrow();
        assertEquals(less, new String(lines.before(), ISO_8859_1));
        assertEquals(more, new String(lines.after(), ISO_8859_1));
    }

    /// A bar stands for the end of a line.
    @ParameterizedTest
    @CsvSource({
        "a|b|c|, a|x|c|, b|, x|",
        "a|b|c|, a|c|, b|, ''",
        "a|c|, a|b|c|, '', b|",
        "a|b|c, a|b|x, c, x",
        "a|b|c, a|b|c|, c, c|",
        "a|aa|aaa|d|, a|aa|aa|aaa|d|, '', aa|",
        "a|aa|d|, a|aa|aa|aa|d|, '', aa|aa|",
        "a|b1|d|, a|b2|d|, b1|, b2|",
        "a|1b|d|, a|2b|d|, 1b|, 2b|",
        "a|b|, a|b|, '', ''"
    })
    void wholeLinesBehindTheHead(String before, String after, String less, String more) throws IOException {
        String tail = "tail\nof both\n";
        TextDifference lines = difference(
                        HEAD + before.replace('|', '\n') + "\n" + tail, HEAD + after.replace('|', '\n') + "\n" + tail)
                .orElseThrow();
        assertReplaces(
                HEAD + before.replace('|', '\n') + "\n" + tail, HEAD + after.replace('|', '\n') + "\n" + tail, lines);
        int room = less.length() + more.length() + 12;
        assertTrue(lines.before().length <= room && lines.after().length <= room);
    }

    @Test
    void theHeadIsPartOfIt() throws IOException {
        String tail = "tail\n";
        requireLines("x\n" + HEAD + tail, "y\n" + HEAD + tail, "x\n" + HEAD, "y\n" + HEAD);
        requireLines("short\n", "other\n", "short\n", "other\n");
        requireLines("", "a\n", "", "a\n");
        requireLines("a\n", "", "a\n", "");
    }

    @Test
    void aDifferenceMayBeSoLargeAndNoLarger() throws IOException {
        String most = "y".repeat(TextDifference.MAX_BYTES - 1) + "\n";
        assertEquals(
                TextDifference.MAX_BYTES,
                difference(HEAD, HEAD + most).orElseThrow().after().length);
        assertTrue(difference(HEAD, HEAD + "y" + most).isEmpty());
        assertTrue(difference(HEAD + "y" + most, HEAD).isEmpty());
    }

    @Test
    void linesInPlaceOfLinesGiveTheOtherText() throws IOException {
        SplittableRandom random = new SplittableRandom(11);
        for (int round = 0; round < 400; round++) {
            String before = (random.nextBoolean() ? HEAD : "") + text(random, random.nextInt(12_000));
            String after = edited(before, random);
            assertReplaces(before, after, difference(before, after).orElseThrow());
        }
    }

    private static String text(SplittableRandom random, int length) {
        StringBuilder text = new StringBuilder();
        while (text.length() < length) {
            text.append(random.nextInt(4) == 0 ? '\n' : (char) ('a' + random.nextInt(2)));
        }
        return text.toString();
    }

    private static String edited(String before, SplittableRandom random) {
        StringBuilder after = new StringBuilder(before);
        for (int edit = random.nextInt(3); edit >= 0; edit--) {
            int from = random.nextInt(after.length() + 1);
            int to = Math.min(after.length(), from + random.nextInt(30));
            after.replace(from, to, text(random, random.nextInt(30)));
        }
        return after.toString();
    }

    /// Some line of the one text begins lines that are to be others, and then it is the other text.
    private static void assertReplaces(String before, String after, TextDifference lines) {
        String less = new String(lines.before(), ISO_8859_1);
        String more = new String(lines.after(), ISO_8859_1);
        boolean found = false;
        for (int at = 0; at >= 0 && !found; at = before.indexOf('\n', at) < 0 ? -1 : before.indexOf('\n', at) + 1) {
            int end = at + less.length();
            found = before.startsWith(less, at)
                    && before.length() - end == after.length() - at - more.length()
                    && after.startsWith(more, at)
                    && before.regionMatches(0, after, 0, at)
                    && before.substring(end).equals(after.substring(at + more.length()))
                    && (end == before.length() || end == 0 || before.charAt(end - 1) == '\n' || less.isEmpty());
        }
        assertTrue(found, () -> less.length() + " octets for " + more.length());
    }
}
