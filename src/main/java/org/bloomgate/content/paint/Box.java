package org.bloomgate.content.paint;

import java.awt.geom.AffineTransform;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.bloomgate.content.image.BlockText;
import org.bloomgate.content.image.Drawing;

/// A box of a document: its place among others, what is in it and what is painted of it. Lengths are pixels,
/// NaN where none is stated. The cost is linear in the boxes, and in the rows and columns that cells reach over.
final class Box {
    /// Columns and rows of a table or grid, and of a cell: hides nothing, a code has at most 185 of both.
    static final int MAX_SPAN = 1_000;

    /// The side of a cell of which nothing is known.
    private static final double USUAL_SIDE = 4;

    private static final double[] NO_SIDES = new double[4];

    /// How a box stands among others.
    enum Kind {
        BLOCK,
        INLINE,
        LEFT,
        RIGHT,
        /// At a place of its own.
        PLACED,
        TEXT,
        BREAK,
        ROW,
        CELL
    }

    /// How the boxes in a box stand.
    enum Inside {
        FLOW,
        TABLE,
        FLEX,
        COLUMN,
        GRID
    }

    /// Something that is painted on a box when its size is known.
    interface Painting {
        void paint(Drawing into, AffineTransform at, double width, double height);
    }

    final List<Box> children = new ArrayList<>();
    final List<Painting> paintings = new ArrayList<>(0);
    Kind kind;
    Inside inside = Inside.FLOW;
    double width = Double.NaN;
    double height = Double.NaN;
    boolean borderBox;
    double left = Double.NaN;
    double top = Double.NaN;
    double right = Double.NaN;
    double bottom = Double.NaN;

    /// Sides from the top clockwise.
    double[] margin = NO_SIDES;

    double[] edge = NO_SIDES;
    boolean positioned;
    boolean wraps = true;
    boolean grows;
    int across = 1;
    int down = 1;

    /// Row and column of a grid from 1; 0 for the next free one.
    int row;

    int column;
    double[] columns = {};
    double[] rows = {};
    double gapX;
    double gapY;
    AffineTransform transform = new AffineTransform();

    /// The characters of a text, the width and height of each, and their shade.
    String text = "";

    double advance;
    double line;
    int colour;

    private double x;
    private double y;
    private double w;
    private double h;
    private double preferred = Double.NaN;
    private double[] widths = {};

    Box(Kind kind) {
        this.kind = kind;
    }

    private double edgesX() {
        return edge[1] + edge[3];
    }

    private double edgesY() {
        return edge[0] + edge[2];
    }

    private double statedWidth() {
        return borderBox ? Math.max(0, width - edgesX()) : width;
    }

    private double statedHeight() {
        return borderBox ? Math.max(0, height - edgesY()) : height;
    }

    /// The width with sides and margin that the box takes if there is room.
    private double outerPreferred() {
        double inner = Double.isNaN(width) ? preferred() : statedWidth();
        return inner + edgesX() + margin[1] + margin[3];
    }

    private double preferred() {
        if (Double.isNaN(preferred)) {
            preferred = switch (inside) {
                case TABLE -> Arrays.stream(columnWidths()).sum();
                case GRID -> Arrays.stream(gridColumns(Double.NaN)).sum() + gapX * Math.max(0, columns.length - 1);
                case FLOW, FLEX, COLUMN -> kind == Kind.TEXT ? advance * text.length() : preferredOfLines();
            };
        }
        return preferred;
    }

    private double preferredOfLines() {
        double most = 0;
        double onLine = 0;
        for (Box child : children) {
            if (child.kind == Kind.PLACED) {
                continue;
            }
            boolean alone = inside == Inside.COLUMN || (inside == Inside.FLOW && child.isAlone());
            onLine = alone ? child.outerPreferred() : onLine + child.outerPreferred();
            most = Math.max(most, onLine);
            onLine = alone ? 0 : onLine;
        }
        return most;
    }

    /// Whether nothing stands beside the box.
    private boolean isAlone() {
        return kind == Kind.BLOCK || kind == Kind.ROW || kind == Kind.BREAK;
    }

    /// Gives the box, and what is in it, their sizes and places.
    ///
    /// @param available width for the box with its margin
    void layout(double available) {
        double inner = statedWidth();
        if (Double.isNaN(inner)) {
            double room = Math.max(0, available - edgesX() - margin[1] - margin[3]);
            boolean fills = (kind == Kind.BLOCK || kind == Kind.ROW) && inside != Inside.TABLE;
            inner = fills ? room : kind == Kind.TEXT ? preferred() : Math.min(room, preferred());
        }
        place(inner);
    }

