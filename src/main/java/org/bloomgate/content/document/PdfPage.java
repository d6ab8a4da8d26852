package org.bloomgate.content.document;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bloomgate.content.document.PdfObjects.Value;
import org.bloomgate.content.document.PdfTokens.Kind;
import org.bloomgate.content.image.Drawing;
import org.bloomgate.core.limit.GrowingText;
import org.bloomgate.core.limit.Limit;

/// Shows a page (ISO 32000-1, 8 and 9) with the forms on it: its text by the places of its glyphs, and filled
/// rectangles and polygons. Used once.
final class PdfPage {
    /// Forms in forms. Hides nothing: deeper ones are read on their own.
    private static final int MAX_DEPTH = 12;

    private static final int MAX_NUMBERS = 8;
    private static final int MAX_STATES = 64;

    /// Numbers of one path; more than a drawing accepts are the limit `qrMarks`.
    private static final int MAX_PATH = 2 * Drawing.MAX_CORNERS;

    private static final double[] UNIT = {1, 0, 0, 1, 0, 0};

    private final PdfObjects objects;
    private final LinkSink finds;
    private final PdfLines lines;
    private final GrowingText replacements;
    private final Drawing drawing = new Drawing();
    private final double[] numbers = new double[MAX_NUMBERS];
    private int count;
    private String name = "";
    private byte[] string = {};
    private Scope scope = new Scope(Map.of(), Map.of(), new HashMap<>());
    private State state = new State();
    private Deque<State> states = new ArrayDeque<>();
    private int depth;

    /// From text to the page, and the same at the beginning of the line.
    private double[] textMatrix = UNIT;

    private double[] lineMatrix = UNIT;
    private double[] path = new double[64];
    private int pathLength;
    private int polygons;

    /// What the operators of a page or a form refer to by name.
    private record Scope(Map<String, Value> fonts, Map<String, Value> forms, Map<String, PdfFont> known) {}

    /// The graphics state, as far as it is needed.
    private static final class State {
        private double[] matrix = UNIT;
        private int fill;
        private PdfFont font = PdfFont.PLAIN;
        private double size = 1;
        private double charSpace;
        private double wordSpace;
        private double stretch = 1;
        private double leading;
        private double rise;

        State copy() {
            State copy = new State();
            copy.matrix = matrix;
            copy.fill = fill;
            copy.font = font;
            copy.size = size;
            copy.charSpace = charSpace;
            copy.wordSpace = wordSpace;
            copy.stretch = stretch;
            copy.leading = leading;
            copy.rise = rise;
            return copy;
        }
    }

    private PdfPage(PdfObjects objects, LinkSink finds) {
        this.objects = objects;
        this.finds = finds;
        this.lines = new PdfLines(finds);
        this.replacements = new GrowingText(finds.allowance(), Limit.PDF_INFLATED);
    }

    /// @param content of all its streams
    /// @param resources the dictionary of names
    static void read(byte[] content, Value resources, PdfObjects objects, LinkSink finds) {
        PdfPage page = new PdfPage(objects, finds);
        page.show(content, resources);
        page.lines.report();
        if (!page.replacements.isEmpty()) {
            finds.addText(page.replacements.toString());
        }
        if (page.drawing.isWorthPainting()) {
            finds.addDrawing(page.drawing);
        }
    }

    /// Shows a content stream; names that its resources do not have are those of the outer one.
    private void show(byte[] content, Value resources) {
        Scope outer = scope;
        State before = state;
        Deque<State> outerStates = states;
        Map<String, Value> names = objects.entries(resources);
        scope = names.isEmpty()
                ? outer
                : new Scope(
                        objects.entries(names.getOrDefault("Font", PdfObjects.NOTHING)),
                        objects.entries(names.getOrDefault("XObject", PdfObjects.NOTHING)),
                        new HashMap<>());
        state = before.copy();
        states = new ArrayDeque<>();
        depth++;
        PdfTokens tokens = new PdfTokens(content, 0, content.length, finds);
        boolean array = false;
        for (Kind kind = tokens.next(); kind != Kind.END; kind = tokens.next()) {
            switch (kind) {
                case STRING -> {
                    if (name.equals("ActualText")) {
                        replacements.append(tokens.decoded());
                        replacements.append('\n');
                        name = "";
                    } else if (array) {
                        text(tokens.string());
                    } else {
                        string = tokens.string();
                    }
                }
                case NAME -> name = tokens.text();
                case NUMBER -> {
                    if (array) {
                        moveBy(-tokens.number() / 1000 * state.size * state.stretch);
                    } else {
                        operand(tokens.number());
                    }
                }
                case ARRAY, END_OF_ARRAY -> array = kind == Kind.ARRAY;
                case WORD -> {
                    operator(tokens.text());
                    count = 0;
                    array = false;
                }
                case DICTIONARY, END_OF_DICTIONARY, END -> {}
            }
        }
        depth--;
        scope = outer;
        state = before;
        states = outerStates;
    }

    private void operand(double value) {
        if (count == MAX_NUMBERS) {
            System.arraycopy(numbers, 1, numbers, 0, MAX_NUMBERS - 1);
            count--;
        }
        numbers[count++] = value;
    }

    /// The operand at this position before the operator; 0 if there is none.
    private double last(int before) {
        return count < before ? 0 : numbers[count - before];
    }

    private double[] lastMatrix() {
        return new double[] {last(6), last(5), last(4), last(3), last(2), last(1)};
    }

