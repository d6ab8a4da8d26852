package org.bloomgate.content.document;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import org.bloomgate.content.image.Drawing;
import org.bloomgate.core.limit.GrowingText;
import org.bloomgate.core.limit.Limit;

/// Reads the content stream of a page (ISO 32000-1, 8 and 9): its text in the order of the stream, and filled
/// rectangles and polygons. The text gets a new line where its position moves down, and a blank where it moves
/// far to the right.
///
/// Linear in the stream. Used once.
final class PdfPage {
    /// The gap between two words, in thousandths of the font size.
    private static final double WORD_GAP = -180;

    private static final int MAX_NUMBERS = 8;
    private static final int MAX_STATES = 64;

    /// Numbers of one path; more than a drawing accepts are the limit `qrMarks`.
    private static final int MAX_PATH = 2 * Drawing.MAX_CORNERS;

    private static final double[] UNIT = {1, 0, 0, 1, 0, 0};

    private final byte[] stream;
    private final PdfText strings;
    private final Function<String, List<PdfCharacters>> fonts;
    private final LinkSink finds;
    private final GrowingText text;

    /// The same text by the other fonts of the same name, a line for each string.
    private final GrowingText otherText;

    private final Drawing drawing = new Drawing();
    private final double[] numbers = new double[MAX_NUMBERS];
    private int count;
    private int at;
    private String name = "";
    private List<PdfCharacters> font = List.of(PdfCharacters.PLAIN);
    private List<PdfCharacters> others = List.of();
    private double[] matrix = UNIT;
    private int fill;
    private final Deque<State> states = new ArrayDeque<>();
    private double[] path = new double[64];
    private int pathLength;
    private int polygons;
    private boolean array;

    @SuppressWarnings("ArrayRecordComponent")
    private record State(double[] matrix, int fill) {}

    private PdfPage(byte[] stream, Function<String, List<PdfCharacters>> fonts, LinkSink finds) {
        this.stream = stream;
        this.strings = new PdfText(stream, stream.length);
        this.fonts = fonts;
        this.finds = finds;
        this.text = new GrowingText(finds.allowance(), Limit.PDF_INFLATED);
        this.otherText = new GrowingText(finds.allowance(), Limit.PDF_INFLATED);
    }

    /// @param fonts the character maps of a font, by its name on the page
    static void read(byte[] stream, Function<String, List<PdfCharacters>> fonts, LinkSink finds) {
        if (!finds.spend(4L * stream.length)) {
            return;
        }
        PdfPage page = new PdfPage(stream, fonts, finds);
        page.read();
        finds.addText(page.text.toString());
        if (!page.otherText.isEmpty()) {
            finds.addText(page.otherText.toString());
        }
        if (page.drawing.isWorthPainting()) {
            finds.addDrawing(page.drawing);
        }
    }

