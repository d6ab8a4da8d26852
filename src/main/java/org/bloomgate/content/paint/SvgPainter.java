package org.bloomgate.content.paint;

import java.awt.geom.AffineTransform;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bloomgate.content.image.Drawing;
import org.bloomgate.content.image.ImageVisitor;
import org.bloomgate.core.text.TextScan;

/// Paints the shapes of one SVG image (SVG 2): groups with transforms, shapes with what they are filled with
/// and their strokes, texts of block characters, and what is used, clipped or filled by its id. Linear in the
/// elements and in the shapes that they repeat.
final class SvgPainter {
    private static final double USUAL_WIDTH = 300;
    private static final double USUAL_HEIGHT = 150;
    private static final double USUAL_FONT = 16;
    private static final double ADVANCE = 0.6;

    /// Corners of a circle.
    private static final int CIRCLE = 16;

    /// Elements whose shapes are seen only where they are used.
    private static final Set<String> UNSEEN =
            Set.of("defs", "symbol", "clippath", "mask", "pattern", "marker", "lineargradient", "radialgradient");

    private final ImageVisitor looking;
    private final Drawing seen = new Drawing();
    private final Drawing unseen = new Drawing();
    private final Map<String, Range> byId = new HashMap<>();
    private final List<Group> groups = new ArrayList<>();
    private final double width;
    private final double height;
    private final boolean stretched;
    private double textX;
    private double textY;

    /// Shapes of an element, and the transform into its coordinates.
    private record Range(Drawing in, int from, int to, AffineTransform back) {}

    /// An open element, and what holds for what is in it.
    ///
    /// @param from the number of shapes before it
    private record Group(
            String name,
            String id,
            AffineTransform at,
            Drawing into,
            int from,
            String fill,
            String stroke,
            double strokeWidth,
            String dashes,
            double font,
            double advance,
            boolean preserves) {}

    /// @param attributes of the outermost `svg` element
    SvgPainter(Map<String, String> attributes, ImageVisitor looking) {
        this.looking = looking;
        double[] view = numbers(attributes.getOrDefault("viewbox", ""));
        double statedWidth = Measures.length(attributes.getOrDefault("width", ""));
        double statedHeight = Measures.length(attributes.getOrDefault("height", ""));
        boolean viewed = view.length == 4 && view[2] > 0 && view[3] > 0;
        this.width = viewed ? view[2] : statedWidth > 0 ? statedWidth : USUAL_WIDTH;
        this.height = viewed ? view[3] : statedHeight > 0 ? statedHeight : USUAL_HEIGHT;
        this.stretched = attributes.getOrDefault("preserveaspectratio", "").startsWith("none");
        AffineTransform at = viewed ? AffineTransform.getTranslateInstance(-view[0], -view[1]) : new AffineTransform();
        groups.add(new Group(
                "svg",
                "",
                at,
                seen,
                0,
                attributes.getOrDefault("fill", "black"),
                attributes.getOrDefault("stroke", "none"),
                1,
                "none",
                USUAL_FONT,
                Double.NaN,
                attributes.getOrDefault("xml:space", "").equals("preserve")));
    }

    /// Height divided by width.
    double ratio() {
        return height / width;
    }

    double width() {
        return width;
    }

    /// Adds all shapes to a drawing, in a rectangle of this size.
    void paint(Drawing into, AffineTransform at, double wide, double high) {
        AffineTransform all = new AffineTransform(at);
        double scaleX = wide / width;
        double scaleY = high / height;
        double scale = Math.min(scaleX, scaleY);
        if (!stretched) {
            all.translate((wide - scale * width) / 2, (high - scale * height) / 2);
        }
        all.scale(stretched ? scaleX : scale, stretched ? scaleY : scale);
        into.add(seen, 0, seen.size(), all, -1);
    }

