package org.bloomgate.content.image;

import com.google.zxing.common.BitArray;
import com.google.zxing.common.BitMatrix;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.bloomgate.core.limit.Limit;

/// Searches for finder patterns: rows are divided into dark and light runs. Where five runs are about
/// 1:1:3:1:1, the same ratio is checked vertically and diagonally, because a line through the center of such a
/// mark has this ratio in any direction, even in a compressed picture. Pixels beyond the edge are light.
///
/// Linear in the pixels: the pixels that are read across the rows are bounded by [#STEPS_PER_PIXEL].
final class Corners {
    /// The number of marks that are used: those of 32 codes.
    static final int MAX_CORNERS = 96;

    /// The number of marks that are kept during the search; those found in most rows are used.
    private static final int MAX_FOUND = 4096;

    /// The width of a mark in pixels below which all of its modules are checked.
    private static final int SMALL_MARK = 14;

    /// The number of wrong modules that are accepted, of the 49 of a mark.
    private static final int MOST_WRONG = 4;

    /// How far up a mark may have been found before, in modules.
    private static final int ROWS_BACK = 8;

    /// Pixels that are read across the rows for each pixel; ordinary pictures need less than one.
    private static final int STEPS_PER_PIXEL = 3;

    private static final int STEPS_PER_WORK = 4;

    private final BitMatrix dark;
    private final int width;
    private final int height;
    private final List<Corner> found = new ArrayList<>();
    private final int[] runs = new int[5];
    private long steps;

    /// The edges of the last two runs of dark pixels.
    private int first;

    private int second;
    private int third;
    private int fourth;

    /// Half of the difference between the two halves of the middle run.
    private float shift;

    private Corners(BitMatrix dark) {
        this.dark = dark;
        this.width = dark.getWidth();
        this.height = dark.getHeight();
        this.steps = (long) width * height * STEPS_PER_PIXEL;
    }

    /// The marks of a picture, those found in most rows first.
    static List<Corner> of(BitMatrix dark, ImageVisitor looking) {
        Corners corners = new Corners(dark);
        long most = corners.steps;
        corners.search();
        if (!looking.search((most - corners.steps) / STEPS_PER_WORK)) {
            return List.of();
        }
        List<Corner> sure = new ArrayList<>(corners.found);
        sure.removeIf(corner -> corner.seen() < 2);
        sure.sort(Comparator.comparingInt(Corner::seen).reversed());
        if (sure.size() > MAX_CORNERS || corners.isFull()) {
            looking.reached(Limit.QR_MARKS);
            return sure.subList(0, Math.min(MAX_CORNERS, sure.size()));
        }
        return sure;
    }

    private boolean isFull() {
        return found.size() == MAX_FOUND || steps <= 0;
    }

    private void search() {
        BitArray row = new BitArray(width);
        for (int y = 0; y < height && !isFull(); y++) {
            row = dark.getRow(y, row);
            search(row.getBitArray(), y);
        }
    }

    /// Goes from edge to edge, in steps of 32 pixels where there is no edge.
    private void search(int[] row, int y) {
        int seen = 0;
        int from = 0;
        int before = 0;
        for (int start = 0; start < width && !isFull(); start += Integer.SIZE) {
            int pixels = pixels(row[start / Integer.SIZE], start);
            int edges = pixels ^ (pixels << 1 | before);
            for (; edges != 0; edges &= edges - 1) {
                int bit = Integer.numberOfTrailingZeros(edges);
                if ((pixels >>> bit & 1) == 1) {
                    from = start + bit;
                } else {
                    take(from, start + bit, y, ++seen);
                }
            }
            before = pixels >>> (Integer.SIZE - 1);
        }
        if (before == 1 && !isFull()) {
            take(from, width, y, ++seen);
        }
    }

    /// Handles a run of dark pixels, which may be the last one of a mark.
    ///
    /// @param seen number of runs of this row, including this one
    private void take(int from, int to, int y, int seen) {
        if (seen > 2 && isMark(second - first, third - second, fourth - third, from - fourth, to - from)) {
            look((third + fourth) / 2, y, to - first);
        }
        first = third;
        second = fourth;
        third = from;
        fourth = to;
    }

    /// The 32 pixels of the row from `start` on; those beyond the edge are light.
    private int pixels(int word, int start) {
        return width - start >= Integer.SIZE ? word : word & ((1 << (width - start)) - 1);
    }

