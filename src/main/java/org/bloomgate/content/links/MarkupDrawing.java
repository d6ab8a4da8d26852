package org.bloomgate.content.links;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bloomgate.content.html.HtmlElement;
import org.bloomgate.content.html.HtmlEntities;
import org.bloomgate.content.html.HtmlTokenizer;
import org.bloomgate.content.html.TextBuffer;
import org.bloomgate.content.image.Drawing;
import org.bloomgate.content.image.ImageVisitor;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.text.TextScan;

/// Finds codes that a document draws with table cells, with blocks side by side, with box shadows or with SVG
/// shapes. It reads the document a second time, and only if the document has as many coloured elements as a
/// code needs.
///
/// This is not the layout of a browser: cells follow each other in rows, and rows follow each other, with the
/// sizes that they state. Linear in the document.
public final class MarkupDrawing implements HtmlTokenizer.Sink {
    /// Fewer marks of colour draw no code.
    private static final int FEWEST_MARKS = 40;

    /// Cells, or elements with a name of one letter, whose colours a style sheet may give.
    private static final int FEWEST_CELLS = 400;

    /// A style or path of this length may be a drawing by itself.
    private static final int LONG_VALUE = 1_000;

    /// Rules of style sheets, by element or class: hides nothing, a code needs two.
    private static final int MAX_RULES = 1_000;

    /// Classes of one element: hides nothing, a code needs two.
    private static final int MAX_CLASSES = 8;

    private static final long WORK_PER_CLASS = 8;
    private static final long WORK_PER_SHADOW_CHAR = 5;

    /// Characters of a value that are read for a unit of work.
    private static final int CHARS_READ = 8;

    /// The properties that say where a shape is and how dark.
    private static final Set<String> PROPERTIES = Set.of(
            "background",
            "background-color",
            "box-shadow",
            "display",
            "fill",
            "float",
            "grid-template-columns",
            "height",
            "left",
            "stroke",
            "stroke-width",
            "top",
            "width");

    /// Cells that reach into further rows.
    private static final int MAX_SPANS = 64;

    /// Blocks and rows around a cell.
    private static final int MAX_LINES = 64;

    /// The side of a cell that states none.
    private static final double USUAL_SIDE = 4;

    /// Wider blocks are no module, but hold a line of them.
    private static final double WIDEST_MODULE = 64;

    private static final int MOST_COLUMNS = 1_000;

    /// Four lengths, a colour and `inset`, and what is behind them.
    private static final int MAX_SHADOW_WORDS = 8;
    private static final String[] MARKS = {"bgcolor", "background", "<rect", "<use", "<circle"};

    private final char[] html;
    private final ImageVisitor looking;
    private final TextBuffer decoded = new TextBuffer(64);
    private final Map<String, Map<String, String>> rules = new HashMap<>();
    private final Map<String, String> attributes = new HashMap<>();
    private final Deque<Line> lines = new ArrayDeque<>();
    private Drawing cells = new Drawing();
    private Drawing shapes = new Drawing();
    private int svg;
    private String name = "";
    private double x;
    private double y;
    private double lineHeight;
    private int columns;
    private int inLine;
    private final List<Span> spans = new ArrayList<>();
    private double unit = USUAL_SIDE;
    private double canvasWidth;
    private double canvasHeight;
    private String groupFill = "black";

    /// Whether no more may be searched in the pictures of this message.
    private boolean ended;

    /// Side of the shape that `use` repeats.
    private double usedSide = 1;

    /// What holds for the cells of a row, or of a block around them.
    ///
    /// @param shade -1 for none
    /// @param sideBySide true when what is in it stands side by side
    /// @param placed true for a block that stands beside others itself
    private record Line(String name, double height, int shade, boolean sideBySide, boolean placed) {}

    /// A cell that reaches into further rows.
    private record Span(double from, double to, double until) {}

    private MarkupDrawing(char[] html, ImageVisitor looking) {
        this.html = html;
        this.looking = looking;
    }

    /// @return the characters that were read a second time, for which the caller pays
    public static int read(char[] html, int from, int to, ImageVisitor looking) {
        if (!mayDraw(html, from, to)) {
            return 0;
        }
        MarkupDrawing drawing = new MarkupDrawing(html, looking);
        HtmlTokenizer.tokenize(html, from, to, drawing);
        drawing.cells.read(looking);
        drawing.shapes.read(looking);
        return to - from;
    }

