package org.bloomgate.content.links;

import java.util.Arrays;
import org.bloomgate.content.image.Drawing;

/// Draws the path of an SVG shape (SVG 2, 9.3); a curve becomes the straight line to its end. Linear in its
/// text.
final class SvgPath {
    private static final String COMMANDS = "MmLlHhVvZzCcSsQqTtAa";

    private final String text;
    private int at;
    private double[] points = new double[256];
    private int length;
    private int polygons;
    private double x;
    private double y;
    private double firstX;
    private double firstY;
    private final double strokeWidth;
    private final int stroke;
    private final Drawing into;

    /// @param stroke shade of lines; -1 for none
    private SvgPath(String text, double strokeWidth, int stroke, Drawing into) {
        this.text = text;
        this.strokeWidth = strokeWidth;
        this.stroke = stroke;
        this.into = into;
    }

    /// @param fill shade of what the lines go around; -1 for none
    /// @param stroke shade of the lines themselves; -1 for none
    static void draw(String text, int fill, int stroke, double strokeWidth, Drawing into) {
        SvgPath path = new SvgPath(text, strokeWidth, stroke, into);
        path.read();
        if (fill >= 0 && path.polygons > 0) {
            into.polygons(Arrays.copyOf(path.points, path.length), path.polygons, fill);
        }
    }

    private void read() {
        char command = 'M';
        while (length <= Drawing.MAX_CORNERS && skipBlanks()) {
            char c = text.charAt(at);
            if (COMMANDS.indexOf(c) >= 0) {
                command = c;
                at++;
            } else if (!isNumber(c)) {
                return;
            }
            step(command);
            command = command == 'M' ? 'L' : command == 'm' ? 'l' : command;
        }
    }

    private void step(char command) {
        boolean relative = Character.isLowerCase(command);
        switch (Character.toUpperCase(command)) {
            case 'M' -> move(next(relative ? x : 0), next(relative ? y : 0));
            case 'L', 'T' -> line(next(relative ? x : 0), next(relative ? y : 0));
            case 'H' -> line(next(relative ? x : 0), y);
            case 'V' -> line(x, next(relative ? y : 0));
            case 'C' -> curve(4, relative);
            case 'S', 'Q' -> curve(2, relative);
            case 'A' -> curve(5, relative);
            default -> line(firstX, firstY);
        }
    }

    private void curve(int before, boolean relative) {
        for (int i = 0; i < before; i++) {
            next(0);
        }
        line(next(relative ? x : 0), next(relative ? y : 0));
    }

    private void move(double toX, double toY) {
        x = toX;
        y = toY;
        firstX = x;
        firstY = y;
        if (length > 0) {
            add(Double.NaN, Double.NaN);
        }
        add(x, y);
        polygons++;
    }

    private void line(double toX, double toY) {
        if (stroke >= 0 && strokeWidth > 0) {
            double half = strokeWidth / 2;
            boolean flat = toY == y;
            into.rectangle(
                    Math.min(x, toX) - (flat ? 0 : half),
                    Math.min(y, toY) - (flat ? half : 0),
                    Math.abs(toX - x) + (flat ? 0 : strokeWidth),
                    Math.abs(toY - y) + (flat ? strokeWidth : 0),
                    stroke);
        }
        x = toX;
        y = toY;
        add(x, y);
    }

    private void add(double toX, double toY) {
        if (length + 2 > points.length) {
            points = Arrays.copyOf(points, points.length * 2);
        }
        points[length++] = toX;
        points[length++] = toY;
    }

    private boolean skipBlanks() {
        while (at < text.length() && (text.charAt(at) <= ' ' || text.charAt(at) == ',')) {
            at++;
        }
        return at < text.length();
    }

    private static boolean isNumber(char c) {
        return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+';
    }

    /// The next number and what it counts from; 0 for none.
    private double next(double from) {
        if (!skipBlanks() || !isNumber(text.charAt(at))) {
            return from;
        }
        int start = at++;
        boolean dot = text.charAt(start) == '.';
        while (at < text.length()) {
            char c = text.charAt(at);
            boolean exponent = c == 'e' || c == 'E';
            boolean sign = (c == '-' || c == '+') && (text.charAt(at - 1) | 0x20) == 'e';
            boolean digit = c >= '0' && c <= '9';
            if (!digit && !sign && !exponent && (c != '.' || dot)) {
                break;
            }
            dot |= c == '.';
            at++;
        }
        return from + Measures.number(text.substring(start, at));
    }
}
