package org.bloomgate.content.links;

import java.util.List;
import java.util.Map;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.text.TextScan;

/// Parses lengths and colours of HTML, CSS and SVG, as far as drawings of codes use them.
final class Measures {
    private static final int LONGEST = 24;

    private static final Map<String, Integer> NAMES = Map.ofEntries(
            Map.entry("black", 0x000000),
            Map.entry("white", 0xffffff),
            Map.entry("red", 0xff0000),
            Map.entry("blue", 0x0000ff),
            Map.entry("navy", 0x000080),
            Map.entry("darkblue", 0x00008b),
            Map.entry("midnightblue", 0x191970),
            Map.entry("green", 0x008000),
            Map.entry("darkgreen", 0x006400),
            Map.entry("maroon", 0x800000),
            Map.entry("darkred", 0x8b0000),
            Map.entry("purple", 0x800080),
            Map.entry("indigo", 0x4b0082),
            Map.entry("teal", 0x008080),
            Map.entry("gray", 0x808080),
            Map.entry("grey", 0x808080),
            Map.entry("dimgray", 0x696969),
            Map.entry("darkslategray", 0x2f4f4f),
            Map.entry("silver", 0xc0c0c0),
            Map.entry("lightgray", 0xd3d3d3),
            Map.entry("whitesmoke", 0xf5f5f5),
            Map.entry("snow", 0xfffafa),
            Map.entry("ivory", 0xfffff0),
            Map.entry("yellow", 0xffff00),
            Map.entry("orange", 0xffa500));

    private Measures() {}

    /// 0 if it is not a number.
    static double number(String text) {
        if (text.isEmpty() || text.length() > LONGEST) {
            return 0;
        }
        try {
            double value = Double.parseDouble(text);
            return Double.isFinite(value) ? value : 0;
        } catch (NumberFormatException none) {
            return 0;
        }
    }

    /// The length in pixels; NaN if there is none, or a percentage.
    static double length(String text) {
        String plain = text.strip();
        int end = 0;
        while (end < plain.length()
                && (Character.isDigit(plain.charAt(end)) || ".-+".indexOf(plain.charAt(end)) >= 0)) {
            end++;
        }
        if (end == 0) {
            return Double.NaN;
        }
        double value = number(plain.substring(0, end));
        return switch (TextForms.lowerCase(plain.substring(end).strip())) {
            case "", "px" -> value;
            case "pt" -> value * 4 / 3;
            case "em", "rem" -> value * 16;
            case "ex", "ch" -> value * 8;
            case "mm" -> value * 96 / 25.4;
            case "cm" -> value * 96 / 2.54;
            case "in" -> value * 96;
            default -> Double.NaN;
        };
    }

    /// The shade of a colour, from 0 to 255; -1 for none.
    static int shade(String text) {
        String colour = TextForms.lowerCase(text.strip());
        if (colour.isEmpty() || colour.equals("none") || colour.equals("transparent")) {
            return -1;
        }
        if (colour.startsWith("rgb")) {
            return ofFunction(colour);
        }
        Integer named = NAMES.get(colour);
        return named == null ? ofDigits(colour.startsWith("#") ? colour.substring(1) : colour) : shade(named);
    }

    private static int ofFunction(String colour) {
        int open = TextScan.end(colour, colour.startsWith("rgba") ? 4 : 3, TextScan::isBlank);
        String inside = colour.startsWith("(", open) ? colour.substring(open + 1) : colour;
        List<String> parts =
                TextScan.words(inside.replace(")", "").trim(), c -> TextScan.isBlank(c) || c == ',' || c == '/', 5);
        if (parts.size() < 3 || (parts.size() > 3 && number(parts.get(3)) == 0)) {
            return -1;
        }
        return shade((component(parts.get(0)) << 16) | (component(parts.get(1)) << 8) | component(parts.get(2)));
    }

    private static int component(String text) {
        double value = text.endsWith("%") ? number(text.substring(0, text.length() - 1)) * 2.55 : number(text);
        return (int) Math.clamp(value, 0, 255);
    }

    private static int ofDigits(String digits) {
        boolean hex = digits.length() == 3 || digits.length() == 4 || digits.length() == 6 || digits.length() == 8;
        if (!hex || !digits.chars().allMatch(c -> Character.digit(c, 16) >= 0)) {
            return -1;
        }
        if (digits.length() < 6) {
            int three = Integer.parseInt(digits.substring(0, 3), 16);
            return shade((((three >> 8) * 17) << 16) | ((((three >> 4) & 15) * 17) << 8) | ((three & 15) * 17));
        }
        return shade(Integer.parseInt(digits.substring(0, 6), 16));
    }

    private static int shade(int rgb) {
        return (306 * (rgb >> 16 & 255) + 601 * (rgb >> 8 & 255) + 117 * (rgb & 255)) >> 10;
    }
}