    private static boolean mayDraw(char[] html, int from, int to) {
        int marks = 0;
        int small = 0;
        for (int i = from; i < to; i++) {
            char c = html[i];
            if (c == '<' && i + 2 < to && (starts(html, i, to, "<td") || html[i + 2] == ' ' || html[i + 2] == '>')) {
                small++;
            }
            if (mayBeMark(c, i + 1 < to ? html[i + 1] | 0x20 : 0)) {
                for (String mark : MARKS) {
                    if (starts(html, i, to, mark)) {
                        marks++;
                        break;
                    }
                }
            } else if ((c == '"' || c == '\'') && isDrawingValue(html, from, i, to)) {
                int end = i + 1;
                while (end < to && html[end] != c && html[end] != '<') {
                    end++;
                }
                marks += end - i > LONG_VALUE ? FEWEST_MARKS : 0;
            }
            if (marks >= FEWEST_MARKS || (marks > 0 && small >= FEWEST_CELLS)) {
                return true;
            }
        }
        return false;
    }

    /// By its first two characters.
    private static boolean mayBeMark(char c, int next) {
        return c == '<' ? next == 'r' || next == 'u' || next == 'c' : (c | 0x20) == 'b' && (next == 'g' || next == 'a');
    }

    /// A style, or the path of a shape.
    private static boolean isDrawingValue(char[] html, int from, int quote, int to) {
        return (quote - from >= 6 && starts(html, quote - 6, to, "style="))
                || (quote - from >= 3 && starts(html, quote - 3, to, " d="));
    }

