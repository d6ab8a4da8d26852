package org.bloomgate.content.image;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bloomgate.core.limit.Limit;

/// Finds codes that are drawn in text: lines of block elements (U+2580 to U+259F) or of black and white
/// squares, with blanks between them. A line with any other character ends the drawing; an empty line may be
/// spacing.
public final class BlockText {
    /// A code needs at least so many of these characters.
    static final int FEWEST_BLOCKS = 64;

    /// The lines and columns of one drawing: version 40 with two characters a module, and a margin.
    static final int MAX_SIDE = 400;

    private static final String DARK_SQUARES = "\u25a0\u25aa\u25fc\u25fe\u2b1b";
    private static final String LIGHT_SQUARES = "\u25a1\u25a2\u25ab\u25fb\u25fd\u2b1c";

    /// The last of the squares. Most text that is not ASCII has characters above it.
    private static final char LAST_SQUARE = '\u2b1c';

    /// The quarters that U+2596 to U+259F fill: 1 and 2 are above, 4 and 8 below.
    private static final int[] QUARTERS = {4, 8, 1, 13, 9, 7, 11, 2, 6, 14};

    private final ImageVisitor looking;
    private final List<String> lines = new ArrayList<>();
    private int columns;

    private BlockText(ImageVisitor looking) {
        this.looking = looking;
    }

    public static void read(char[] text, int length, ImageVisitor looking) {
        int blocks = 0;
        for (int i = 0; i < length; i++) {
            blocks += text[i] >= '\u2580' && isBlock(text[i]) ? 1 : 0;
        }
        if (blocks >= FEWEST_BLOCKS) {
            new BlockText(looking).read(new String(text, 0, length));
        }
    }

    private void read(String text) {
        text.lines().forEach(this::line);
        draw();
    }

    private void line(String line) {
        boolean drawn = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (isBlock(c)) {
                drawn = true;
            } else if (c > ' ' && !Character.isSpaceChar(c)) {
                draw();
                return;
            }
        }
        if (drawn) {
            if (lines.size() == MAX_SIDE || line.stripTrailing().length() > MAX_SIDE) {
                looking.reached(Limit.PICTURE_PIXELS);
                draw();
                return;
            }
            lines.add(line);
            columns = Math.max(columns, Math.min(MAX_SIDE, line.length()));
        }
    }

    /// Whether this is a block element or a square.
    public static boolean isBlock(char c) {
        return (c >= '\u2580' && c <= '\u259f') || (c <= LAST_SQUARE && isSquare(c));
    }

    private static boolean isSquare(char c) {
        return DARK_SQUARES.indexOf(c) >= 0 || LIGHT_SQUARES.indexOf(c) >= 0;
    }

    /// Draws the lines with characters that are twice as high as wide, and with square ones, which a style or
    /// the characters themselves may produce.
    private void draw() {
        if (columns >= Codes.SMALLEST_SIDE && lines.size() * 2 >= Codes.SMALLEST_SIDE) {
            draw(2);
            draw(4);
        }
        lines.clear();
        columns = 0;
    }

    private void draw(int wide) {
        int high = 4;
        int width = columns * wide;
        int height = lines.size() * high;
        if (!looking.take(0, width, height)) {
            return;
        }
        byte[] shades = new byte[width * height];
        Arrays.fill(shades, (byte) 255);
        for (int row = 0; row < lines.size(); row++) {
            String line = lines.get(row);
            for (int column = 0; column < Math.min(columns, line.length()); column++) {
                for (int pixel = 0; pixel < wide * high; pixel++) {
                    int x = pixel % wide;
                    int y = pixel / wide;
                    if (isInked(line.charAt(column), x * 8 / wide, y * 8 / high)) {
                        shades[(row * high + y) * width + column * wide + x] = 0;
                    }
                }
            }
        }
        Codes.read(new Shades(width, height, shades), looking);
    }

    /// @param x from 0 at the left to 7
    /// @param y from 0 at the top to 7
    private static boolean isInked(char c, int x, int y) {
        if (c >= '\u2596' && c <= '\u259f') {
            return (QUARTERS[c - '\u2596'] >> (x / 4 + y / 4 * 2) & 1) == 1;
        }
        if (c >= '\u2581' && c <= '\u2588') {
            return 7 - y < c - '\u2580';
        }
        if (c >= '\u2589' && c <= '\u258f') {
            return x < '\u2590' - c;
        }
        return switch (c) {
            case '\u2580' -> y < 4;
            case '\u2590' -> x >= 4;
            case '\u2592', '\u2593' -> true;
            case '\u2594' -> y == 0;
            case '\u2595' -> x == 7;
            default -> DARK_SQUARES.indexOf(c) >= 0;
        };
    }

    /// The inked rectangles of a block character: their left, upper, right and lower sides as shares of it.
    public static List<double[]> ink(char c) {
        List<double[]> ink = new ArrayList<>();
        if (c >= '\u2596' && c <= '\u259f') {
            for (int quarter = 0; quarter < 4; quarter++) {
                double x = quarter % 2 * 0.5;
                double y = quarter / 2 * 0.5;
                if (isInked(c, (int) (x * 8), (int) (y * 8))) {
                    ink.add(new double[] {x, y, x + 0.5, y + 0.5});
                }
            }
            return ink;
        }
        double[] sides = {8, 8, 0, 0};
        for (int i = 0; i < 64; i++) {
            if (isInked(c, i % 8, i / 8)) {
                sides[0] = Math.min(sides[0], i % 8);
                sides[1] = Math.min(sides[1], i / 8);
                sides[2] = Math.max(sides[2], i % 8 + 1);
                sides[3] = Math.max(sides[3], i / 8 + 1);
            }
        }
        if (sides[0] < sides[2]) {
            ink.add(new double[] {sides[0] / 8, sides[1] / 8, sides[2] / 8, sides[3] / 8});
        }
        return ink;
    }
}
