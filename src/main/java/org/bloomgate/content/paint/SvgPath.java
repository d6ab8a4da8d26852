package org.bloomgate.content.paint;

import java.util.Arrays;
import org.bloomgate.content.image.Drawing;

/// The path of an SVG shape (SVG 2, 9.3) as polygons; a curve becomes four straight lines. Linear in its text.
final class SvgPath {
    private static final String COMMANDS = "MmLlHhVvZzCcSsQqTtAa";
    private static final int STEPS = 4;

    private final String text;
    private int at;
    private double[] points = new double[256];
    private int length;
    private int polygons;
    private double x;
    private double y;
    private double firstX;
    private double firstY;

    private SvgPath(String text) {
        this.text = text;
    }

    static SvgPath parse(String text) {
        SvgPath path = new SvgPath(text);
        path.read();
        return path;
    }

    /// x and y of each corner, with NaN twice before another polygon.
    double[] points() {
        return Arrays.copyOf(points, length);
    }

    int polygons() {
        return polygons;
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
            case 'C' -> curve(3, relative);
            case 'S', 'Q' -> curve(2, relative);
            case 'A' -> arc(relative);
            default -> line(firstX, firstY);
        }
    }

    /// A Bezier curve.
    ///
    /// @param degree number of points after the first
    private void curve(int degree, boolean relative) {
        double[] xs = new double[degree + 1];
        double[] ys = new double[degree + 1];
        xs[0] = x;
        ys[0] = y;
        for (int i = 1; i <= degree; i++) {
            xs[i] = next(relative ? x : 0);
            ys[i] = next(relative ? y : 0);
        }
        for (int step = 1; step <= STEPS; step++) {
            line(on(xs, (double) step / STEPS), on(ys, (double) step / STEPS));
        }
    }

    private static double on(double[] controls, double t) {
        double[] values = controls.clone();
        for (int degree = values.length - 1; degree > 0; degree--) {
            for (int i = 0; i < degree; i++) {
                values[i] += t * (values[i + 1] - values[i]);
            }
        }
        return values[0];
    }

    /// An arc of an ellipse whose axes are upright, from its ends (SVG 2, B.2.4).
    private void arc(boolean relative) {
        double rx = Math.abs(next(0));
        double ry = Math.abs(next(0));
        double _ = next(0);
        boolean large = flag();
        boolean clockwise = flag();
        double toX = next(relative ? x : 0);
        double toY = next(relative ? y : 0);
        double halfX = (x - toX) / 2 / rx;
        double halfY = (y - toY) / 2 / ry;
        double square = halfX * halfX + halfY * halfY;
        if (!(square > 0) || rx == 0 || ry == 0) {
            line(toX, toY);
            return;
        }
        double grown = Math.max(1, Math.sqrt(square));
        double side = Math.sqrt(Math.max(0, grown * grown / square - 1)) * (large == clockwise ? -1 : 1);
        double middleX = (x + toX) / 2 + side * halfY * rx;
        double middleY = (y + toY) / 2 - side * halfX * ry;
        double from = Math.atan2((y - middleY) / ry, (x - middleX) / rx);
        double turn = Math.atan2((toY - middleY) / ry, (toX - middleX) / rx) - from;
        turn += clockwise && turn < 0 ? 2 * Math.PI : !clockwise && turn > 0 ? -2 * Math.PI : 0;
        for (int step = 1; step < STEPS; step++) {
            double angle = from + turn * step / STEPS;
            line(middleX + grown * rx * Math.cos(angle), middleY + grown * ry * Math.sin(angle));
        }
        line(toX, toY);
    }

    /// One digit, which may stand before the next number without a blank.
    private boolean flag() {
        return skipBlanks() && text.charAt(at++) == '1';
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
