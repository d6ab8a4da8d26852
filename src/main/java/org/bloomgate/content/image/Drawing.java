package org.bloomgate.content.image;

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

    /// A code needs at least so many dark shapes: version 1 has more than 100 runs of dark modules.
    static final int FEWEST_DARK = 40;

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

    private static final int MARGIN = 12;
    private static final int DARK = 128;
    private static final int WHITE = 255;

    private final List<Shape> shapes = new ArrayList<>();
    private int corners;
    private int dark;
    private boolean full;

    /// @param points the left, upper, right and lower side of a rectangle; x and y of each corner of a polygon,
    /// with NaN twice before the next polygon
    @SuppressWarnings("ArrayRecordComponent")
    private record Shape(boolean rectangle, double[] points, int shade) {
        double left() {
            return rectangle ? points[0] : least(0);
        }

        double upper() {
            return rectangle ? points[1] : least(1);
        }

        double right() {
            return rectangle ? points[2] : most(0);
        }

        double lower() {
            return rectangle ? points[3] : most(1);
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
        boolean flat = !(width > 0 && height > 0) || !isFinite(x, y, width, height);
        if (!flat && room(4)) {
            dark += shade < DARK ? 1 : 0;
            shapes.add(new Shape(true, new double[] {x, y, x + width, y + height}, shade));
        }
    }

    /// Adds closed polygons that are filled together by the even-odd rule.
    ///
    /// @param points x and y of each corner, with NaN twice before another polygon
    /// @param polygons number of polygons
    public void polygons(double[] points, int polygons, int shade) {
        if (room(points.length)) {
            dark += shade < DARK ? polygons : 0;
            shapes.add(new Shape(false, points.clone(), shade));
        }
    }

    private boolean room(int more) {
        full |= shapes.size() == MAX_SHAPES || corners + more > MAX_CORNERS;
        corners += full ? 0 : more;
        return !full;
    }

    private static boolean isFinite(double... values) {
        return Arrays.stream(values).allMatch(value -> Math.abs(value) < 1e7);
    }

    /// Whether the drawing may be a code.
    public boolean isWorthPainting() {
        return dark >= FEWEST_DARK || full;
    }

    /// Paints the shapes and searches for codes.
    public void read(ImageVisitor looking) {
        if (!isWorthPainting()) {
            return;
        }
        if (full) {
            looking.reached(Limit.QR_MARKS);
        }
        double unit = unit();
        List<Shape> small = shapes.stream()
                .filter(shape -> !shape.rectangle()
                        || (shape.right() - shape.left() <= unit * MOST_MODULES
                                && shape.lower() - shape.upper() <= unit * MOST_MODULES))
                .toList();
        if (unit > 0 && !small.isEmpty()) {
            paint(small, unit, looking);
        }
    }

    /// The side of a typical shape: the median of the shorter sides of rectangles and of the shortest sides of
    /// polygons.
    private double unit() {
        double[] sides = shapes.stream()
                .filter(shape -> shape.shade() < DARK)
                .mapToDouble(shape -> shape.rectangle()
                        ? Math.min(shape.right() - shape.left(), shape.lower() - shape.upper())
                        : shortestStep(shape.points()))
                .filter(side -> side > 0 && side < Double.POSITIVE_INFINITY)
                .sorted()
                .toArray();
        return sides.length == 0 ? 0 : sides[sides.length / 2];
    }

    private static double shortestStep(double[] points) {
        double shortest = Double.POSITIVE_INFINITY;
        for (int i = 2; i + 1 < points.length; i += 2) {
            double step = Math.abs(points[i] - points[i - 2]) + Math.abs(points[i + 1] - points[i - 1]);
            shortest = step > 1e-6 && step < shortest ? step : shortest;
        }
        return shortest;
    }

    private void paint(List<Shape> small, double unit, ImageVisitor looking) {
        double left = small.stream().mapToDouble(Shape::left).min().orElse(0);
        double upper = small.stream().mapToDouble(Shape::upper).min().orElse(0);
        double wide = small.stream().mapToDouble(Shape::right).max().orElse(0) - left;
        double high = small.stream().mapToDouble(Shape::lower).max().orElse(0) - upper;
        double most = Math.sqrt(MAX_PIXELS / Math.max(1e-9, wide * high));
        double scale = Math.min(PIXELS / unit, most);
        if (scale * unit < FEWEST_PIXELS) {
            looking.reached(Limit.PICTURE_PIXELS);
            return;
        }
        int width = (int) Math.ceil(wide * scale) + 2 * MARGIN;
        int height = (int) Math.ceil(high * scale) + 2 * MARGIN;
        if (!Pictures.mayHoldCode(width, height) || !looking.take(0, width, height)) {
            return;
        }
        byte[] samples = new byte[width * height];
        Arrays.fill(samples, (byte) WHITE);
        // Shapes that are larger than a code are painted too, as its background.
        for (Shape shape : shapes) {
            double area = Math.max(0, shape.right() - shape.left()) * Math.max(0, shape.lower() - shape.upper());
            long units = 1 + (long) Math.min(samples.length, area * scale * scale) / FILLED;
            long rows = shape.rectangle() ? 0 : samples.length / width;
            if (!looking.search(units + shape.points().length * rows / OPERATIONS)) {
                return;
            }
            if (shape.rectangle()) {
                rectangle(shape, left, upper, scale, samples, width);
            } else {
                polygons(shape, left, upper, scale, samples, width);
            }
        }
        Pictures.read(width, height, 1, samples, looking);
    }

    private static void rectangle(Shape shape, double left, double upper, double scale, byte[] samples, int width) {
        int height = samples.length / width;
        int fromX = pixel((shape.left() - left) * scale, width);
        int toX = pixel((shape.right() - left) * scale, width);
        int fromY = pixel((shape.upper() - upper) * scale, height);
        int toY = pixel((shape.lower() - upper) * scale, height);
        for (int y = fromY; y < toY; y++) {
            Arrays.fill(samples, y * width + fromX, y * width + Math.max(fromX, toX), (byte) shape.shade());
        }
    }

    private static int pixel(double at, int most) {
        return (int) Math.clamp(Math.round(at) + MARGIN, 0L, most);
    }

    /// Fills polygons row by row, between the sides that the middle of the row crosses.
    private static void polygons(Shape shape, double left, double upper, double scale, byte[] samples, int width) {
        int height = samples.length / width;
        int fromY = pixel((shape.upper() - upper) * scale, height);
        int toY = pixel((shape.lower() - upper) * scale, height);
        double[] points = shape.points();
        double[] met = new double[points.length / 2 + 1];
        for (int y = fromY; y < toY; y++) {
            double middle = (y - MARGIN + 0.5) / scale + upper;
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
                    met[count++] = points[i] + (middle - a) / (b - a) * (points[next] - points[i]);
                }
            }
            Arrays.sort(met, 0, count);
            for (int i = 0; i + 1 < count; i += 2) {
                int from = pixel((met[i] - left) * scale, width);
                int to = pixel((met[i + 1] - left) * scale, width);
                Arrays.fill(samples, y * width + from, y * width + Math.max(from, to), (byte) shape.shade());
            }
        }
    }
}
