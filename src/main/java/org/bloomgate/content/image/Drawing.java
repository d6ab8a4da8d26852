package org.bloomgate.content.image;

import java.awt.geom.AffineTransform;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bloomgate.core.limit.Limit;

/// The shapes that a document draws: the cells of a table, blocks, the shapes of SVG, the rectangles of a PDF
/// page, in the order in which they are painted. [#read] paints them on one picture, with three pixels for the
/// side of a typical shape, and searches for codes in it. Not thread-safe.
public final class Drawing {
    /// The number of shapes that are kept: the limit `qrMarks`. Version 40 with a shape for each module has
    /// 15,000 dark ones.
    public static final int MAX_SHAPES = 50_000;

    /// Corners of all polygons: the limit `qrMarks`.
    public static final int MAX_CORNERS = 400_000;

    /// A code needs at least so many shapes: version 1 has more than 100 runs of dark modules.
    static final int FEWEST_MARKS = 40;

    /// A drawing of fewer shapes is not searched with sides of equal length.
    private static final int FEWEST_UNEVEN = 200;

    /// The longer side of a part that is not square, by its shorter one.
    private static final double LEAST_UNEVEN = 1.2;

    private static final double MOST_UNEVEN = 3.5;

    /// Pixels of the picture: the limit `picturePixels`.
    static final int MAX_PIXELS = 1_500_000;

    /// The pixels for the side of a typical shape.
    private static final double PIXELS = 3;

    /// With fewer pixels, modules cannot be distinguished.
    private static final double FEWEST_PIXELS = 1.5;

    /// Wider or higher shapes are not part of a code, but its background.
    private static final int MOST_MODULES = 60;

    /// The number of corners that are compared with a row for a unit of work.
    private static final int OPERATIONS = 8;

    /// The number of pixels that are filled for a unit of work.
    private static final int FILLED = 256;

    /// Shapes farther away are not seen.
    private static final double FARTHEST = 1e7;

    private static final int MARGIN = 12;
    private static final int WHITE = 255;

    private final List<Shape> shapes = new ArrayList<>();
    private int corners;
    private int marks;
    private boolean full;

    /// @param points the left, upper, right and lower side of a rectangle; x and y of each corner of a polygon,
    /// with NaN twice before the next polygon
    @SuppressWarnings("ArrayRecordComponent")
    private record Shape(Kind kind, double[] points, int polygons, int shade) {
        enum Kind {
            RECTANGLE,
            EVEN_ODD,
            NON_ZERO
        }

        boolean rectangle() {
            return kind == Kind.RECTANGLE;
        }

        double left() {
            return rectangle() ? points[0] : least(0);
        }

        double upper() {
            return rectangle() ? points[1] : least(1);
        }

        double right() {
            return rectangle() ? points[2] : most(0);
        }

        double lower() {
            return rectangle() ? points[3] : most(1);
        }

        /// The typical width, or height, of a part: that of a rectangle, or the shortest step of a polygon.
        double step(int of) {
            if (rectangle()) {
                return points[of + 2] - points[of];
            }
            double shortest = Double.POSITIVE_INFINITY;
            for (int i = 2 + of; i < points.length; i += 2) {
                double step = Math.abs(points[i] - points[i - 2]);
                shortest = step > 1e-6 && step < shortest ? step : shortest;
            }
            return shortest;
        }

        private double least(int of) {
            double least = Double.POSITIVE_INFINITY;
            for (int i = of; i < points.length; i += 2) {
                least = points[i] < least ? points[i] : least;
            }
            return least;
        }

        private double most(int of) {
            double most = Double.NEGATIVE_INFINITY;
            for (int i = of; i < points.length; i += 2) {
                most = points[i] > most ? points[i] : most;
            }
            return most;
        }
    }

    /// Adds a rectangle.
    ///
    /// @param shade from 0, black, to 255
    public void rectangle(double x, double y, double width, double height, int shade) {
        boolean solid = width > 0 && height > 0 && Math.abs(x) + Math.abs(y) + width + height < FARTHEST;
        if (solid && room(4, 1)) {
            shapes.add(new Shape(Shape.Kind.RECTANGLE, new double[] {x, y, x + width, y + height}, 1, shade));
        }
    }

