package org.bloomgate.content.paint;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.text.TextScan;

/// What the style of a box paints on it: shadows, its background with the layers of gradients, its borders.
final class Paint {
    private static final String[] SIDES = {"top", "right", "bottom", "left"};

    /// Stripes of a gradient: hides nothing, a code has at most 185 in a row.
    private static final int MAX_STRIPES = 1_000;

    private Paint() {}

    /// Adds the paintings of a style, the lowest first.
    ///
    /// @param bgcolor of the element; may be empty
    static void add(Box box, Map<String, String> style, String bgcolor, double font) {
        for (String shadow : Measures.parts(style.getOrDefault("box-shadow", ""), ',')) {
            shadow(box, shadow, font);
        }
        int shade = shade(style, bgcolor);
        if (shade >= 0) {
            box.paintings.add((into, at, width, height) -> into.rectangle(at, 0, 0, width, height, shade));
        }
        String image = style.getOrDefault("background-image", style.getOrDefault("background", ""));
        if (image.contains("gradient(")) {
            layers(box, image, style, font);
        }
        borders(box, style, font);
    }

    /// The shade of a background; -1 for none.
    static int shade(Map<String, String> style, String bgcolor) {
        int shade = Measures.shade(style.getOrDefault("background-color", ""));
        if (shade < 0 && style.containsKey("background")) {
            for (String part : Measures.parts(style.get("background"), ' ')) {
                shade = shade < 0 ? Measures.shade(part) : shade;
            }
        }
        return shade < 0 ? Measures.shade(bgcolor) : shade;
    }

    /// `x y blur spread colour`, in any order of the colour.
    private static void shadow(Box box, String text, double font) {
        double[] lengths = new double[4];
        int count = 0;
        int colour = 0;
        for (String part : Measures.parts(text, ' ')) {
            double length = Measures.length(part, Double.NaN, font);
            if (!Double.isNaN(length) && count < 4) {
                lengths[count++] = length;
            } else {
                colour = Math.max(0, Measures.shade(part));
            }
        }
        int shade = colour;
        double spread = lengths[3];
        if (count > 1) {
            box.paintings.add((into, at, width, height) -> into.rectangle(
                    at, lengths[0] - spread, lengths[1] - spread, width + 2 * spread, height + 2 * spread, shade));
        }
    }

    private static void borders(Box box, Map<String, String> style, double font) {
        double[] widths = new double[4];
        int[] shades = new int[4];
        boolean any = false;
        for (int i = 0; i < 4; i++) {
            String border = style.getOrDefault("border-" + SIDES[i], style.getOrDefault("border", ""));
            shades[i] = Measures.shade(side(style.getOrDefault("border-color", ""), i));
            widths[i] = orZero(Measures.length(side(style.getOrDefault("border-width", ""), i), Double.NaN, font));
            for (String part : Measures.parts(border, ' ')) {
                double width = Measures.length(part, Double.NaN, font);
                widths[i] = Double.isNaN(width) ? widths[i] : width;
                shades[i] = Double.isNaN(width) ? Math.max(shades[i], Measures.shade(part)) : shades[i];
            }
            any |= widths[i] > 0;
        }
        if (any) {
            double[] edge = box.edge.clone();
            for (int i = 0; i < 4; i++) {
                edge[i] += widths[i];
            }
            box.edge = edge;
            box.paintings.add((into, at, width, height) -> {
                into.rectangle(at, 0, 0, width, widths[0], shades[0]);
                into.rectangle(at, width - widths[1], 0, widths[1], height, shades[1]);
                into.rectangle(at, 0, height - widths[2], width, widths[2], shades[2]);
                into.rectangle(at, 0, 0, widths[3], height, shades[3]);
            });
        }
    }

    /// One of one to four values for the sides, from the top clockwise.
    static String side(String values, int side) {
        List<String> parts = Measures.parts(values, ' ');
        int size = Math.min(4, parts.size());
        return size == 0 ? "" : parts.get(side < size ? side : side == 3 && size > 1 ? 1 : side == 2 ? 0 : 0);
    }

    static double orZero(double value) {
        return Double.isNaN(value) ? 0 : value;
    }