    /// @param closed whether it ends at once
    void start(String name, Map<String, String> attributes, Map<String, String> style, boolean closed) {
        Group outer = groups.getLast();
        AffineTransform at = new AffineTransform(outer.at());
        at.concatenate(Transforms.parse(
                style.getOrDefault("transform", attributes.getOrDefault("transform", "")), width, outer.font()));
        if (name.equals("svg")) {
            nested(attributes, at);
        }
        Drawing into = UNSEEN.contains(name) ? unseen : outer.into();
        double font = Measures.length(value("font-size", attributes, style, ""), outer.font(), outer.font());
        Group group = new Group(
                name,
                attributes.getOrDefault("id", ""),
                at,
                into,
                into.size(),
                value("fill", attributes, style, outer.fill()),
                value("stroke", attributes, style, outer.stroke()),
                Paint.orZero(Measures.length(
                        value("stroke-width", attributes, style, Double.toString(outer.strokeWidth())), width, font)),
                value("stroke-dasharray", attributes, style, outer.dashes()),
                Double.isNaN(font) ? outer.font() : font,
                Measures.length(attributes.getOrDefault("textlength", ""), width, font),
                outer.preserves()
                        || attributes.getOrDefault("xml:space", "").equals("preserve")
                        || style.getOrDefault("white-space", "").startsWith("pre"));
        if (!style.getOrDefault("display", attributes.getOrDefault("display", ""))
                .equals("none")) {
            shape(group, attributes, style);
        }
        if (closed) {
            keep(group);
        } else if (groups.size() < MarkupPainter.MAX_DEPTH) {
            groups.add(group);
        }
    }

    private void nested(Map<String, String> attributes, AffineTransform at) {
        at.translate(length("x", attributes, width), length("y", attributes, height));
        double[] view = numbers(attributes.getOrDefault("viewbox", ""));
        if (view.length == 4 && view[2] > 0 && view[3] > 0) {
            double wide = Measures.length(attributes.getOrDefault("width", "100%"), width, USUAL_FONT);
            double high = Measures.length(attributes.getOrDefault("height", "100%"), height, USUAL_FONT);
            double scale = Math.min(wide / view[2], high / view[3]);
            at.scale(scale, scale);
            at.translate(-view[0], -view[1]);
        }
    }

    void end(String name) {
        for (int i = groups.size() - 1; i > 0; i--) {
            if (groups.get(i).name().equals(name)) {
                keep(groups.get(i));
                groups.subList(i, groups.size()).clear();
                return;
            }
        }
    }

    private void keep(Group group) {
        if (!group.id().isEmpty() && Math.abs(group.at().getDeterminant()) > 1e-12) {
            AffineTransform back = new AffineTransform(group.at());
            double determinant = back.getDeterminant();
            AffineTransform inverse = new AffineTransform(
                    back.getScaleY() / determinant,
                    -back.getShearY() / determinant,
                    -back.getShearX() / determinant,
                    back.getScaleX() / determinant,
                    (back.getShearX() * back.getTranslateY() - back.getScaleY() * back.getTranslateX()) / determinant,
                    (back.getShearY() * back.getTranslateX() - back.getScaleX() * back.getTranslateY()) / determinant);
            byId.putIfAbsent(
                    group.id(),
                    new Range(group.into(), group.from(), group.into().size(), inverse));
        }
    }

    private static String value(
            String property, Map<String, String> attributes, Map<String, String> style, String around) {
        String own = style.getOrDefault(property, attributes.getOrDefault(property, around));
        return own.equals("inherit") ? around : own;
    }

    private static double[] numbers(String text) {
        return TextScan.words(text.strip(), c -> TextScan.isBlank(c) || c == ',', Box.MAX_SPAN).stream()
                .filter(word -> !word.isEmpty())
                .mapToDouble(word -> Paint.orZero(Measures.length(word)))
                .toArray();
    }

    private double length(String name, Map<String, String> attributes, double whole) {
        return Paint.orZero(Measures.length(attributes.getOrDefault(name, ""), whole, USUAL_FONT));
    }