    /// Adds a rectangle that is moved, scaled or turned.
    public void rectangle(AffineTransform by, double x, double y, double width, double height, int shade) {
        if (width > 0 && height > 0) {
            double[] points = {x, y, x + width, y, x + width, y + height, x, y + height};
            by.transform(points, 0, points, 0, 4);
            if (by.getShearX() == 0 && by.getShearY() == 0) {
                rectangle(
                        Math.min(points[0], points[4]),
                        Math.min(points[1], points[5]),
                        Math.abs(points[4] - points[0]),
                        Math.abs(points[5] - points[1]),
                        shade);
            } else {
                filled(points, 1, shade, true);
            }
        }
    }

    /// Adds closed polygons that are filled together by the even-odd rule.
    ///
    /// @param points x and y of each corner, with NaN twice before another polygon
    /// @param polygons number of polygons
    public void polygons(double[] points, int polygons, int shade) {
        filled(points, polygons, shade, false);
    }

    /// Adds closed polygons that are filled together.
    ///
    /// @param nonZero whether by the non-zero rule, so that polygons in the same direction are one
    public void filled(double[] points, int polygons, int shade, boolean nonZero) {
        if (isNear(points) && room(points.length, polygons)) {
            shapes.add(new Shape(nonZero ? Shape.Kind.NON_ZERO : Shape.Kind.EVEN_ODD, points.clone(), polygons, shade));
        }
    }

    /// The number of shapes.
    public int size() {
        return shapes.size();
    }

    /// Whether no more shapes are kept.
    public boolean isFull() {
        return full;
    }

    /// Adds shapes of a drawing, which may be this one, moved, scaled or turned.
    ///
    /// @param from first of the shapes
    /// @param to end of the shapes
    /// @param shade of all of them; -1 for their own
    public void add(Drawing other, int from, int to, AffineTransform by, int shade) {
        full |= other.full;
        for (int i = from; i < to && !full; i++) {
            Shape shape = other.shapes.get(i);
            int shown = shade < 0 ? shape.shade() : shade;
            double[] points = shape.points();
            if (shape.rectangle()) {
                rectangle(by, points[0], points[1], points[2] - points[0], points[3] - points[1], shown);
            } else {
                double[] moved = new double[points.length];
                by.transform(points, 0, moved, 0, points.length / 2);
                filled(moved, shape.polygons(), shown, shape.kind() == Shape.Kind.NON_ZERO);
            }
        }
    }

    private boolean room(int more, int polygons) {
        full |= shapes.size() == MAX_SHAPES || corners + more > MAX_CORNERS;
        corners += full ? 0 : more;
        marks += full ? 0 : polygons;
        return !full;
    }

    private static boolean isNear(double[] values) {
        for (double value : values) {
            if (Math.abs(value) >= FARTHEST) {
                return false;
            }
        }
        return true;
    }

    /// Whether the drawing may be a code.
    public boolean isWorthPainting() {
        return marks >= FEWEST_MARKS || full;
    }

    /// Paints the shapes and searches for codes. A drawing whose parts are not square is also searched with
    /// sides of equal length, because the width of a character depends on the font.
    ///
    /// @return whether a code was found
    public boolean read(ImageVisitor looking) {
        if (!isWorthPainting()) {
            return false;
        }
        if (full) {
            looking.reached(Limit.QR_MARKS);
        }
        double wide = typical(0);
        double high = typical(1);
        double unit = Math.min(wide, high);
        if (!(unit > 0 && unit < Double.POSITIVE_INFINITY)) {
            return false;
        }
        boolean found = paint(unit, unit, looking);
        boolean uneven = Math.max(wide, high) > unit * LEAST_UNEVEN && Math.max(wide, high) < unit * MOST_UNEVEN;
        return found || (uneven && marks >= FEWEST_UNEVEN && paint(wide, high, looking));
    }

    /// The lower quartile of the widths or heights, because a run of modules is one shape. Lines are no
    /// modules.
    private double typical(int of) {
        double[] sides = shapes.stream()
                .filter(shape -> shape.step(of) * MOST_MODULES > shape.step(1 - of))
                .mapToDouble(shape -> shape.step(of))
                .filter(side -> side > 0 && side < Double.POSITIVE_INFINITY)
                .sorted()
                .toArray();
        return sides.length == 0 ? 0 : sides[sides.length / 4];
    }

