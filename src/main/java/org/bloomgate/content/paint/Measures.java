package org.bloomgate.content.paint;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.text.TextScan;

/// Parses lengths and colours of HTML, CSS and SVG, as far as drawings of codes use them.
final class Measures {
    private static final int LONGEST = 24;

    /// Each name and its colour (CSS Color 4, 6.1).
    private static final Map<String, Integer> NAMES =
            names("aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc "
                    + "bisque ffe4c4 black 000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a "
                    + "burlywood deb887 cadetblue 5f9ea0 chartreuse 7fff00 chocolate d2691e coral ff7f50 "
                    + "cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff darkblue 00008b "
                    + "darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9 "
                    + "darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc "
                    + "darkred 8b0000 darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f "
                    + "darkslategrey 2f4f4f darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff "
                    + "dimgray 696969 dimgrey 696969 dodgerblue 1e90ff firebrick b22222 floralwhite fffaf0 "
                    + "forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc ghostwhite f8f8ff gold ffd700 "
                    + "goldenrod daa520 gray 808080 green 008000 greenyellow adff2f grey 808080 honeydew f0fff0 "
                    + "hotpink ff69b4 indianred cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa "
                    + "lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080 "
                    + "lightcyan e0ffff lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 "
                    + "lightgrey d3d3d3 lightpink ffb6c1 lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa "
                    + "lightslategray 778899 lightslategrey 778899 lightsteelblue b0c4de lightyellow ffffe0 "
                    + "lime 00ff00 limegreen 32cd32 linen faf0e6 magenta ff00ff maroon 800000 mediumaquamarine 66cdaa "
                    + "mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370db mediumseagreen 3cb371 "
                    + "mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585 "
                    + "midnightblue 191970 mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead "
                    + "navy 000080 oldlace fdf5e6 olive 808000 olivedrab 6b8e23 orange ffa500 orangered ff4500 "
                    + "orchid da70d6 palegoldenrod eee8aa palegreen 98fb98 paleturquoise afeeee palevioletred db7093 "
                    + "papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd powderblue b0e0e6 "
                    + "purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1 "
                    + "saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee "
                    + "sienna a0522d silver c0c0c0 skyblue 87ceeb slateblue 6a5acd slategray 708090 slategrey 708090 "
                    + "snow fffafa springgreen 00ff7f steelblue 4682b4 tan d2b48c teal 008080 thistle d8bfd8 "
                    + "tomato ff6347 turquoise 40e0d0 violet ee82ee wheat f5deb3 white ffffff whitesmoke f5f5f5 "
                    + "yellow ffff00 yellowgreen 9acd32 currentcolor 000000");

    private Measures() {}

    private static Map<String, Integer> names(String pairs) {
        Map<String, Integer> names = new HashMap<>();
        List<String> words = TextScan.split(pairs, c -> c == ' ');
        for (int i = 0; i + 1 < words.size(); i += 2) {
            names.put(words.get(i), Integer.parseInt(words.get(i + 1), 16));
        }
        return names;
    }

    /// The parts between separators that are outside brackets, without blanks around them.
    ///
    /// @param separator a blank stands for any number of them
    static List<String> parts(String text, char separator) {
        List<String> parts = new ArrayList<>();
        int from = 0;
        int depth = 0;
        for (int i = 0; i <= text.length(); i++) {
            char c = i == text.length() ? separator : text.charAt(i);
            boolean ends = c == separator || (separator == ' ' && TextScan.isBlank(c));
            depth = c == '(' ? depth + 1 : c == ')' ? Math.max(0, depth - 1) : depth;
            if (ends && (depth == 0 || i == text.length())) {
                String part = text.substring(from, i).strip();
                if (separator != ' ' || !part.isEmpty()) {
                    parts.add(part);
                }
                from = i + 1;
            }
        }
        return parts;
    }

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

    /// The length in pixels; NaN if there is none.
    static double length(String text) {
        return length(text, Double.NaN, 16);
    }

    /// The length in pixels; NaN if there is none.
    ///
    /// @param whole length of which a percentage is a share
    /// @param font pixels of `1em`
    static double length(String text, double whole, double font) {
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
            case "%" -> value * whole / 100;
            case "em" -> value * font;
            case "rem" -> value * 16;
            case "ex", "ch" -> value * font / 2;
            case "vw", "vh" -> value * 8;
            case "pc" -> value * 16;
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
        if (colour.startsWith("rgb") || colour.startsWith("hsl")) {
            return ofFunction(colour);
        }
        Integer named = NAMES.get(colour);
        return named == null ? ofDigits(colour.startsWith("#") ? colour.substring(1) : colour) : shade(named);
    }

    private static int ofFunction(String colour) {
        int open = TextScan.end(colour, colour.startsWith("a", 3) ? 4 : 3, TextScan::isBlank);
        String inside = colour.startsWith("(", open) ? colour.substring(open + 1) : colour;
        List<String> parts =
                TextScan.words(inside.replace(")", "").trim(), c -> TextScan.isBlank(c) || c == ',' || c == '/', 5);
        if (parts.size() < 3 || (parts.size() > 3 && number(parts.get(3).replace("%", "")) == 0)) {
            return -1;
        }
        if (colour.startsWith("hsl")) {
            return ofHue(hue(parts.get(0)), share(parts.get(1)), share(parts.get(2)));
        }
        return shade((component(parts.get(0)) << 16) | (component(parts.get(1)) << 8) | component(parts.get(2)));
    }

    /// Thirtieths of a circle are the sectors of hues (CSS Color 4, 7.1).
    private static int ofHue(double degrees, double saturation, double lightness) {
        double most = saturation * Math.min(lightness, 1 - lightness);
        int rgb = 0;
        for (int n : new int[] {0, 8, 4}) {
            double k = ((n + degrees / 30) % 12 + 12) % 12;
            double value = lightness - most * Math.clamp(Math.min(k - 3, 9 - k), -1, 1);
            rgb = (rgb << 8) | (int) Math.round(value * 255);
        }
        return shade(rgb);
    }

    private static double hue(String text) {
        int end = TextScan.next(text, 0, TextScan::isLetter);
        double value = number(text.substring(0, end));
        return switch (text.substring(end)) {
            case "turn" -> value * 360;
            case "rad" -> Math.toDegrees(value);
            case "grad" -> value * 0.9;
            default -> value;
        };
    }

    private static double share(String text) {
        return Math.clamp(number(text.replace("%", "")) / 100, 0, 1);
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
