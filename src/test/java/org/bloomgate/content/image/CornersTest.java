package org.bloomgate.content.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.zxing.common.BitMatrix;
import java.util.List;
import org.junit.jupiter.api.Test;

class CornersTest {
    private static final int MODULE = 3;
    private static final int SIDE = 7 * MODULE;

    /// A light picture that was made by turning a dark one over, so that the words of its rows hold dark pixels beyond
    /// the edge.
    private static BitMatrix light(int width, int height) {
        BitMatrix picture = new BitMatrix(width, height);
        picture.flip();
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                picture.unset(x, y);
            }
        }
        return picture;
    }

    private static void draw(BitMatrix picture, int left, int top) {
        for (int y = 0; y < SIDE; y++) {
            for (int x = 0; x < SIDE; x++) {
                int ring = Math.max(Math.abs(x / MODULE - 3), Math.abs(y / MODULE - 3));
                if (ring != 2) {
                    picture.set(left + x, top + y);
                }
            }
        }
    }

    @Test
    void aMarkIsFoundWhereverARowsWordsEnd() {
        for (int width = SIDE; width <= SIDE + 70; width++) {
            for (int left : new int[] {0, (width - SIDE) / 2, width - SIDE}) {
                BitMatrix picture = light(width, SIDE);
                draw(picture, left, 0);
                List<Corner> found = Corners.of(picture, new Seen());
                assertEquals(1, found.size(), width + " wide, at " + left);
                assertEquals(left + SIDE / 2f, found.getFirst().x(), 0.6);
                assertEquals(SIDE / 2f, found.getFirst().y(), 0.6);
                assertEquals(MODULE, found.getFirst().module(), 0.1);
            }
        }
    }

    @Test
    void whatIsNoMarkIsNone() {
        BitMatrix picture = light(3 * SIDE, SIDE);
        for (int y = 0; y < SIDE; y++) {
            for (int x = 0; x < 3 * SIDE; x += 2 * MODULE) {
                picture.setRegion(x, y, MODULE, 1);
            }
        }
        assertTrue(Corners.of(picture, new Seen()).isEmpty());
    }
}