    private boolean paint(double unitX, double unitY, ImageVisitor looking) {
        List<Shape> small = shapes.stream()
                .filter(shape -> !shape.rectangle()
                        || (shape.step(0) <= unitX * MOST_MODULES && shape.step(1) <= unitY * MOST_MODULES))
                .toList();
        double left = small.stream().mapToDouble(Shape::left).min().orElse(0);
        double upper = small.stream().mapToDouble(Shape::upper).min().orElse(0);
        double wide = small.stream().mapToDouble(Shape::right).max().orElse(0) - left;
        double high = small.stream().mapToDouble(Shape::lower).max().orElse(0) - upper;
        double modules = Math.max(1e-9, wide / unitX * (high / unitY));
        double pixels = Math.min(PIXELS, Math.sqrt(MAX_PIXELS / modules));
        if (pixels < FEWEST_PIXELS) {
            looking.reached(Limit.PICTURE_PIXELS);
            return false;
        }
        Scale scale = new Scale(left, upper, pixels / unitX, pixels / unitY);
        int width = (int) Math.ceil(wide * scale.x()) + 2 * MARGIN;
        int height = (int) Math.ceil(high * scale.y()) + 2 * MARGIN;
        if (!Pictures.mayHoldCode(width, height) || !looking.take(0, width, height)) {
            return false;
        }
        byte[] samples = new byte[width * height];
        Arrays.fill(samples, (byte) WHITE);
        // Shapes that are larger than a code are painted too, as its background.
        for (Shape shape : shapes) {
            int fromX = scale.column(shape.left(), width);
            int toX = scale.column(shape.right(), width);
            int fromY = scale.row(shape.upper(), height);
            int toY = scale.row(shape.lower(), height);
            long rows = Math.max(0, toY - fromY);
            long units = 1 + rows * Math.max(0, toX - fromX) / FILLED;
            long compared = shape.rectangle() ? 0 : shape.points().length * rows / OPERATIONS;
            if (!looking.search(units + compared)) {
                return false;
            }
            if (shape.rectangle()) {
                for (int y = fromY; y < toY && fromX < toX; y++) {
                    Arrays.fill(samples, y * width + fromX, y * width + toX, (byte) shape.shade());
                }
            } else {
                polygons(shape, fromY, toY, scale, samples, width);
            }
        }
        return Codes.read(Shades.of(width, height, 1, samples), looking);
    }

    /// Pixels for a length of one, from the left and upper side of the picture.
    private record Scale(double left, double upper, double x, double y) {
        int column(double at, int most) {
            return (int) Math.clamp(Math.round((at - left) * x) + MARGIN, 0L, most);
        }

        int row(double at, int most) {
            return (int) Math.clamp(Math.round((at - upper) * y) + MARGIN, 0L, most);
        }
    }

    /// Fills polygons row by row, between the sides that the middle of the row crosses. The lowest bit of
    /// where a side is crossed is its direction.
    private static void polygons(Shape shape, int fromY, int toY, Scale scale, byte[] samples, int width) {
        double[] points = shape.points();
        double[] met = new double[points.length / 2 + 1];
        for (int y = fromY; y < toY; y++) {
            double middle = (y - MARGIN + 0.5) / scale.y() + scale.upper();
            int count = 0;
            int first = 0;
            for (int i = 0; i < points.length; i += 2) {
                if (Double.isNaN(points[i])) {
                    first = i + 2;
                    continue;
                }
                boolean last = i + 2 >= points.length || Double.isNaN(points[i + 2]);
                int next = last ? first : i + 2;
                double a = points[i + 1];
                double b = points[next + 1];
                if ((a <= middle) != (b <= middle)) {
                    double at = points[i] + (middle - a) / (b - a) * (points[next] - points[i]);
                    met[count++] = Double.longBitsToDouble((Double.doubleToRawLongBits(at) & -2) | (a < b ? 1 : 0));
                }
            }
            Arrays.sort(met, 0, count);
            int inside = 0;
            for (int i = 0; i + 1 < count; i++) {
                boolean down = (Double.doubleToRawLongBits(met[i]) & 1) == 1;
                inside = shape.kind() == Shape.Kind.EVEN_ODD ? 1 - inside : inside + (down ? 1 : -1);
                int from = scale.column(met[i], width);
                int to = scale.column(met[i + 1], width);
                if (inside != 0 && from < to) {
                    Arrays.fill(samples, y * width + from, y * width + to, (byte) shape.shade());
                }
            }
        }
    }
}
