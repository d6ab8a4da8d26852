package org.bloomgate.content.paint;

import java.awt.geom.AffineTransform;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.content.html.HtmlElement;
import org.bloomgate.content.html.HtmlEntities;
import org.bloomgate.content.html.HtmlTokenizer;
import org.bloomgate.content.html.TextBuffer;
import org.bloomgate.content.image.BlockText;
import org.bloomgate.content.image.Drawing;
import org.bloomgate.content.image.ImageVisitor;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.text.TextScan;

/// Finds codes that a document draws: it makes boxes of the elements, lays them out, and paints them. It reads
/// the document a second time, and only if the document has as many coloured elements as a code needs. Linear
/// in the document.
public final class MarkupPainter implements HtmlTokenizer.Sink {
    /// The boxes of a document: the limit `qrMarks`. Version 40 with a box for each module and row has 32,000.
    static final int MAX_BOXES = 60_000;

    /// Open elements; deeper ones are in the last of them.
    static final int MAX_DEPTH = 200;

    /// Fewer marks of colour draw no code.
    private static final int FEWEST_MARKS = 40;

    /// What a shape or a gradient counts, which may be a whole row.
    private static final int MARKS_PER_ROW = 2;

    /// Cells, or elements with a name of one letter, whose colours a style sheet may give.
    private static final int FEWEST_CELLS = 400;

    /// A style or path of this length may be a drawing by itself.
    private static final int LONG_VALUE = 1_000;

    private static final long WORK_PER_ELEMENT = 8;

    /// For each character of a long style: a shadow or layer of ten characters is one shape.
    private static final long WORK_PER_STYLE_CHAR = 5;

    /// Characters of a short style that are read for a unit of work.
    private static final int CHARS_READ = 8;

    private static final int BYTES_PER_BOX = 400;

    private static final int LONGEST_NAME = 20;

    /// The width of the window, in which no line of modules is broken.
    private static final double WINDOW = 4_000;

    private static final double USUAL_FONT = 16;

    /// The width of a character, and the height of a line, of a font of height one.
    private static final double ADVANCE = 0.6;

    private static final double LINE = 1.2;

    private static final String[] MARKS = {
        "bgcolor",
        "background",
        "gradient(",
        "solid",
        "stroke-",
        "data:",
        "<rect",
        "<use",
        "<circle",
        "<ellipse",
        "<line",
        "<poly",
        "<path",
        "<text",
        "<tspan",
        "&#9",
        "&#x2"
    };
    private static final String[] SIDES = {"top", "right", "bottom", "left"};

    /// Elements without content.
    private static final Set<String> EMPTY =
            Set.of("area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr");

    private static final Set<String> BLOCKS = Set.of(
            "address",
            "article",
            "aside",
            "blockquote",
            "body",
            "center",
            "dd",
            "div",
            "dl",
            "dt",
            "fieldset",
            "figure",
            "footer",
            "form",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "header",
            "hr",
            "html",
            "li",
            "main",
            "nav",
            "ol",
            "p",
            "pre",
            "section",
            "ul");

    private final char[] html;
    private final ImageVisitor looking;
    private final TextBuffer decoded = new TextBuffer(64);
    private final StyleSheet sheet = new StyleSheet();
    private final Map<String, String> attributes = new HashMap<>();
    private final List<Open> open = new ArrayList<>();
    private int boxes;
    private String name = "";
    private int tagEnd;
    private int svgDepth;
    private Optional<SvgPainter> svg = Optional.empty();

    /// Whether no more may be searched in the pictures of this message.
    private boolean ended;

    /// An open element, and what holds for the text in it.
    ///
    /// @param box that its content is in
    /// @param font height of its characters
    /// @param line height of its lines
    /// @param colour shade of its characters; -1 if they are not seen
    /// @param behind shade behind its characters; -1 for none
    /// @param wide width of which a percentage is a share
    /// @param high height of which one is; NaN if it is not known
    private record Open(
            String name,
            Box box,
            double font,
            double line,
            int colour,
            int behind,
            double wide,
            double high,
            boolean pre,
            boolean hidden) {}