    private void place(double inner) {
        double high = switch (inside) {
            case TABLE -> table(inner);
            case FLEX -> flex(inner);
            case GRID -> grid(inner);
            case FLOW, COLUMN -> kind == Kind.TEXT ? line : flow(inner);
        };
        w = inner + edgesX();
        h = (Double.isNaN(height) ? high : statedHeight()) + edgesY();
    }

    private double outerHeight() {
        return h + margin[0] + margin[2];
    }

    /// Lines of boxes side by side, and boxes alone, one below the other.
    private double flow(double inner) {
        List<Box> onLine = new ArrayList<>();
        double atX = 0;
        double atRight = 0;
        double atY = 0;
        double high = 0;
        for (Box child : children) {
            boolean alone = child.isAlone() || (inside == Inside.COLUMN && child.kind != Kind.PLACED);
            if (child.kind != Kind.BREAK) {
                child.layout(inner);
            }
            double wide = child.w + child.margin[1] + child.margin[3];
            boolean full = wraps && !onLine.isEmpty() && atX + atRight + wide > inner + 0.5;
            if (child.kind != Kind.PLACED && (alone || full)) {
                endLine(onLine, atY, high);
                atY += onLine.isEmpty() && child.kind == Kind.BREAK ? child.line : high;
                onLine.clear();
                atX = 0;
                atRight = 0;
                high = 0;
            }
            child.x = edge[3] + child.margin[3] + (child.kind == Kind.RIGHT ? inner - atRight - wide : atX);
            child.y = edge[0] + child.margin[0] + atY;
            if (alone) {
                atY += child.kind == Kind.BREAK ? 0 : child.outerHeight();
            } else if (child.kind != Kind.PLACED) {
                onLine.add(child);
                atX += child.kind == Kind.RIGHT ? 0 : wide;
                atRight += child.kind == Kind.RIGHT ? wide : 0;
                high = Math.max(high, child.outerHeight());
            }
        }
        endLine(onLine, atY, high);
        return atY + high;
    }

    /// Inline boxes stand on the lower side of their line.
    private void endLine(List<Box> onLine, double atY, double high) {
        for (Box child : onLine) {
            if (child.kind == Kind.INLINE || child.kind == Kind.TEXT) {
                child.y = edge[0] + atY + high - child.h - child.margin[2];
            }
        }
    }

    private double flex(double inner) {
        double used = -gapX;
        int growing = 0;
        for (Box child : children) {
            used += child.outerPreferred() + gapX;
            growing += child.grows ? 1 : 0;
        }
        double more = growing > 0 ? Math.max(0, inner - used) / growing : 0;
        double atX = 0;
        double atY = 0;
        double high = 0;
        int first = 0;
        for (int i = 0; i < children.size(); i++) {
            Box child = children.get(i);
            double wide = child.outerPreferred() + (child.grows ? more : 0);
            if (wraps && i > first && atX + wide > inner + 0.5) {
                stretch(first, i, high);
                atY += high + gapY;
                atX = 0;
                high = 0;
                first = i;
            }
            child.place(wide - child.edgesX() - child.margin[1] - child.margin[3]);
            child.x = edge[3] + child.margin[3] + atX;
            child.y = edge[0] + child.margin[0] + atY;
            atX += wide + gapX;
            high = Math.max(high, child.outerHeight());
        }
        boolean oneLine = first == 0 && !Double.isNaN(height);
        stretch(first, children.size(), oneLine ? statedHeight() : high);
        return atY + high;
    }

    private void stretch(int from, int to, double high) {
        for (Box child : children.subList(from, to)) {
            if (Double.isNaN(child.height)) {
                child.h = Math.max(child.h, high - child.margin[0] - child.margin[2]);
            }
        }
    }

    private record Slot(Box cell, int row, int column) {
        double in(double[] sides, boolean across) {
            int from = across ? column : row;
            int to = Math.min(sides.length, from + (across ? cell.across : cell.down));
            double sum = 0;
            for (int i = from; i < to; i++) {
                sum += sides[i];
            }
            return sum;
        }
    }

    private List<Box> tableRows() {
        return children.stream().filter(child -> child.kind == Kind.ROW).toList();
    }

    /// The cells of the rows, each behind those that reach down from rows above.
    private static List<Slot> slots(List<Box> rows) {
        List<Slot> slots = new ArrayList<>();
        int[] until = new int[MAX_SPAN];
        for (int row = 0; row < rows.size(); row++) {
            int at = 0;
            for (Box cell : rows.get(row).children) {
                while (at < MAX_SPAN && until[at] > row) {
                    at++;
                }
                if (at == MAX_SPAN) {
                    break;
                }
                slots.add(new Slot(cell, row, at));
                int end = Math.min(MAX_SPAN, at + cell.across);
                Arrays.fill(until, at, end, row + cell.down);
                at = end;
            }
        }
        return slots;
    }