    private static boolean starts(char[] html, int at, int to, String mark) {
        if (at + mark.length() > to) {
            return false;
        }
        for (int i = 0; i < mark.length(); i++) {
            if (Character.toLowerCase(html[at + i]) != mark.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void startTag(HtmlElement element, int from, int to) {
        attributes.clear();
        name = ended ? "" : TextForms.lowerCase(new String(html, from, Math.min(to - from, 16)));
    }

    @Override
    public void attribute(int nameFrom, int nameTo, int valueFrom, int valueTo) {
        if (nameTo - nameFrom <= 16 && !ended) {
            decoded.clear();
            HtmlEntities.decodeAttribute(html, valueFrom, valueTo, decoded);
            attributes.putIfAbsent(
                    TextForms.lowerCase(new String(html, nameFrom, nameTo - nameFrom)), decoded.toString());
        }
    }

    @Override
    public void endOfStartTag(HtmlElement element) {
        if (ended) {
            return;
        }
        if (element == HtmlElement.FOREIGN) {
            svg++;
            groupFill = attributes.getOrDefault("fill", "black");
            size(attributes.getOrDefault("viewbox", ""));
        } else if (svg > 0) {
            shape();
        } else {
            box();
        }
    }

    @Override
    public void endTag(HtmlElement element, int from, int to) {
        if (ended) {
            return;
        }
        if (element == HtmlElement.FOREIGN) {
            svg = Math.max(0, svg - 1);
            if (svg == 0) {
                shapes.read(looking);
                shapes = new Drawing();
            }
            return;
        }
        String ended = TextForms.lowerCase(new String(html, from, Math.min(to - from, 16)));
        if (!lines.isEmpty() && lines.peek().name().equals(ended)) {
            Line last = lines.pop();
            if (!last.placed()) {
                newLine(0);
                columns = 0;
            }
        }
    }

    private Map<String, String> style() {
        ended = !looking.search(WORK_PER_CLASS);
        if (ended) {
            return Map.of();
        }
        Map<String, String> style = new HashMap<>(rules.getOrDefault(name, Map.of()));
        List<String> classes = TextScan.words(attributes.getOrDefault("class", ""), TextScan::isBlank, MAX_CLASSES);
        for (String each : classes) {
            style.putAll(rules.getOrDefault("." + each, Map.of()));
            style.putAll(rules.getOrDefault(name + "." + each, Map.of()));
        }
        declarations(attributes.getOrDefault("style", ""), style);
        long chars = 0;
        for (String value : style.values()) {
            chars += value.length();
        }
        return looking.search(WORK_PER_CLASS * classes.size() + chars / CHARS_READ) ? style : Map.of();
    }

    private static void declarations(String text, Map<String, String> into) {
        int from = 0;
        while (from < text.length()) {
            int end = text.indexOf(';', from);
            end = end < 0 ? text.length() : end;
            int colon = text.indexOf(':', from, end);
            String property =
                    colon > 0 ? TextForms.lowerCase(text.substring(from, colon).strip()) : "";
            if (PROPERTIES.contains(property)) {
                into.put(
                        property,
                        text.substring(colon + 1, end).replace("!important", "").strip());
            }
            from = end + 1;
        }
    }

    private void box() {
        switch (name) {
            case "br" -> newLine(0);
            case "tr", "table", "tbody" -> line(style());
            case "td", "th" -> cell(style());
            default -> {
                if (!attributes.isEmpty()) {
                    block(style());
                } else if (isBlock()) {
                    newLine(0);
                    push(Double.NaN, -1, false, false);
                }
            }
        }
    }

    private void line(Map<String, String> style) {
        newLine(0);
        boolean row = name.equals("tr");
        if (row || !name.equals("tbody")) {
            push(height(style), shade(style), row, false);
        }
    }

    private double width(Map<String, String> style) {
        double stated = Measures.length(style.getOrDefault("width", ""));
        return Double.isNaN(stated) ? Measures.length(attributes.getOrDefault("width", "")) : stated;
    }

    private double height(Map<String, String> style) {
        double stated = Measures.length(style.getOrDefault("height", ""));
        return Double.isNaN(stated) ? Measures.length(attributes.getOrDefault("height", "")) : stated;
    }

    private int shade(Map<String, String> style) {
        String background = style.getOrDefault("background-color", style.getOrDefault("background", ""));
        int first = background.indexOf(' ') > 0 && !background.startsWith("rgb") ? background.indexOf(' ') : -1;
        int shade = Measures.shade(first < 0 ? background : background.substring(0, first));
        return shade < 0 ? Measures.shade(attributes.getOrDefault("bgcolor", "")) : shade;
    }

    private void cell(Map<String, String> style) {
        int across = (int) Math.clamp(
                Measures.number(attributes.getOrDefault("colspan", "1").strip()), 1, MOST_COLUMNS);
        int down = (int) Math.clamp(
                Measures.number(attributes.getOrDefault("rowspan", "1").strip()), 1, MOST_COLUMNS);
        double width = width(style);
        if (width > 0) {
            unit = width / across;
        }
        double height = height(style);
        double ofLine = lines.isEmpty() ? Double.NaN : lines.peek().height();
        double high = height > 0 ? height : ofLine > 0 ? ofLine : unit;
        int shade = shade(style);
        for (Line around : lines) {
            shade = shade < 0 ? around.shade() : shade;
        }
        double wide = width > 0 ? width : across * unit;
        if (!looking.search((long) spans.size() * spans.size())) {
            return;
        }
        behindSpans();
        cells.rectangle(x, y, wide, high * down, shade < 0 ? 255 : shade);
        if (down > 1 && spans.size() < MAX_SPANS) {
            spans.add(new Span(x, x + wide, y + high * down));
        }
        x += wide;
        lineHeight = Math.max(lineHeight, high);
    }

    private void behindSpans() {
        for (int tries = spans.size(); tries > 0; tries--) {
            double before = x;
            for (Span span : spans) {
                if (x >= span.from() - 0.01 && x < span.to() - 0.01) {
                    x = span.to();
                }
            }
            if (x == before) {
                return;
            }
        }
    }

    private void newLine(double least) {
        if (x > 0 || lineHeight > 0) {
            y += Math.max(lineHeight, least);
            x = 0;
            lineHeight = 0;
            inLine = 0;
            spans.removeIf(span -> span.until() <= y + 0.01);
        }
    }

    /// Blocks of a stated size: where they are put, side by side, or one below the other.
    private void block(Map<String, String> style) {
        double width = width(style);
        double height = height(style);
        int shade = shade(style);
        String display = TextForms.lowerCase(style.getOrDefault("display", ""));
        shadows(style.getOrDefault("box-shadow", ""), width, height);
        double left = Measures.length(style.getOrDefault("left", ""));
        double top = Measures.length(style.getOrDefault("top", ""));
        if (left >= 0 && top >= 0 && width > 0 && height > 0) {
            cells.rectangle(left, top, width, height, shade < 0 ? 255 : shade);
            if (isBlock()) {
                push(Double.NaN, -1, false, true);
            }
            return;
        }
        boolean sideBySide = isInline()
                || display.startsWith("inline")
                || display.equals("table-cell")
                || style.containsKey("float")
                || (!lines.isEmpty() && lines.peek().sideBySide());
        if (width > 0 && width <= WIDEST_MODULE * MOST_COLUMNS && sideBySide && (height > 0 || shade >= 0)) {
            double high = height > 0
                    ? height
                    : lines.isEmpty() || !(lines.peek().height() > 0)
                            ? width
                            : lines.peek().height();
            cells.rectangle(x, y, width, high, shade < 0 ? 255 : shade);
            x += width;
            lineHeight = Math.max(lineHeight, high);
            inLine++;
            if (columns > 0 && inLine == columns) {
                newLine(0);
            }
            if (isBlock()) {
                push(Double.NaN, -1, false, true);
            }
        } else if (isBlock()) {
            newLine(0);
            boolean row = display.equals("flex") || display.equals("grid") || display.equals("table-row");
            columns = display.equals("grid") ? columns(style.getOrDefault("grid-template-columns", "")) : 0;
            push(height, shade, row, false);
        }
    }

    private boolean isInline() {
        return switch (name) {
            case "span", "b", "i", "u", "s", "em", "a", "font", "img", "strong", "small", "label" -> true;
            default -> false;
        };
    }

    private void push(double height, int shade, boolean sideBySide, boolean placed) {
        lines.push(new Line(name, height, shade, sideBySide, placed));
        if (lines.size() > MAX_LINES) {
            lines.removeLast();
        }
    }

    private boolean isBlock() {
        return switch (name) {
            case "div", "p", "section", "article", "center", "main", "header", "footer", "ul", "li", "pre" -> true;
            default -> false;
        };
    }

    private static int columns(String template) {
        int repeat = template.indexOf("repeat(");
        int comma = template.indexOf(',', Math.max(0, repeat));
        return repeat < 0 || comma < 0
                ? template.isBlank()
                        ? 0
                        : TextScan.words(template.strip(), TextScan::isBlank, MOST_COLUMNS)
                                .size()
                : (int) Math.clamp(
                        Measures.number(template.substring(repeat + 7, comma).strip()), 0, MOST_COLUMNS);
    }

    /// `x y blur spread colour`, separated by commas.
    private void shadows(String text, double width, double height) {
        if (text.isEmpty() || !looking.search(WORK_PER_SHADOW_CHAR * text.length())) {
            return;
        }
        double wide = width > 0 ? width : 0;
        double high = height > 0 ? height : 0;
        int from = 0;
        int depth = 0;
        for (int i = 0; i <= text.length(); i++) {
            char c = i == text.length() ? ',' : text.charAt(i);
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (c == ',' && depth == 0) {
                shadow(text.substring(from, i).strip(), wide, high);
                from = i + 1;
            }
        }
    }

    private void shadow(String text, double width, double height) {
        double[] lengths = new double[4];
        int count = 0;
        int shade = 0;
        for (String word : wordsOfShadow(text)) {
            double length = Measures.length(word);
            if (!Double.isNaN(length) && count < 4) {
                lengths[count++] = length;
            } else {
                shade = Math.max(0, Measures.shade(word));
            }
        }
        cells.rectangle(
                lengths[0] - lengths[3],
                lengths[1] - lengths[3],
                width + 2 * lengths[3],
                height + 2 * lengths[3],
                shade);
    }

    /// Blanks before a closing bracket separate the numbers of a colour, as in `rgb(0 0 0)`.
    private static List<String> wordsOfShadow(String text) {
        List<String> words = new ArrayList<>();
        int from = 0;
        int bracket = -1;
        int blank = TextScan.next(text, 0, TextScan::isBlank);
        while (blank < text.length() && words.size() + 1 < MAX_SHADOW_WORDS) {
            int end = TextScan.end(text, blank, TextScan::isBlank);
            bracket = bracket < end ? TextScan.next(text, end, c -> c == '(' || c == ')') : bracket;
            if (!text.startsWith(")", bracket)) {
                words.add(text.substring(from, blank));
                from = end;
            }
            blank = TextScan.next(text, end, TextScan::isBlank);
        }
        words.add(text.substring(from));
        return words;
    }

    private void size(String viewBox) {
        List<String> parts = TextScan.words(viewBox.strip(), c -> TextScan.isBlank(c) || c == ',', 5);
        canvasWidth = parts.size() > 3
                ? Measures.number(parts.get(2))
                : Measures.length(attributes.getOrDefault("width", ""));
        canvasHeight = parts.size() > 3
                ? Measures.number(parts.get(3))
                : Measures.length(attributes.getOrDefault("height", ""));
    }

    private double measure(String of, double whole) {
        String text = attributes.getOrDefault(of, "");
        return text.endsWith("%") ? whole : Measures.length(text);
    }

    private static double orZero(double value) {
        return Double.isNaN(value) ? 0 : value;
    }

    private void shape() {
        Map<String, String> style = style();
        String fillText = style.getOrDefault("fill", attributes.getOrDefault("fill", groupFill));
        int fill = Measures.shade(fillText.equals("currentColor") ? "black" : fillText);
        int stroke = Measures.shade(style.getOrDefault("stroke", attributes.getOrDefault("stroke", "")));
        switch (name) {
            case "rect" -> {
                if (fill >= 0) {
                    shapes.rectangle(
                            orZero(measure("x", 0)),
                            orZero(measure("y", 0)),
                            measure("width", canvasWidth),
                            measure("height", canvasHeight),
                            fill);
                    usedSide = measure("width", canvasWidth) > 0 ? measure("width", canvasWidth) : usedSide;
                }
            }
            case "use" ->
                shapes.rectangle(
                        orZero(measure("x", 0)), orZero(measure("y", 0)), usedSide, usedSide, Math.max(0, fill));
            case "circle" -> {
                double radius = orZero(measure("r", 0));
                if (fill >= 0) {
                    shapes.rectangle(
                            orZero(measure("cx", 0)) - radius,
                            orZero(measure("cy", 0)) - radius,
                            2 * radius,
                            2 * radius,
                            fill);
                }
            }
            case "path" -> {
                double width = Measures.length(
                        style.getOrDefault("stroke-width", attributes.getOrDefault("stroke-width", "1")));
                SvgPath.draw(attributes.getOrDefault("d", ""), stroke >= 0 ? -1 : fill, stroke, orZero(width), shapes);
            }
            case "g" -> groupFill = fillText;
            default -> {}
        }
    }

    @Override
    public void rawText(HtmlElement element, int from, int to) {
        if (element == HtmlElement.STYLE) {
            sheet(new String(html, from, to - from));
        }
    }

    @Override
    public void foreignStyle(int from, int to) {
        sheet(new String(html, from, to - from));
    }

    /// Rules of elements and classes; others say nothing of a drawing.
    private void sheet(String text) {
        int from = 0;
        int open = text.indexOf('{');
        while (open >= 0 && rules.size() < MAX_RULES) {
            int close = text.indexOf('}', open);
            if (close < 0) {
                return;
            }
            Map<String, String> declarations = new HashMap<>();
            declarations(text.substring(open + 1, close), declarations);
            for (String selector : TextScan.split(text.substring(from, open), c -> c == ',', 64)) {
                String plain = TextForms.lowerCase(selector.strip());
                int last = Math.max(plain.lastIndexOf(' '), plain.lastIndexOf('>'));
                rules.computeIfAbsent(plain.substring(last + 1), _ -> new HashMap<>())
                        .putAll(declarations);
            }
            from = close + 1;
            open = text.indexOf('{', from);
        }
    }

    @Override
    public void text(int from, int to) {}

    @Override
    public void comment(int from, int to) {}

    @Override
    public void foreignScript(int from, int to, boolean section) {}

    @Override
    public void endOfForeignScript() {}

    @Override
    public void broken(int from, int to) {}
}