    /// Whether the runs are 1, 1, 3, 1 and 1 modules long, with a tolerance of 0.55 modules and 0.3 pixels,
    /// three times that for the middle one. Multiplied by 140, all numbers are integers, which do not overflow
    /// for any picture. There is one branch for all, because a processor cannot predict ten branches in noise.
    private static boolean isMark(int dark, int light, int middle, int otherLight, int otherDark) {
        int all = dark + light + middle + otherLight + otherDark;
        int least = 9 * all - 42;
        int most = 31 * all + 42;
        int within = (140 * dark - least)
                | (most - 140 * dark)
                | (140 * light - least)
                | (most - 140 * light)
                | (140 * middle - 3 * least)
                | (3 * most - 140 * middle)
                | (140 * otherLight - least)
                | (most - 140 * otherLight)
                | (140 * otherDark - least)
                | (most - 140 * otherDark)
                | (all - 7);
        return within >= 0;
    }

    /// Checks a mark across the row in which the runs are right.
    private void look(int x, int y, int across) {
        if (!dark.get(x, y) || !crosses(x, y, 0, 1, across)) {
            return;
        }
        float middleY = y + shift;
        int upright = runs[0] + runs[1] + runs[2] + runs[3] + runs[4];
        if (!crosses(x, Math.round(middleY), 1, 0, across)) {
            return;
        }
        float middleX = x + shift;
        boolean small = across < SMALL_MARK;
        if (small
                ? isWhole(Math.round(middleX), Math.round(middleY), across / 7f, upright / 7f)
                : crosses(Math.round(middleX), Math.round(middleY), 1, 1, across)) {
            note(middleX + 0.5f, middleY + 0.5f, (across + upright) / 14f, (float) across / upright);
        }
    }

    /// Whether all modules of a small mark that is not rotated are right: in so few pixels, its middle lines
    /// occur by chance.
    private boolean isWhole(int x, int y, float wide, float high) {
        int wrong = 0;
        for (int row = -3; row <= 3 && wrong <= MOST_WRONG; row++) {
            int atY = Math.round(y + row * high);
            for (int column = -3; column <= 3; column++) {
                int ring = Math.max(Math.abs(row), Math.abs(column));
                int atX = Math.round(x + column * wide);
                boolean isDark = atX >= 0 && atX < width && atY >= 0 && atY < height && dark.get(atX, atY);
                wrong += isDark == (ring == 2) ? 1 : 0;
            }
            steps -= 7;
        }
        return wrong <= MOST_WRONG;
    }

    /// Measures the five runs through a point.
    ///
    /// @param across about the length of all runs together, which each single run has to be shorter than
    private boolean crosses(int x, int y, int stepX, int stepY, int across) {
        int ahead = half(x, y, stepX, stepY, across, 2);
        int back = half(x, y, -stepX, -stepY, across, 0);
        if (ahead < 0 || back < 0) {
            return false;
        }
        runs[2] = ahead + back - 1;
        shift = (ahead - back) / 2f;
        return isMark(runs[0], runs[1], runs[2], runs[3], runs[4]);
    }

    /// Measures the runs on one side of a point: light and dark in `runs[1]` and `[0]`, or `[3]` and `[4]`.
    ///
    /// @return the pixels of the middle run from the point on, including it; -1 if any run is too long
    private int half(int x, int y, int stepX, int stepY, int across, int side) {
        int middle = run(x, y, stepX, stepY, true, across);
        int light = run(x + middle * stepX, y + middle * stepY, stepX, stepY, false, across);
        int both = middle + light;
        int outer = run(x + both * stepX, y + both * stepY, stepX, stepY, true, across);
        runs[side == 0 ? 1 : 3] = light;
        runs[side == 0 ? 0 : 4] = outer;
        return middle == 0 || middle >= across || light >= across || outer >= across ? -1 : middle;
    }

    private int run(int x, int y, int stepX, int stepY, boolean ofDark, int most) {
        int inside = Math.min(most, Math.min(toEdge(x, stepX, width), toEdge(y, stepY, height)));
        int length = 0;
        int atX = x;
        int atY = y;
        while (length < inside && dark.get(atX, atY) == ofDark) {
            length++;
            atX += stepX;
            atY += stepY;
        }
        if (length == inside && !ofDark) {
            length = most;
        }
        steps -= length;
        return length;
    }

    /// The number of steps from a position that stay in the picture.
    private static int toEdge(int at, int step, int side) {
        if (step == 0) {
            return Integer.MAX_VALUE;
        }
        return Math.max(0, step > 0 ? side - at : at + 1);
    }

    private void note(float x, float y, float module, float stretch) {
        for (int i = found.size() - 1; i >= 0 && y - found.get(i).y() <= ROWS_BACK * module * 2; i--) {
            steps--;
            if (found.get(i).isNear(x, y, module)) {
                found.set(i, found.get(i).and(x, y, module, stretch));
                return;
            }
        }
        if (found.size() < MAX_FOUND) {
            found.add(new Corner(x, y, module, stretch, 1));
        }
    }
}