    private MarkupPainter(char[] html, ImageVisitor looking) {
        this.html = html;
        this.looking = looking;
        Box root = new Box(Box.Kind.BLOCK);
        root.positioned = true;
        open.add(new Open("", root, USUAL_FONT, LINE * USUAL_FONT, 0, -1, WINDOW, Double.NaN, false, false));
    }

    /// @return the characters that were read a second time, for which the caller pays
    public static int read(char[] html, int from, int to, ImageVisitor looking) {
        if (!mayDraw(html, from, to)) {
            return 0;
        }
        long heap = looking.allowance().heap();
        MarkupPainter painter = new MarkupPainter(html, looking);
        HtmlTokenizer.tokenize(html, from, to, painter);
        Box root = painter.open.getFirst().box();
        root.layout(WINDOW);
        Drawing drawing = new Drawing();
        root.paint(drawing, new AffineTransform(), root, new AffineTransform());
        drawing.read(looking);
        looking.allowance().heapBackTo(heap);
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
            if (c >= '\u2580' && c <= '\u259f') {
                marks++;
            } else if (mayBeMark(c, i + 1 < to ? html[i + 1] | 0x20 : 0)) {
                for (String mark : MARKS) {
                    if (starts(html, i, to, mark)) {
                        marks += c == '<' || c == 'g' ? MARKS_PER_ROW : 1;
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
        return switch (c) {
            case '<' -> "rucelpt".indexOf(next) >= 0;
            case 'b', 'B' -> next == 'g' || next == 'a';
            case 'g', 'G' -> next == 'r';
            case 's', 'S' -> next == 'o' || next == 't';
            case 'd', 'D' -> next == 'a';
            case '&' -> next == ('#' | 0x20);
            default -> false;
        };
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
        tagEnd = to;
        name = ended ? "" : TextForms.lowerCase(new String(html, from, Math.min(to - from, 16)));
    }

    @Override
    public void attribute(int nameFrom, int nameTo, int valueFrom, int valueTo) {
        tagEnd = Math.max(nameTo, valueTo);
        if (nameTo - nameFrom <= LONGEST_NAME && !ended) {
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
        Map<String, String> style = style();
        if (svg.isPresent()) {
            boolean closed = isClosed();
            svgDepth += name.equals("svg") && !closed ? 1 : 0;
            svg.get().start(name, attributes, style, closed);
        } else if (name.equals("svg")) {
            image(style);
        } else {
            closeImplied();
            element(style);
        }
    }

    /// Whether the tag is `<.. />`.
    private boolean isClosed() {
        int end = tagEnd;
        while (end < html.length && html[end] != '/' && html[end] != '>') {
            end++;
        }
        return end < html.length && html[end] == '/';
    }

    private void image(Map<String, String> style) {
        Open outer = open.getLast();
        SvgPainter painter = new SvgPainter(attributes, looking);
        Open inner = boxed(style, style.getOrDefault("display", ""), outer);
        Box box = inner.box();
        boolean sized = box.height > 0 || box.width > 0;
        box.width = box.width > 0 ? box.width : box.height > 0 ? box.height / painter.ratio() : painter.width();
        box.height = sized && box.height > 0 ? box.height : box.width * painter.ratio();
        box.paintings.add(painter::paint);
        if (outer.hidden()) {
            box.paintings.clear();
        }
        svg = isClosed() ? Optional.empty() : Optional.of(painter);
        svgDepth = 1;
    }

    private Map<String, String> style() {
        ended = !looking.search(WORK_PER_ELEMENT);
        if (ended) {
            return Map.of();
        }
        Map<String, String> style = sheet.style(name, attributes);
        long chars = 0;
        for (String value : style.values()) {
            chars += value.length() < LONG_VALUE ? value.length() / CHARS_READ : WORK_PER_STYLE_CHAR * value.length();
        }
        ended = !looking.search(chars);
        return style;
    }

    /// Ends the cell, row or paragraph that the next one ends.
    private void closeImplied() {
        switch (name) {
            case "td", "th" -> closeUpTo("tr", "table");
            case "tr" -> closeUpTo("tbody", "table");
            case "p" -> {
                if (open.getLast().name().equals("p")) {
                    open.removeLast();
                }
            }
            default -> {}
        }
    }

    private void closeUpTo(String inner, String outer) {
        for (int i = open.size() - 1; i > 0; i--) {
            String each = open.get(i).name();
            if (each.equals(inner) || each.equals(outer)) {
                open.subList(i + 1, open.size()).clear();
                return;
            }
        }
    }

    @Override
    public void endTag(HtmlElement element, int from, int to) {
        String closed = TextForms.lowerCase(new String(html, from, Math.min(to - from, 16)));
        if (svg.isPresent()) {
            svgDepth -= closed.equals("svg") ? 1 : 0;
            svg.get().end(closed);
            svg = svgDepth == 0 ? Optional.empty() : svg;
            return;
        }
        for (int i = open.size() - 1; i > 0; i--) {
            if (open.get(i).name().equals(closed)) {
                open.subList(i, open.size()).clear();
                return;
            }
            if (open.get(i).name().equals("table")) {
                return;
            }
        }
    }

    private void element(Map<String, String> style) {
        Open outer = open.getLast();
        double font = font(style, outer.font());
        double line = line(style, outer, font);
        String display = TextForms.lowerCase(style.getOrDefault("display", ""));
        boolean hidden = outer.hidden()
                || display.equals("none")
                || style.getOrDefault("opacity", "").equals("0");
        int colour = style.containsKey("color") ? Measures.shade(style.get("color")) : outer.colour();
        colour = attributes.containsKey("color") ? Measures.shade(attributes.get("color")) : colour;
        String space = style.getOrDefault("white-space", "");
        boolean pre = space.isEmpty() ? outer.pre() || name.equals("pre") : space.startsWith("pre");
        if (name.equals("br")) {
            Box end = create(Box.Kind.BREAK, outer.box());
            end.line = outer.line();
            return;
        }
        boolean inline = isInline(style, display);
        int behind = inline ? Paint.shade(style, attributes.getOrDefault("bgcolor", "")) : -1;
        behind = behind < 0 && inline ? outer.behind() : behind;
        Open inner = new Open(name, outer.box(), font, line, colour, behind, outer.wide(), outer.high(), pre, hidden);
        if (!inline && !hidden && !isPassedThrough(display)) {
            inner = boxed(style, display, inner);
        }
        if (!EMPTY.contains(name) && open.size() < MAX_DEPTH) {
            open.add(inner);
        }
    }

    /// Whether the element only says how its text looks.
    private boolean isInline(Map<String, String> style, String display) {
        boolean usual = !BLOCKS.contains(name)
                && !name.equals("td")
                && !name.equals("th")
                && !name.equals("tr")
                && !name.equals("table")
                && !name.equals("img")
                && !name.equals("input")
                && !name.equals("button")
                && !name.contains(":");
        boolean blockified = style.containsKey("float")
                || style.getOrDefault("position", "").equals("absolute")
                || style.containsKey("padding")
                || parentPlaces()
                || (style.containsKey("width") && style.containsKey("height"));
        return (usual || display.equals("inline")) && (display.isEmpty() || display.equals("inline")) && !blockified;
    }

    private boolean parentPlaces() {
        Box.Inside inside = open.getLast().box().inside;
        return inside == Box.Inside.FLEX || inside == Box.Inside.GRID;
    }

    /// Whether the boxes in the element stand as if it were not there.
    private boolean isPassedThrough(String display) {
        return display.equals("contents") || display.equals("table-row-group") || name.equals("tbody");
    }

    private Open boxed(Map<String, String> style, String display, Open of) {
        double wide = of.wide();
        double width =
                Measures.length(style.getOrDefault("width", attributes.getOrDefault("width", "")), wide, of.font());
        double height = Measures.length(
                style.getOrDefault("height", attributes.getOrDefault("height", "")), of.high(), of.font());
        height = Double.isNaN(height)
                ? Measures.length(style.getOrDefault("min-height", ""), of.high(), of.font())
                : height;
        Box.Kind kind = kind(style, display);
        Box around = of.box();
        if (kind == Box.Kind.ROW && around.inside != Box.Inside.TABLE) {
            kind = Box.Kind.BLOCK;
        }
        if (kind == Box.Kind.CELL && around.inside == Box.Inside.TABLE) {
            around = create(Box.Kind.ROW, around);
        }
        Box box = create(kind, around);
        box.width = width >= 0 ? width : Double.NaN;
        box.height = height >= 0 ? height : Double.NaN;
        box.inside = inside(display);
        box.edge = sides(style, "padding", wide, of.font());
        box.margin =
                kind == Box.Kind.CELL || kind == Box.Kind.ROW ? new double[4] : sides(style, "margin", wide, of.font());
        box.borderBox = style.getOrDefault("box-sizing", "").equals("border-box")
                || name.equals("button")
                || name.equals("input");
        String position = style.getOrDefault("position", name.contains(":") ? "absolute" : "static");
        box.positioned = !position.equals("static");
        if (box.positioned) {
            box.left = Measures.length(style.getOrDefault("left", ""), wide, of.font());
            box.top = Measures.length(style.getOrDefault("top", ""), of.high(), of.font());
            box.right = Measures.length(style.getOrDefault("right", ""), wide, of.font());
            box.bottom = Measures.length(style.getOrDefault("bottom", ""), of.high(), of.font());
        }
        box.across = span("colspan");
        box.down = span("rowspan");
        box.wraps = !style.getOrDefault("white-space", "").equals("nowrap")
                && (box.inside != Box.Inside.FLEX
                        || style.getOrDefault("flex-wrap", "").startsWith("wrap"));
        box.grows = style.containsKey("flex-grow") || (style.containsKey("flex") && parentPlaces());
        box.transform = Transforms.parse(style.getOrDefault("transform", ""), wide, of.font());
        grid(box, style, of);
        String bgcolor = attributes.getOrDefault("bgcolor", attributes.getOrDefault("fillcolor", ""));
        if (!style.getOrDefault("visibility", "").equals("hidden")) {
            Paint.add(box, style, bgcolor, of.font());
        }
        double inner = Double.isNaN(box.width) ? wide : box.width;
        return new Open(
                of.name(), box, of.font(), of.line(), of.colour(), -1, inner, box.height, of.pre(), of.hidden());
    }

    private Box.Kind kind(Map<String, String> style, String display) {
        String position = style.getOrDefault("position", "");
        if (position.equals("absolute") || position.equals("fixed") || name.contains(":")) {
            return Box.Kind.PLACED;
        }
        boolean cell = display.isEmpty() ? name.equals("td") || name.equals("th") : display.equals("table-cell");
        boolean row = display.isEmpty() ? name.equals("tr") : display.equals("table-row");
        if (cell || row) {
            return cell ? Box.Kind.CELL : Box.Kind.ROW;
        }
        String side = style.getOrDefault("float", attributes.getOrDefault("align", ""));
        if (style.containsKey("float") || (name.equals("img") && !side.isEmpty()) || name.equals("table")) {
            if (side.equals("left") || side.equals("right")) {
                return side.equals("left") ? Box.Kind.LEFT : Box.Kind.RIGHT;
            }
        }
        boolean inline =
                display.isEmpty() ? !BLOCKS.contains(name) && !name.equals("table") : display.startsWith("inline");
        return inline ? Box.Kind.INLINE : Box.Kind.BLOCK;
    }

    private Box.Inside inside(String display) {
        return switch (display.startsWith("inline-") ? display.substring(7) : display) {
            case "table" -> Box.Inside.TABLE;
            case "flex" -> Box.Inside.FLEX;
            case "grid" -> Box.Inside.GRID;
            default -> name.equals("table") && display.isEmpty() ? Box.Inside.TABLE : Box.Inside.FLOW;
        };
    }

    private int span(String attribute) {
        String value = attributes.getOrDefault(attribute, "").strip();
        int span = value.isEmpty() ? 1 : (int) Math.clamp(Measures.number(value), 1, Box.MAX_SPAN);
        return looking.search(span) ? span : 1;
    }

    private void grid(Box box, Map<String, String> style, Open of) {
        if (box.inside == Box.Inside.FLEX
                && style.getOrDefault("flex-direction", "").startsWith("column")) {
            box.inside = Box.Inside.COLUMN;
        }
        if (box.inside == Box.Inside.GRID || box.inside == Box.Inside.FLEX) {
            String gap = style.getOrDefault("gap", style.getOrDefault("grid-gap", ""));
            box.gapY = Paint.orZero(Measures.length(style.getOrDefault("row-gap", Paint.side(gap, 0)), 0, of.font()));
            box.gapX =
                    Paint.orZero(Measures.length(style.getOrDefault("column-gap", Paint.side(gap, 1)), 0, of.font()));
            double whole = Double.isNaN(box.width) ? of.wide() : box.width;
            box.columns = tracks(style.getOrDefault("grid-template-columns", ""), whole, of.font());
            box.rows = tracks(
                    style.getOrDefault("grid-template-rows", style.getOrDefault("grid-auto-rows", "")),
                    box.height,
                    of.font());
        }
        if (of.box().inside == Box.Inside.GRID) {
            List<String> area = Measures.parts(style.getOrDefault("grid-area", ""), '/');
            String rows = style.getOrDefault("grid-row", area.getFirst() + (area.size() > 2 ? "/" + area.get(2) : ""));
            String columns = style.getOrDefault(
                    "grid-column", (area.size() > 1 ? area.get(1) : "") + (area.size() > 3 ? "/" + area.get(3) : ""));
            box.row = track(style.getOrDefault(
                    "grid-row-start", Measures.parts(rows, '/').getFirst()));
            box.column = track(style.getOrDefault(
                    "grid-column-start", Measures.parts(columns, '/').getFirst()));
            box.down = reach(rows, box.row);
            box.across = reach(columns, box.column);
            ended |= !looking.search((long) box.down);
        }
    }

    private static int track(String text) {
        return text.startsWith("span") ? 0 : (int) Math.clamp(Measures.number(text), 0, Box.MAX_SPAN);
    }

    /// The tracks of `2 / 5`, `2 / span 3` or `span 3`.
    private static int reach(String text, int start) {
        List<String> parts = Measures.parts(text, '/');
        String last = parts.getLast();
        if (last.startsWith("span")) {
            return Math.max(1, track(last.substring(4).strip()));
        }
        return parts.size() > 1 ? Math.max(1, track(last) - start) : 1;
    }

    /// The sizes of rows or columns, `repeat(n, size)` resolved; NaN for shares of the rest.
    private static double[] tracks(String template, double whole, double font) {
        double[] tracks = new double[Box.MAX_SPAN];
        int count = 0;
        for (String part : Measures.parts(template, ' ')) {
            int comma = part.indexOf(',');
            boolean repeat = part.startsWith("repeat(") && comma > 0;
            int times = repeat ? track(part.substring(7, comma).strip()) : 1;
            String size = repeat ? part.substring(comma + 1).replace(")", "") : part;
            double[] each = Measures.parts(size, ' ').stream()
                    .mapToDouble(one -> Measures.length(one, whole, font))
                    .toArray();
            for (int i = 0; i < times * each.length && count < Box.MAX_SPAN; i++) {
                tracks[count++] = each[i % each.length];
            }
        }
        return Arrays.copyOf(tracks, count);
    }

    private static double[] sides(Map<String, String> style, String property, double wide, double font) {
        double[] sides = new double[4];
        for (int i = 0; i < 4; i++) {
            String side =
                    style.getOrDefault(property + "-" + SIDES[i], Paint.side(style.getOrDefault(property, ""), i));
            sides[i] = side.isEmpty() ? 0 : Paint.orZero(Measures.length(side, wide, font));
        }
        return sides;
    }

    private static double font(Map<String, String> style, double around) {
        double stated = Measures.length(style.getOrDefault("font-size", ""), around, around);
        for (String part : Measures.parts(style.getOrDefault("font", ""), ' ')) {
            int slash = part.indexOf('/');
            double length = Measures.length(slash < 0 ? part : part.substring(0, slash), around, around);
            boolean weight = part.length() == 3 && part.endsWith("00");
            stated = Double.isNaN(stated) && !weight ? length : stated;
        }
        return Double.isNaN(stated) ? around : stated;
    }

    private static double line(Map<String, String> style, Open outer, double font) {
        String stated = style.getOrDefault("line-height", "");
        for (String part : Measures.parts(style.getOrDefault("font", ""), ' ')) {
            stated = part.indexOf('/') > 0 ? part.substring(part.indexOf('/') + 1) : stated;
        }
        if (stated.isEmpty()) {
            return font == outer.font() ? outer.line() : LINE * font;
        }
        boolean factor = TextScan.consistsOf(stated, c -> TextScan.isDigit(c) || c == '.', 1, 8);
        double line = factor ? Measures.number(stated) * font : Measures.length(stated, font, font);
        return Double.isNaN(line) ? LINE * font : line;
    }

    private Box create(Box.Kind kind, Box in) {
        Box box = new Box(kind);
        boolean room = boxes < MAX_BOXES && looking.allowance().takeHeap(Limit.QR_MARKS, BYTES_PER_BOX);
        if (room) {
            boxes++;
            in.children.add(box);
        } else {
            looking.reached(Limit.QR_MARKS);
            ended = true;
        }
        return box;
    }

    @Override
    public void text(int from, int to) {
        Open in = open.getLast();
        if (ended || in.hidden() || to == from) {
            return;
        }
        decoded.clear();
        HtmlEntities.decodeText(html, from, to, decoded);
        if (svg.isPresent()) {
            svg.get().text(decoded.toString());
        } else if (in.pre()) {
            List<String> lines = TextScan.split(decoded.toString(), c -> c == '\n');
            for (int i = 0; i < lines.size(); i++) {
                if (i > 0) {
                    create(Box.Kind.BREAK, in.box()).line = in.line();
                }
                run(lines.get(i), in);
            }
        } else {
            run(collapsed(decoded.toString()), in);
        }
    }

    /// Blanks and line ends as one blank each; none at either end.
    static String collapsed(String text) {
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!TextScan.isBlank(c)) {
                shown.append(c);
            } else if (shown.length() > 0 && shown.charAt(shown.length() - 1) != ' ') {
                shown.append(' ');
            }
        }
        return shown.toString().stripTrailing();
    }

    private void run(String text, Open in) {
        if (text.isEmpty() || parentPlaces()) {
            return;
        }
        Box box = create(Box.Kind.TEXT, in.box());
        boolean square = text.chars().anyMatch(c -> c > '\u259f' && BlockText.isBlock((char) c));
        box.text = text;
        box.advance = in.font() * (square ? 1 : ADVANCE);
        box.line = in.line();
        box.colour = in.colour();
        int behind = in.behind();
        if (behind >= 0) {
            box.paintings.add((into, at, width, height) -> into.rectangle(at, 0, 0, width, height, behind));
        }
    }

    @Override
    public void rawText(HtmlElement element, int from, int to) {
        if (element == HtmlElement.STYLE) {
            sheet.read(new String(html, from, to - from));
        }
    }

    @Override
    public void foreignStyle(int from, int to) {
        sheet.read(new String(html, from, to - from));
    }

    @Override
    public void comment(int from, int to) {}

    @Override
    public void foreignScript(int from, int to, boolean section) {}

    @Override
    public void endOfForeignScript() {}

    @Override
    public void broken(int from, int to) {}
}