    private void shape(Group group, Map<String, String> attributes, Map<String, String> style) {
        double x = length("x", attributes, width);
        double y = length("y", attributes, height);
        String clip = style.getOrDefault(
                "clip-path", attributes.getOrDefault("clip-path", attributes.getOrDefault("mask", "")));
        if (!clip.isEmpty() && !clip.equals("none")) {
            boolean mask = attributes.containsKey("mask");
            use(clip, group.at(), mask ? -1 : Measures.shade(group.fill()), group.into());
            return;
        }
        switch (group.name()) {
            case "rect" -> {
                double wide = length("width", attributes, width);
                double high = length("height", attributes, height);
                outlined(group, new double[] {x, y, x + wide, y, x + wide, y + high, x, y + high}, 1, true, false);
            }
            case "use" -> {
                AffineTransform at = new AffineTransform(group.at());
                at.translate(x, y);
                int fill = Measures.shade(group.fill());
                String href = attributes.getOrDefault("href", attributes.getOrDefault("xlink:href", ""));
                use(href, at, fill > 0 ? fill : -1, group.into());
            }
            case "circle", "ellipse" -> {
                double radius = length("r", attributes, width);
                double rx = radius > 0 ? radius : length("rx", attributes, width);
                double ry = radius > 0 ? radius : length("ry", attributes, height);
                double cx = length("cx", attributes, width);
                double cy = length("cy", attributes, height);
                double[] points = new double[2 * CIRCLE];
                for (int i = 0; i < CIRCLE; i++) {
                    points[2 * i] = cx + rx * Math.cos(2 * Math.PI * i / CIRCLE);
                    points[2 * i + 1] = cy + ry * Math.sin(2 * Math.PI * i / CIRCLE);
                }
                circle(group, points, rx, ry);
            }
            case "line" ->
                outlined(
                        group,
                        new double[] {
                            length("x1", attributes, width),
                            length("y1", attributes, height),
                            length("x2", attributes, width),
                            length("y2", attributes, height)
                        },
                        0,
                        false,
                        false);
            case "polyline", "polygon" -> {
                double[] points = numbers(attributes.getOrDefault("points", ""));
                outlined(
                        group,
                        Arrays.copyOf(points, points.length & -2),
                        1,
                        group.name().equals("polygon"),
                        isEvenOdd(attributes, style));
            }
            case "path" -> {
                SvgPath path = SvgPath.parse(attributes.getOrDefault("d", ""));
                outlined(group, path.points(), path.polygons(), false, isEvenOdd(attributes, style));
            }
            case "text", "tspan" -> {
                textX = attributes.containsKey("x") ? x : textX;
                textY = attributes.containsKey("y") ? y : textY;
                textX += length("dx", attributes, width);
                textY += Paint.orZero(Measures.length(attributes.getOrDefault("dy", ""), height, group.font()));
            }
            default -> {}
        }
    }

    private static boolean isEvenOdd(Map<String, String> attributes, Map<String, String> style) {
        return value("fill-rule", attributes, style, "").equals("evenodd");
    }

    /// A dot is painted as the square around it, as large as a module of dots is for a camera.
    private void circle(Group group, double[] points, double rx, double ry) {
        int fill = Measures.shade(group.fill());
        if (fill >= 0) {
            group.into().rectangle(group.at(), points[0] - 2 * rx, points[1] - ry, 2 * rx, 2 * ry, fill);
        }
        stroke(group, points, true);
    }

    private void outlined(Group group, double[] points, int polygons, boolean closed, boolean evenOdd) {
        String filled = group.fill();
        if (filled.startsWith("url(")) {
            use(filled, group.at(), -1, group.into());
        }
        int fill = filled.startsWith("url(") && !byId.containsKey(id(filled)) ? 0 : Measures.shade(filled);
        if (fill >= 0 && polygons > 0 && looking.search(points.length / 8)) {
            if (group.name().equals("rect")) {
                group.into()
                        .rectangle(
                                group.at(), points[0], points[1], points[2] - points[0], points[5] - points[1], fill);
            } else {
                double[] moved = new double[points.length];
                group.at().transform(points, 0, moved, 0, points.length / 2);
                group.into().filled(moved, polygons, fill, !evenOdd);
            }
        }
        stroke(group, points, closed);
    }