    private void read() {
        while (at < stream.length && !strings.exhausted()) {
            byte c = stream[at++];
            if (c == '(') {
                strings.literal(at, finds);
                at = strings.behind();
                show(strings.raw());
            } else if (c == '<' && at < stream.length && stream[at] != '<') {
                strings.hexadecimal(at);
                at = strings.behind();
                show(strings.raw());
            } else if (c == '/') {
                name = strings.name(at);
                at = strings.behind();
            } else if (c == '%') {
                while (at < stream.length && stream[at] != '\n' && stream[at] != '\r') {
                    at++;
                }
            } else if (c == '[' || c == ']') {
                array = c == '[';
            } else if ((c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.') {
                number();
            } else if (PdfText.isRegular(c)) {
                int from = at - 1;
                while (at < stream.length && PdfText.isRegular(stream[at])) {
                    at++;
                }
                operator(new String(stream, from, Math.min(at - from, 4), StandardCharsets.ISO_8859_1));
                count = 0;
            }
        }
    }

    private void number() {
        int from = at - 1;
        while (at < stream.length
                && ((stream[at] >= '0' && stream[at] <= '9') || stream[at] == '.' || stream[at] == '-')) {
            at++;
        }
        double value = value(from, at);
        if (array) {
            if (value < WORD_GAP && !text.isEmpty() && text.last() > ' ') {
                text.append(' ');
            }
            return;
        }
        if (count == MAX_NUMBERS) {
            System.arraycopy(numbers, 1, numbers, 0, MAX_NUMBERS - 1);
            count--;
        }
        numbers[count++] = value;
    }

    private double value(int from, int to) {
        double value = 0;
        double place = 0;
        boolean negative = false;
        for (int i = from; i < to; i++) {
            byte c = stream[i];
            negative |= c == '-';
            if (c == '.') {
                place = place == 0 ? 1 : place;
            } else if (c >= '0' && c <= '9') {
                value = value * 10 + c - '0';
                place *= 10;
            }
        }
        value = place > 1 ? value / place : value;
        return negative ? -value : value;
    }

    /// The operand at this position before the operator; 0 if there is none.
    private double last(int before) {
        return count < before ? 0 : numbers[count - before];
    }

    private void show(byte[] shown) {
        if (finds.spend(2L * shown.length)) {
            font.getFirst().append(shown, text, finds);
            for (PdfCharacters other : others) {
                other.append(shown, otherText, finds);
                otherText.append('\n');
            }
        }
    }

    private void operator(String operator) {
        switch (operator) {
            case "Tf" -> {
                List<PdfCharacters> all = fonts.apply(name);
                font = all.subList(0, 1);
                others = all.subList(1, all.size());
            }
            case "Td", "TD" -> moved(last(2), last(1));
            case "T*", "'", "\"", "BT", "ET" -> newLine();
            case "Tm" -> moved(0, 1);
            case "q" -> {
                if (states.size() < MAX_STATES) {
                    states.push(new State(matrix, fill));
                }
            }
            case "Q" -> {
                if (!states.isEmpty()) {
                    State before = states.pop();
                    matrix = before.matrix();
                    fill = before.fill();
                }
            }
            case "cm" -> matrix = times(new double[] {last(6), last(5), last(4), last(3), last(2), last(1)}, matrix);
            case "g" -> fill = shade(last(1), last(1), last(1));
            case "rg" -> fill = shade(last(3), last(2), last(1));
            case "k" -> fill = shade(1 - last(4) - last(1), 1 - last(3) - last(1), 1 - last(2) - last(1));
            case "sc", "scn" ->
                fill = count == 1
                        ? shade(last(1), last(1), last(1))
                        : count == 3
                                ? shade(last(3), last(2), last(1))
                                : count == 4
                                        ? shade(1 - last(4) - last(1), 1 - last(3) - last(1), 1 - last(2) - last(1))
                                        : fill;
            case "re" -> rectangle();
            case "m" -> corner(true, last(2), last(1));
            case "l", "c", "v", "y" -> corner(false, last(2), last(1));
            case "f", "F", "f*", "B", "B*", "b", "b*" -> {
                if (polygons > 0) {
                    filled();
                }
                endPath();
            }
            case "n", "S", "s" -> endPath();
            default -> {}
        }
    }

    private void moved(double right, double down) {
        if (Math.abs(down) > 0.01) {
            newLine();
        } else if (right > 0 && !text.isEmpty() && text.last() > ' ') {
            text.append(' ');
        }
    }

    private void newLine() {
        if (!text.isEmpty() && text.last() != '\n') {
            text.append('\n');
        }
    }

    private static int shade(double red, double green, double blue) {
        double mixed = 0.299 * red + 0.587 * green + 0.114 * blue;
        return (int) Math.clamp(mixed * 255, 0, 255);
    }

    private static double[] times(double[] one, double[] other) {
        return new double[] {
            one[0] * other[0] + one[1] * other[2],
            one[0] * other[1] + one[1] * other[3],
            one[2] * other[0] + one[3] * other[2],
            one[2] * other[1] + one[3] * other[3],
            one[4] * other[0] + one[5] * other[2] + other[4],
            one[4] * other[1] + one[5] * other[3] + other[5]
        };
    }

    private void rectangle() {
        double x = last(4);
        double y = last(3);
        double width = last(2);
        double height = last(1);
        corner(true, x, y);
        corner(false, x + width, y);
        corner(false, x + width, y + height);
        corner(false, x, y + height);
    }

    /// Adds a corner; the y axis is inverted because the origin of a page is at the bottom.
    private void corner(boolean first, double x, double y) {
        if (pathLength + 4 > MAX_PATH) {
            return;
        }
        if (pathLength + 4 > path.length) {
            path = Arrays.copyOf(path, path.length * 2);
        }
        if (first && pathLength > 0) {
            path[pathLength++] = Double.NaN;
            path[pathLength++] = Double.NaN;
        }
        polygons += first ? 1 : 0;
        path[pathLength++] = matrix[0] * x + matrix[2] * y + matrix[4];
        path[pathLength++] = -(matrix[1] * x + matrix[3] * y + matrix[5]);
    }

    private void endPath() {
        pathLength = 0;
        polygons = 0;
    }

    /// Adds the filled path to the drawing: rectangles one by one, because their sides show the size of a
    /// module.
    private void filled() {
        List<double[]> rectangles = new ArrayList<>();
        int from = 0;
        for (int i = 0; i <= pathLength; i += 2) {
            if (i == pathLength || Double.isNaN(path[i])) {
                if (!isRectangle(from, i)) {
                    drawing.polygons(Arrays.copyOf(path, pathLength), polygons, fill);
                    return;
                }
                rectangles.add(Arrays.copyOfRange(path, from, i));
                from = i + 2;
            }
        }
        for (double[] one : rectangles) {
            double x = Math.min(one[0], one[4]);
            double y = Math.min(one[1], one[5]);
            drawing.rectangle(x, y, Math.abs(one[4] - one[0]), Math.abs(one[5] - one[1]), fill);
        }
    }

    private boolean isRectangle(int from, int to) {
        return (to - from == 8 || to - from == 10)
                && (path[from] == path[from + 2] || path[from + 1] == path[from + 3])
                && (path[from + 4] == path[from + 6] || path[from + 5] == path[from + 7]);
    }
}
