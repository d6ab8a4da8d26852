package org.bloomgate.content.image;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.zxing.common.BitMatrix;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BlockTextTest {
    private static final String LINK = "https://a.example/x";
    private static final BitMatrix MODULES = DrawnCode.modules(LINK, 2);

    private static Seen seen(String text) {
        Seen seen = new Seen();
        BlockText.read(text.toCharArray(), text.length(), seen);
        return seen;
    }

    /// Two rows of modules in a line of text.
    private static String halves(boolean inked) {
        String blocks = " \u2580\u2584\u2588";
        StringBuilder text = new StringBuilder();
        for (int y = 0; y < MODULES.getHeight(); y += 2) {
            for (int x = 0; x < MODULES.getWidth(); x++) {
                boolean below = y + 1 < MODULES.getHeight() && MODULES.get(x, y + 1) == inked;
                text.append(blocks.charAt((MODULES.get(x, y) == inked ? 1 : 0) + (below ? 2 : 0)));
            }
            text.append('\n');
        }
        return text.toString();
    }

    private static String whole(String dark, String light) {
        StringBuilder text = new StringBuilder();
        for (int y = 0; y < MODULES.getHeight(); y++) {
            for (int x = 0; x < MODULES.getWidth(); x++) {
                text.append(MODULES.get(x, y) ? dark : light);
            }
            text.append("\r\n");
        }
        return text.toString();
    }

    @Test
    void halfBlocksAreRead() {
        assertEquals(Set.of(LINK), seen("Scan this\n\n" + halves(true) + "\nThank you\n").codes);
    }

    @Test
    void whiteOnBlackIsRead() {
        assertEquals(Set.of(LINK), seen(halves(false)).codes);
    }

    @Test
    void fullBlocksAreReadTwoOrOneAModule() {
        assertEquals(Set.of(LINK), seen(whole("\u2588\u2588", "  ")).codes);
        assertEquals(Set.of(LINK), seen(whole("\u2588", "\u00a0")).codes);
    }

    @Test
    void squaresAreRead() {
        assertEquals(Set.of(LINK), seen(whole("\u2b1b", "\u2b1c")).codes);
    }

    @Test
    void linesSpacedByEmptyOnesAreRead() {
        assertEquals(Set.of(LINK), seen(whole("\u2588\u2588", "  ").replace("\r\n", "\n\n")).codes);
    }

    @Test
    void textWithAFewBlocksIsNoDrawing() {
        Seen seen = seen("\u2588 Offer \u2588\n".repeat(200));
        assertEquals(Set.of(), seen.codes);
        assertEquals(Set.of(), seen.limits());
    }

    @Test
    void aDrawingThatIsTooLargeIsNamed() {
        assertEquals(
                Set.of(),
                seen(("\u2588".repeat(BlockText.MAX_SIDE) + "\n").repeat(3)).limits());
        assertEquals(
                Set.of("picturePixels"),
                seen(("\u2588".repeat(BlockText.MAX_SIDE + 1) + "\n").repeat(3)).limits());
    }
}
