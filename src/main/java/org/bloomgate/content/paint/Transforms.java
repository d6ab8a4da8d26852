package org.bloomgate.content.paint;

import java.awt.geom.AffineTransform;
import java.util.List;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.text.TextScan;

/// Parses the transform lists of SVG and CSS, `translate(1 2) rotate(45)`. Linear in the text.
final class Transforms {
    private Transforms() {}

    /// @param whole length of which a percentage is a share
    /// @param font pixels of `1em`
    static AffineTransform parse(String text, double whole, double font) {
        AffineTransform all = new AffineTransform();
        int from = 0;
        int open = text.indexOf('(');
        int close = text.indexOf(')');
        while (open >= 0 && close > open) {
            String name = TextForms.lowerCase(
                    TextScan.without(text.substring(from, open), c -> c == ',').strip());
            List<String> words =
                    TextScan.words(text.substring(open + 1, close).strip(), c -> TextScan.isBlank(c) || c == ',', 6);
            double[] n =
                    words.stream().mapToDouble(word -> value(word, whole, font)).toArray();
            all.concatenate(of(name, n));
            from = close + 1;
            open = text.indexOf('(', from);
            close = text.indexOf(')', from);
        }
        return all;
    }

    private static double value(String word, double whole, double font) {
        int unit = TextScan.next(word, 0, c -> TextScan.isLetter(c) && c != 'e');
        return switch (TextForms.lowerCase(word.substring(unit))) {
            case "deg" -> Measures.number(word.substring(0, unit));
            case "turn" -> Measures.number(word.substring(0, unit)) * 360;
            case "rad" -> Math.toDegrees(Measures.number(word.substring(0, unit)));
            case "" -> word.endsWith("%") ? Paint.orZero(Measures.length(word, whole, font)) : Measures.number(word);
            default -> Paint.orZero(Measures.length(word, whole, font));
        };
    }

    private static AffineTransform of(String name, double[] n) {
        double first = n.length > 0 ? n[0] : 0;
        double second = n.length > 1 ? n[1] : 0;
        return switch (name) {
            case "translate", "translate3d" -> AffineTransform.getTranslateInstance(first, second);
            case "translatex" -> AffineTransform.getTranslateInstance(first, 0);
            case "translatey" -> AffineTransform.getTranslateInstance(0, first);
            case "scale", "scale3d" -> AffineTransform.getScaleInstance(first, n.length > 1 ? second : first);
            case "scalex" -> AffineTransform.getScaleInstance(first, 1);
            case "scaley" -> AffineTransform.getScaleInstance(1, first);
            case "rotate", "rotatez" ->
                AffineTransform.getRotateInstance(Math.toRadians(first), second, n.length > 2 ? n[2] : 0);
            case "skewx" -> AffineTransform.getShearInstance(Math.tan(Math.toRadians(first)), 0);
            case "skewy" -> AffineTransform.getShearInstance(0, Math.tan(Math.toRadians(first)));
            case "matrix" -> n.length == 6 ? new AffineTransform(n) : new AffineTransform();
            default -> new AffineTransform();
        };
    }
}