    private static void layers(Box box, String image, Map<String, String> style, double font) {
        List<String> places = Measures.parts(style.getOrDefault("background-position", ""), ',');
        List<String> sizes = Measures.parts(style.getOrDefault("background-size", ""), ',');
        List<String> layers = Measures.parts(image, ',');
        for (int i = layers.size() - 1; i >= 0; i--) {
            String gradient = "";
            List<String> words = new ArrayList<>();
            for (String part : Measures.parts(layers.get(i), ' ')) {
                if (part.contains("gradient(")) {
                    gradient = part;
                } else {
                    words.add(part);
                }
            }
            String rest = String.join(" ", words);
            int slash = rest.indexOf('/');
            String place = slash < 0 ? rest : rest.substring(0, slash);
            String size = slash < 0 ? "" : rest.substring(slash + 1);
            if (!gradient.isEmpty()) {
                layer(
                        box,
                        gradient,
                        style.containsKey("background-position") ? places.get(i % places.size()) : place,
                        style.containsKey("background-size") ? sizes.get(i % sizes.size()) : size,
                        font);
            }
        }
    }

    private static void layer(Box box, String gradient, String place, String size, double font) {
        boolean repeats = gradient.startsWith("repeating");
        String inside = gradient.substring(gradient.indexOf('(') + 1);
        List<String> stops =
                Measures.parts(inside.endsWith(")") ? inside.substring(0, inside.length() - 1) : inside, ',');
        String first = TextForms.lowerCase(stops.getFirst());
        boolean directed = first.startsWith("to ") || TextScan.isDigit(first.charAt(0)) || first.charAt(0) == '-';
        boolean across = first.equals("to right")
                || first.equals("to left")
                || first.startsWith("90")
                || first.startsWith("270");
        boolean back =
                first.equals("to left") || first.equals("to top") || first.startsWith("270") || first.equals("0deg");
        List<String> colours = directed ? stops.subList(1, stops.size()) : stops;
        String firstPlace = side(place.isBlank() ? "0" : place, 0);
        String secondPlace = Measures.parts(place, ' ').size() > 1 ? side(place, 1) : "0";
        String wide = side(size, 0);
        String high = Measures.parts(size, ' ').size() > 1 ? side(size, 1) : "";
        box.paintings.add((into, at, width, height) -> {
            double w = orWhole(Measures.length(wide, width, font), width);
            double h = orWhole(Measures.length(high, height, font), height);
            double x = offset(firstPlace, width - w, font);
            double y = offset(secondPlace, height - h, font);
            stripes(colours, across, back, repeats, font, across ? w : h, (from, to, shade) -> {
                double left = Math.max(0, across ? x + from : x);
                double top = Math.max(0, across ? y : y + from);
                double right = Math.min(width, across ? x + to : x + w);
                double bottom = Math.min(height, across ? y + h : y + to);
                into.rectangle(at, left, top, right - left, bottom - top, shade);
            });
        });
    }

    private static double orWhole(double value, double whole) {
        return Double.isNaN(value) ? whole : value;
    }

    private static double offset(String word, double room, double font) {
        return switch (word) {
            case "center" -> room / 2;
            case "right", "bottom" -> room;
            default -> orZero(Measures.length(word, room, font));
        };
    }

    private interface Stripe {
        void add(double from, double to, int shade);
    }

    /// The stripes between the stops of a gradient; a transition becomes two, of half its length each.
    private static void stripes(
            List<String> stops, boolean across, boolean back, boolean repeats, double font, double whole, Stripe add) {
        List<Integer> shades = new ArrayList<>();
        List<Double> places = new ArrayList<>();
        for (String stop : stops) {
            List<String> parts = Measures.parts(stop, ' ');
            int shade = parts.isEmpty() ? -1 : Measures.shade(parts.getFirst());
            for (int i = 1; i < Math.max(2, Math.min(3, parts.size())); i++) {
                double place = i < parts.size() ? Measures.length(parts.get(i), whole, font) : Double.NaN;
                double usual = shades.isEmpty() ? 0 : whole * shades.size() / Math.max(1, stops.size() - 1);
                double last = places.isEmpty() ? 0 : places.getLast();
                shades.add(shade);
                places.add(Math.max(last, Double.isNaN(place) ? usual : place));
            }
        }
        double end = places.isEmpty() ? 0 : places.getLast();
        int times = repeats && end > 0 ? (int) Math.min(MAX_STRIPES, Math.ceil(whole / end)) : 1;
        int count = 0;
        for (int turn = 0; turn < times; turn++) {
            for (int i = 0; i < shades.size() && count < MAX_STRIPES; i++, count++) {
                double before = i == 0 ? 0 : (places.get(i - 1) + places.get(i)) / 2;
                boolean last = i + 1 == shades.size();
                double after = last ? repeats ? end : whole : (places.get(i) + places.get(i + 1)) / 2;
                double from = Math.max(0, before + turn * end);
                double to = Math.min(whole, after + turn * end);
                if (shades.get(i) >= 0 && from < to) {
                    add.add(back ? whole - to : from, back ? whole - from : to, shades.get(i));
                }
            }
        }
    }
}