    /// Shows the glyphs of a string.
    private void text(byte[] codes) {
        PdfFont font = state.font;
        if (font.isUnread() && codes.length > 0) {
            finds.reached(Limit.PDF_FONTS);
        }
        double[] place = times(textMatrix, state.matrix);
        double length = Math.hypot(place[0], place[1]);
        double along = length * state.stretch;
        lines.begin(
                place[4] + state.rise * place[2],
                place[5] + state.rise * place[3],
                place[0] / length,
                place[1] / length,
                Math.abs(state.size * along));
        double moved = 0;
        for (int i = 0, bytes; i < codes.length; i += bytes) {
            bytes = font.bytes(codes, i);
            int code = bytes == 2 ? (codes[i] & 0xff) << 8 | (codes[i + 1] & 0xff) : codes[i] & 0xff;
            double width = font.width(code) * state.size;
            double advance = width + state.charSpace + (bytes == 1 && code == ' ' ? state.wordSpace : 0);
            lines.add(font.text(code), width * along, advance * along);
            moved += advance;
        }
        moveBy(moved * state.stretch);
    }

    /// Moves the place of the next glyph along the baseline.
    private void moveBy(double distance) {
        textMatrix = times(new double[] {1, 0, 0, 1, distance, 0}, textMatrix);
    }

    private void nextLine(double right, double up) {
        lineMatrix = times(new double[] {1, 0, 0, 1, right, up}, lineMatrix);
        textMatrix = lineMatrix;
    }

    /// Shows a form at its place, unless that was done often.
    private void form(Value place) {
        int object = objects.reference(place);
        if (depth < MAX_DEPTH && object >= 0 && objects.mayShow(object)) {
            Map<String, Value> form = objects.entries(place);
            long before = finds.allowance().heap();
            State outer = state;
            state = outer.copy();
            PdfTokens matrix = objects.array(form.getOrDefault("Matrix", PdfObjects.NOTHING));
            for (count = 0; count < 6 && matrix.next() == Kind.NUMBER; ) {
                operand(matrix.number());
            }
            state.matrix = times(count == 6 ? lastMatrix() : UNIT, state.matrix);
            double[] text = textMatrix;
            double[] line = lineMatrix;
            show(objects.form(object), form.getOrDefault("Resources", PdfObjects.NOTHING));
            textMatrix = text;
            lineMatrix = line;
            state = outer;
            finds.allowance().heapBackTo(before);
        }
    }

    private PdfFont font(String name) {
        PdfFont known = scope.known.get(name);
        if (known == null) {
            known = objects.font(scope.fonts.getOrDefault(name, objects.named(name)));
            scope.known.put(name, known);
        }
        return known;
    }

    private void operator(String operator) {
        switch (operator) {
            case "Tf" -> {
                state.font = font(name);
                state.size = last(1);
            }
            case "Tc" -> state.charSpace = last(1);
            case "Tw" -> state.wordSpace = last(1);
            case "Tz" -> state.stretch = last(1) / 100;
            case "TL" -> state.leading = last(1);
            case "Ts" -> state.rise = last(1);
            case "BT" -> {
                textMatrix = UNIT;
                lineMatrix = UNIT;
            }
            case "Td" -> nextLine(last(2), last(1));
            case "TD" -> {
                state.leading = -last(1);
                nextLine(last(2), last(1));
            }
            case "Tm" -> {
                lineMatrix = lastMatrix();
                textMatrix = lineMatrix;
            }
            case "T*" -> nextLine(0, -state.leading);
            case "Tj" -> text(string);
            case "'", "\"" -> {
                if (operator.equals("\"")) {
                    state.wordSpace = last(2);
                    state.charSpace = last(1);
                }
                nextLine(0, -state.leading);
                text(string);
            }
            case "Do" -> form(scope.forms.getOrDefault(name, objects.named(name)));
            case "q" -> {
                if (states.size() < MAX_STATES) {
                    states.push(state.copy());
                }
            }
            case "Q" -> {
                if (!states.isEmpty()) {
                    state = states.pop();
                }
            }
            case "cm" -> state.matrix = times(lastMatrix(), state.matrix);
            case "g" -> state.fill = shade(last(1), last(1), last(1));
            case "rg" -> state.fill = shade(last(3), last(2), last(1));
            case "k" -> state.fill = shade(1 - last(4) - last(1), 1 - last(3) - last(1), 1 - last(2) - last(1));
            case "sc", "scn" ->
                state.fill = count == 1
                        ? shade(last(1), last(1), last(1))
                        : count == 3
                                ? shade(last(3), last(2), last(1))
                                : count == 4
                                        ? shade(1 - last(4) - last(1), 1 - last(3) - last(1), 1 - last(2) - last(1))
                                        : state.fill;
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
        path[pathLength++] = state.matrix[0] * x + state.matrix[2] * y + state.matrix[4];
        path[pathLength++] = -(state.matrix[1] * x + state.matrix[3] * y + state.matrix[5]);
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
                    drawing.polygons(Arrays.copyOf(path, pathLength), polygons, state.fill);
                    return;
                }
                rectangles.add(Arrays.copyOfRange(path, from, i));
                from = i + 2;
            }
        }
        for (double[] one : rectangles) {
            double x = Math.min(one[0], one[4]);
            double y = Math.min(one[1], one[5]);
            drawing.rectangle(x, y, Math.abs(one[4] - one[0]), Math.abs(one[5] - one[1]), state.fill);
        }
    }

    private boolean isRectangle(int from, int to) {
        return (to - from == 8 || to - from == 10)
                && (path[from] == path[from + 2] || path[from + 1] == path[from + 3])
                && (path[from + 4] == path[from + 6] || path[from + 5] == path[from + 7]);
    }
}
