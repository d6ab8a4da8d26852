package org.bloomgate.content.document;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.bloomgate.core.limit.GrowingText;
import org.bloomgate.core.limit.Limit;

/// Joins the glyphs of a page to text by their places: a gap is a blank, another baseline is another line. The
/// text is in the order in which the page shows it, which follows columns; where glyphs touch others that were
/// not shown just before them, it is also given in the order of their places.
final class PdfLines {
    /// The gap between two words, as a multiple of the font size.
    private static final double WORD_GAP = 0.2;

    /// Glyphs that overlap by more, as a multiple of the font size, are not of one word.
    private static final double MOST_OVERLAP = 0.5;

    /// The distance of two baselines, as a multiple of the font size.
    private static final double LINE_GAP = 0.3;

    /// A glyph that is shown again so near, as a multiple of the font size, only makes it bold.
    private static final double BOLD = 0.12;

    private static final double SAME_DIRECTION = 0.999;

    /// Directions are compared in steps of a twentieth of a radian.
    private static final int STEPS_OF_DIRECTION = 20;

    private static final int WORK_PER_GLYPH = 4;
    private static final int WORK_PER_SORTED = 40;
    private static final int BYTES_OF_RUN = 120;

    private final LinkSink finds;
    private final GrowingText text;
    private final List<Run> runs = new ArrayList<>();

    /// The baseline of the next glyph, and its place on it.
    private Run pen = new Run(0, 0, 0, 0, 0);

    /// Whether the next glyph begins a string.
    private boolean placed;

    private String lastGlyph = "";
    private double lastStart;

    /// Glyphs that follow each other on one baseline.
    private static final class Run {
        /// The direction of the baseline, a unit vector.
        private final double rightX;

        private final double rightY;

        /// The place of the baseline across its direction.
        private final double across;

        private final double size;
        private final double start;
        private double end;
        private int from;
        private int to;

        Run(double rightX, double rightY, double across, double start, double size) {
            this.rightX = rightX;
            this.rightY = rightY;
            this.across = across;
            this.start = start;
            this.end = start;
            this.size = size;
        }

        int direction() {
            return (int) Math.round(Math.atan2(rightY, rightX) * STEPS_OF_DIRECTION);
        }

        double down() {
            return -across;
        }

        double start() {
            return start;
        }

        boolean isOnBaselineOf(Run other) {
            return rightX * other.rightX + rightY * other.rightY > SAME_DIRECTION
                    && Math.abs(across - other.across) <= LINE_GAP * Math.max(size, other.size);
        }

        /// Whether this run begins where the other one ends.
        boolean touches(Run other) {
            double most = Math.max(size, other.size);
            return start - other.end <= WORD_GAP * most && start - other.end >= -MOST_OVERLAP * most;
        }
    }

    PdfLines(LinkSink finds) {
        this.finds = finds;
        this.text = new GrowingText(finds.allowance(), Limit.PDF_INFLATED);
    }

    /// Begins a string at a point.
    ///
    /// @param rightX x of the direction of the baseline, a unit vector
    /// @param rightY y of the same
    /// @param size of the font
    void begin(double x, double y, double rightX, double rightY, double size) {
        pen = new Run(rightX, rightY, y * rightX - x * rightY, x * rightX + y * rightY, size);
        placed = true;
    }

    /// Adds a glyph to the string.
    ///
    /// @param advance to the next glyph; in one string no gap is a blank
    void add(String glyph, double width, double advance) {
        double start = pen.end;
        pen.end += advance;
        if (glyph.isEmpty() || makesBold(glyph, start) || !finds.spend(WORK_PER_GLYPH + glyph.length())) {
            return;
        }
        if (placed) {
            place(new Run(pen.rightX, pen.rightY, pen.across, start, pen.size));
        }
        text.append(glyph);
        Run run = runs.getLast();
        run.end = start + Math.max(width, advance);
        run.to = text.length();
        lastGlyph = glyph;
        lastStart = start;
        placed = advance < 0;
    }

    private boolean makesBold(String glyph, double start) {
        return placed
                && glyph.equals(lastGlyph)
                && Math.abs(start - lastStart) < BOLD * pen.size
                && pen.isOnBaselineOf(runs.getLast());
    }

    private void place(Run next) {
        boolean first = runs.isEmpty();
        if (!first && next.isOnBaselineOf(runs.getLast())) {
            if (next.touches(runs.getLast())) {
                return;
            }
            separate(next.start > runs.getLast().end ? ' ' : '\n');
        } else {
            separate('\n');
        }
        if (finds.allowance().takeHeap(Limit.PDF_INFLATED, BYTES_OF_RUN) || first) {
            next.from = text.length();
            runs.add(next);
        }
    }

    private void separate(char by) {
        if (!text.isEmpty() && text.last() > ' ') {
            text.append(by);
        }
    }

    /// Reports the text.
    void report() {
        String shown = text.toString();
        finds.addText(shown);
        if (runs.size() > 1 && finds.spend((long) WORK_PER_SORTED * runs.size())) {
            GrowingText sorted = new GrowingText(finds.allowance(), Limit.PDF_INFLATED);
            if (sort(shown, sorted)) {
                finds.addText(sorted.toString());
            }
        }
    }

    /// Appends the text in the order of the places; false if no runs touch, so that the words are the same.
    private boolean sort(String shown, GrowingText sorted) {
        runs.sort(Comparator.comparingInt(Run::direction).thenComparingDouble(Run::down));
        boolean differs = false;
        for (int from = 0, to; from < runs.size(); from = to) {
            to = from + 1;
            while (to < runs.size() && runs.get(to).isOnBaselineOf(runs.get(from))) {
                to++;
            }
            List<Run> line = runs.subList(from, to);
            line.sort(Comparator.comparingDouble(Run::start));
            Run before = line.getFirst();
            for (Run run : line) {
                boolean touches = run != before && run.touches(before);
                differs |= touches;
                if (run != before && Math.abs(run.start - before.start) < BOLD * run.size) {
                    continue;
                }
                sorted.append(touches || run == before ? "" : " ");
                sorted.append(shown.substring(run.from, Math.min(run.to, shown.length())));
                before = run;
            }
            sorted.append('\n');
        }
        return differs;
    }
}