    private void stroke(Group group, double[] points, boolean closed) {
        int stroke = Measures.shade(group.stroke());
        double thick = group.strokeWidth();
        if (stroke < 0 || !(thick > 0)) {
            return;
        }
        double[] dashes = numbers(group.dashes().equals("none") ? "" : group.dashes());
        double all = Arrays.stream(dashes).sum();
        double along = 0;
        int count = points.length + (closed ? 2 : 0);
        for (int i = 2; i + 1 < count && !group.into().isFull(); i += 2) {
            double fromX = points[i - 2];
            double fromY = points[i - 1];
            double toX = points[i % points.length];
            double toY = points[i % points.length + 1];
            double length = Math.hypot(toX - fromX, toY - fromY);
            if (!(length > 0)) {
                along = Double.isNaN(length) ? 0 : along;
                continue;
            }
            AffineTransform at = new AffineTransform(group.at());
            at.concatenate(new AffineTransform(
                    (toX - fromX) / length,
                    (toY - fromY) / length,
                    -(toY - fromY) / length,
                    (toX - fromX) / length,
                    fromX,
                    fromY));
            if (length / all < Drawing.MAX_SHAPES) {
                along = dashed(group, at, length, dashes, along % (dashes.length % 2 == 0 ? all : 2 * all));
            } else if (looking.search(1)) {
                snapped(group, at, 0, length);
            }
        }
    }

    /// @param along length of the line before, since the first dash began
    private double dashed(Group group, AffineTransform at, double length, double[] dashes, double along) {
        int dash = 0;
        double at0 = -along;
        while (at0 < length && !group.into().isFull() && looking.search(1)) {
            double to = at0 + dashes[dash % dashes.length];
            if (dash % 2 == 0 && to > 0) {
                snapped(group, at, Math.max(0, at0), Math.min(length, to));
            }
            at0 = to;
            dash++;
        }
        return along + length;
    }

    private static void snapped(Group group, AffineTransform at, double from, double to) {
        AffineTransform upright = at;
        if (Math.abs(at.getShearX()) + Math.abs(at.getShearY()) < 1e-9 * Math.abs(at.getScaleX())) {
            upright = new AffineTransform(at.getScaleX(), 0, 0, at.getScaleY(), at.getTranslateX(), at.getTranslateY());
        }
        double thick = group.strokeWidth();
        group.into().rectangle(upright, from, -thick / 2, to - from, thick, Measures.shade(group.stroke()));
    }

    /// The id in `#id` or `url(#id)`; empty if there is none.
    private static String id(String reference) {
        int from = reference.indexOf('#') + 1;
        return from == 0
                ? ""
                : reference.substring(from, TextScan.next(reference, from, c -> c == ')' || c == '"' || c == '\''));
    }

    private void use(String reference, AffineTransform at, int shade, Drawing into) {
        Range range = byId.get(id(reference));
        if (range != null && looking.search(range.to() - range.from())) {
            AffineTransform moved = new AffineTransform(at);
            moved.concatenate(range.back());
            into.add(range.in(), range.from(), range.to(), moved, shade);
        }
    }

    void text(String text) {
        Group group = groups.getLast();
        String shown = group.preserves() ? text : MarkupPainter.collapsed(text);
        int colour = Measures.shade(group.fill());
        boolean inText = group.name().equals("text") || group.name().equals("tspan");
        if (!inText || shown.isEmpty() || !looking.search(shown.length())) {
            return;
        }
        Box box = new Box(Box.Kind.TEXT);
        box.text = shown;
        box.advance = group.advance() > 0 ? group.advance() / shown.length() : ADVANCE * group.font();
        box.line = group.font();
        box.colour = colour;
        AffineTransform at = new AffineTransform(group.at());
        at.translate(textX, textY - group.font());
        box.paint(group.into(), at, box, at);
        textX += shown.length() * box.advance;
    }
}