    private double[] columnWidths() {
        if (widths.length == 0) {
            List<Slot> slots = slots(tableRows());
            int count = slots.stream()
                    .mapToInt(slot -> slot.column() + slot.cell().across)
                    .max()
                    .orElse(0);
            widths = sides(slots, Math.min(MAX_SPAN, count), new double[0], true, statedWidth());
        }
        return widths;
    }

    /// The widths of columns or the heights of rows: what cells need that reach over one, then what those need
    /// that reach over more; unknown ones share the rest, or are like the others.
    private static double[] sides(List<Slot> slots, int count, double[] stated, boolean across, double whole) {
        double[] sides = new double[count];
        Arrays.fill(sides, Double.NaN);
        System.arraycopy(stated, 0, sides, 0, Math.min(count, stated.length));
        List<Slot> ordered = slots.stream()
                .sorted(Comparator.comparingInt(slot -> across ? slot.cell().across : slot.cell().down))
                .toList();
        for (Slot slot : ordered) {
            double need = across ? slot.cell().outerPreferred() : slot.cell().outerHeight();
            int from = across ? slot.column() : slot.row();
            int to = Math.min(count, from + (across ? slot.cell().across : slot.cell().down));
            share(sides, from, to, need);
        }
        if (!Double.isNaN(whole)) {
            share(sides, 0, count, whole);
        }
        double known = Arrays.stream(sides).filter(side -> side > 0).average().orElse(USUAL_SIDE);
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sides[i] = Double.isNaN(sides[i]) ? known : sides[i];
            sum += sides[i];
        }
        for (int i = 0; i < count && whole > sum && sum > 0; i++) {
            sides[i] *= whole / sum;
        }
        return sides;
    }

    /// Gives the unknown ones what is left of a length; a single one takes at least it.
    private static void share(double[] sides, int from, int to, double length) {
        double sum = 0;
        int unknown = 0;
        for (int i = from; i < to; i++) {
            sum += Double.isNaN(sides[i]) ? 0 : sides[i];
            unknown += Double.isNaN(sides[i]) ? 1 : 0;
        }
        for (int i = from; i < to && length - sum > 0.01; i++) {
            if (Double.isNaN(sides[i])) {
                sides[i] = (length - sum) / unknown;
            } else if (to - from == 1) {
                sides[i] = length;
            }
        }
    }

    private double table(double inner) {
        List<Box> all = tableRows();
        List<Slot> slots = slots(all);
        double[] wide = columnWidths();
        for (Slot slot : slots) {
            Box cell = slot.cell();
            cell.place(Math.max(0, slot.in(wide, true) - cell.edgesX()));
        }
        double[] stated = all.stream().mapToDouble(Box::statedHeight).toArray();
        double usual =
                wide.length == 0 ? USUAL_SIDE : Arrays.stream(wide).average().orElse(USUAL_SIDE);
        double[] high = sides(slots, all.size(), stated, false, statedHeight());
        boolean unknown =
                Arrays.stream(stated).allMatch(Double::isNaN) && slots.stream().allMatch(slot -> slot.cell().h <= 0);
        if (unknown) {
            Arrays.fill(high, usual);
        }
        double[] offsets = offsets(wide, 0);
        double atY = 0;
        for (int i = 0; i < all.size(); i++) {
            Box row = all.get(i);
            row.x = edge[3];
            row.y = edge[0] + atY;
            row.w = inner;
            row.h = high[i];
            atY += high[i];
        }
        for (Slot slot : slots) {
            Box cell = slot.cell();
            cell.x = offsets[slot.column()];
            cell.y = 0;
            cell.h = slot.in(high, false);
        }
        return atY;
    }

    private static double[] offsets(double[] sides, double gap) {
        double[] offsets = new double[sides.length + 1];
        for (int i = 0; i < sides.length; i++) {
            offsets[i + 1] = offsets[i] + sides[i] + gap;
        }
        return offsets;
    }

    private double[] gridColumns(double whole) {
        boolean shares = columns.length == 0 || Arrays.stream(columns).anyMatch(Double::isNaN);
        return sides(gridSlots(), Math.max(1, columns.length), columns, true, shares ? whole : Double.NaN);
    }

    /// The boxes of a grid: where they are put, or in the next free cell.
    private List<Slot> gridSlots() {
        List<Slot> slots = new ArrayList<>();
        BitSet taken = new BitSet();
        int wide = Math.max(1, columns.length);
        int next = 0;
        for (Box child : children) {
            if (child.kind == Kind.PLACED) {
                continue;
            }
            int at = (child.row - 1) * wide + child.column - 1;
            if (child.row == 0 || child.column == 0) {
                next = taken.nextClearBit(next);
                at = next;
            }
            if (at / wide + child.down > MAX_SPAN) {
                continue;
            }
            child.across = Math.min(child.across, wide - at % wide);
            slots.add(new Slot(child, at / wide, at % wide));
            for (int i = 0; i < child.down; i++) {
                taken.set(at + i * wide, at + i * wide + child.across);
            }
        }
        return slots;
    }

    private double grid(double inner) {
        List<Slot> slots = gridSlots();
        double[] wide = gridColumns(inner - gapX * Math.max(0, columns.length - 1));
        for (Slot slot : slots) {
            Box child = slot.cell();
            double cell = slot.in(wide, true) + gapX * (child.across - 1) - child.margin[1] - child.margin[3];
            child.place(Double.isNaN(child.width) ? Math.max(0, cell - child.edgesX()) : child.statedWidth());
        }
        int count = slots.stream()
                .mapToInt(slot -> slot.row() + slot.cell().down)
                .max()
                .orElse(0);
        double[] stated = Arrays.copyOf(rows, count);
        for (int i = rows.length; i < count; i++) {
            stated[i] = rows.length == 0 ? Double.NaN : rows[rows.length - 1];
        }
        double[] high = sides(slots, count, stated, false, statedHeight());
        if (slots.stream().allMatch(slot -> slot.cell().h <= 0) && rows.length == 0 && Double.isNaN(height)) {
            Arrays.fill(high, wide[0]);
        }
        double[] offsetsX = offsets(wide, gapX);
        double[] offsetsY = offsets(high, gapY);
        for (Slot slot : slots) {
            Box child = slot.cell();
            child.x = edge[3] + child.margin[3] + offsetsX[slot.column()];
            child.y = edge[0] + child.margin[0] + offsetsY[slot.row()];
            double cell = slot.in(high, false) + gapY * (child.down - 1);
            child.h = Double.isNaN(child.height) ? cell - child.margin[0] - child.margin[2] : child.h;
        }
        return offsetsY[count] - (count > 0 ? gapY : 0);
    }

    /// Paints the box and what is in it.
    ///
    /// @param at the place of the box around it
    /// @param around the positioned box around it
    /// @param aroundAt its place
    void paint(Drawing into, AffineTransform at, Box around, AffineTransform aroundAt) {
        AffineTransform here = new AffineTransform(at);
        boolean placed = kind == Kind.PLACED && !(Double.isNaN(left + top) && Double.isNaN(right + bottom));
        if (placed) {
            here.setTransform(aroundAt);
            double ofRight = Double.isNaN(right) ? 0 : around.w - right - w;
            double ofBottom = Double.isNaN(bottom) ? 0 : around.h - bottom - h;
            here.translate(
                    margin[3] + (Double.isNaN(left) ? ofRight : left),
                    margin[0] + (Double.isNaN(top) ? ofBottom : top));
        } else {
            double ofRight = Double.isNaN(right) ? 0 : -right;
            double ofBottom = Double.isNaN(bottom) ? 0 : -bottom;
            here.translate(x + (Double.isNaN(left) ? ofRight : left), y + (Double.isNaN(top) ? ofBottom : top));
        }
        if (!transform.isIdentity()) {
            here.translate(w / 2, h / 2);
            here.concatenate(transform);
            here.translate(-w / 2, -h / 2);
        }
        for (Painting painting : paintings) {
            painting.paint(into, here, w, h);
        }
        if (colour >= 0 && kind == Kind.TEXT) {
            characters(into, here);
        }
        for (Box child : children) {
            child.paint(into, here, positioned ? this : around, positioned ? here : aroundAt);
        }
    }

    /// Paints the block characters of a text; a run of equal ones is one shape.
    private void characters(Drawing into, AffineTransform at) {
        for (int i = 0; i < text.length(); ) {
            char c = text.charAt(i);
            int end = i + 1;
            while (end < text.length() && text.charAt(end) == c) {
                end++;
            }
            if (BlockText.isBlock(c)) {
                for (double[] ink : BlockText.ink(c)) {
                    boolean whole = ink[0] == 0 && ink[2] == 1;
                    for (int each = i; each < (whole ? i + 1 : end); each++) {
                        double wide = (ink[2] - ink[0]) * advance * (whole ? end - i : 1);
                        into.rectangle(
                                at, (each + ink[0]) * advance, ink[1] * line, wide, (ink[3] - ink[1]) * line, colour);
                    }
                }
            }
            i = end;
        }
    }
}
