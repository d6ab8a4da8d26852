package org.bloomgate.content.image;

import com.google.zxing.NotFoundException;
import com.google.zxing.ReaderException;
import com.google.zxing.ResultPoint;
import com.google.zxing.common.BitMatrix;
import com.google.zxing.common.GridSampler;
import com.google.zxing.common.PerspectiveTransform;
import com.google.zxing.qrcode.decoder.Decoder;
import com.google.zxing.qrcode.detector.Detector;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.core.limit.Limit;

/// Reads the codes of one black and white picture: it tries three finder patterns at a time, the most likely
/// first, with the code sizes that fit the timing pattern between them. ZXing samples and corrects the grid.
final class CodeReader extends Detector {
    /// The number of triples that are measured, and of grids that are sampled.
    static final int MAX_MEASURED = 4_000;

    static final int MAX_SAMPLED = 128;

    /// The number of triples whose size is guessed.
    private static final int MAX_GUESSED = 12;

    /// The share of timing dots between two marks that must be right: more than by chance.
    private static final float LEAST_RIGHT = 0.72f;

    private static final int WORK_PER_TRIPLE = 15;
    private static final int WORK_PER_MEASURED = 500;
    private static final int WORK_PER_MODULE = 2;

    /// The number of pixels around a small mark that are examined for one unit of work.
    private static final int PIXELS_PER_WORK = 4;

    private static final int SMALLEST = 21;
    private static final int LARGEST = 177;

    /// The error of a measured size, in modules.
    private static final int OFF = 8;

    private final BitMatrix dark;
    private final ImageVisitor looking;
    private final Set<Corner> used = new HashSet<>();
    private int measured;
    private int sampled;
    private int guessed;

    CodeReader(BitMatrix dark, ImageVisitor looking) {
        super(dark);
        this.dark = dark;
        this.looking = looking;
    }

    /// Adds the texts of the codes.
    void read(Set<String> texts) {
        List<CornerTriple> triples = CornerTriple.of(Corners.of(dark, looking));
        if (!pay((long) triples.size() * WORK_PER_TRIPLE)) {
            return;
        }
        for (CornerTriple three : triples) {
            if (used.contains(three.topLeft())
                    || used.contains(three.topRight())
                    || used.contains(three.bottomLeft())) {
                continue;
            }
            if (measured == MAX_MEASURED || sampled >= MAX_SAMPLED) {
                looking.reached(Limit.QR_MARKS);
                return;
            }
            measured++;
            if (!pay(WORK_PER_MEASURED)) {
                return;
            }
            read(three).ifPresent(text -> {
                texts.add(text);
                used.addAll(List.of(three.topLeft(), three.topRight(), three.bottomLeft()));
            });
        }
    }

    private boolean pay(long units) {
        return looking.search(units);
    }

    private Optional<String> read(CornerTriple three) {
        ResultPoint topLeft = three.topLeft().point();
        ResultPoint topRight = three.topRight().point();
        ResultPoint bottomLeft = three.bottomLeft().point();
        float module = calculateModuleSize(topLeft, topRight, bottomLeft);
        if (!(module >= 0.8f)) {
            return Optional.empty();
        }
        float legs = ResultPoint.distance(topLeft, topRight) + ResultPoint.distance(topLeft, bottomLeft);
        int about = Math.round(legs / 2 / module) + 7;
        Set<Integer> tried = new HashSet<>();
        for (int turn = 0; turn < 2; turn++) {
            int size = bestSize(three, about, tried);
            tried.add(size);
            Optional<String> text = size == 0 ? Optional.empty() : read(three, size, module);
            if (size == 0 || text.isPresent()) {
                return turn == 0 && size == 0 ? guess(three, about, module) : text;
            }
        }
        return Optional.empty();
    }

    /// Tries the two sizes nearest to the measured one: in a tilted picture the timing dots are not where they
    /// are expected.
    private Optional<String> guess(CornerTriple three, int about, float module) {
        if (guessed == MAX_GUESSED) {
            return Optional.empty();
        }
        guessed++;
        int nearest = (about + 1) / 4 * 4 + 1;
        int next = nearest + (about < nearest ? -4 : 4);
        return ofSize(three, nearest, module).or(() -> ofSize(three, next, module));
    }

    private Optional<String> ofSize(CornerTriple three, int size, float module) {
        return size < SMALLEST || size > LARGEST ? Optional.empty() : read(three, size, module);
    }

    /// The size of a side in modules, one more than a multiple of four, that fits the dots best; 0 if none
    /// fits.
    private int bestSize(CornerTriple three, int about, Set<Integer> tried) {
        int best = 0;
        float most = LEAST_RIGHT;
        int first = Math.max(SMALLEST, (about - OFF + 2) / 4 * 4 + 1);
        for (int size = first; size <= Math.min(LARGEST, about + OFF); size += 4) {
            float right = tried.contains(size) ? 0 : dots(three, size);
            if (right > most) {
                most = right;
                best = size;
            }
        }
        return best;
    }

    /// The share of dots between the marks that are right, which is dark and light in turn (timing pattern).
    private float dots(CornerTriple three, int size) {
        float columnX = (three.topRight().x() - three.topLeft().x()) / (size - 7);
        float columnY = (three.topRight().y() - three.topLeft().y()) / (size - 7);
        float rowX = (three.bottomLeft().x() - three.topLeft().x()) / (size - 7);
        float rowY = (three.bottomLeft().y() - three.topLeft().y()) / (size - 7);
        int right = 0;
        for (int i = 8; i <= size - 9; i++) {
            boolean isDark = i % 2 == 0;
            right += at(three, (i - 3) * columnX + 3 * rowX, (i - 3) * columnY + 3 * rowY) == isDark ? 1 : 0;
            right += at(three, 3 * columnX + (i - 3) * rowX, 3 * columnY + (i - 3) * rowY) == isDark ? 1 : 0;
        }
        return right / 2f / (size - 16);
    }

    private boolean at(CornerTriple three, float x, float y) {
        int atX = (int) (three.topLeft().x() + x);
        int atY = (int) (three.topLeft().y() + y);
        return atX >= 0 && atX < dark.getWidth() && atY >= 0 && atY < dark.getHeight() && dark.get(atX, atY);
    }

    private Optional<String> read(CornerTriple three, int size, float module) {
        float x =
                three.topRight().x() + three.bottomLeft().x() - three.topLeft().x();
        float y =
                three.topRight().y() + three.bottomLeft().y() - three.topLeft().y();
        Optional<ResultPoint> alignment = size == SMALLEST ? Optional.empty() : alignment(three, size, module, x, y);
        if (alignment.isPresent()) {
            Optional<String> text =
                    sample(three, size, alignment.get().getX(), alignment.get().getY(), size - 6.5f);
            if (text.isPresent()) {
                return text;
            }
        }
        return sample(three, size, x, y, size - 3.5f);
    }

    /// Finds the alignment pattern near the fourth corner.
    private Optional<ResultPoint> alignment(CornerTriple three, int size, float module, float x, float y) {
        float share = 1 - 3f / (size - 7);
        int aboutX = (int) (three.topLeft().x() + share * (x - three.topLeft().x()));
        int aboutY = (int) (three.topLeft().y() + share * (y - three.topLeft().y()));
        Optional<ResultPoint> found = Optional.empty();
        for (int around = 4; around <= 16 && found.isEmpty(); around *= 2) {
            long side = 2L * Math.round(around * module);
            if (!pay(side * side / PIXELS_PER_WORK)) {
                return found;
            }
            found = alignment(module, aboutX, aboutY, around);
        }
        return found;
    }

    private Optional<ResultPoint> alignment(float module, int x, int y, int around) {
        try {
            return Optional.of(findAlignmentInRegion(module, x, y, around));
        } catch (NotFoundException none) {
            return Optional.empty();
        }
    }

    /// @param x position in the picture of the fourth point, which is at `fourth` in both directions in the
    /// code
    private Optional<String> sample(CornerTriple three, int size, float x, float y, float fourth) {
        sampled++;
        if (!pay((long) size * size * WORK_PER_MODULE)) {
            return Optional.empty();
        }
        float far = size - 3.5f;
        PerspectiveTransform transform = PerspectiveTransform.quadrilateralToQuadrilateral(
                3.5f,
                3.5f,
                far,
                3.5f,
                fourth,
                fourth,
                3.5f,
                far,
                three.topLeft().x(),
                three.topLeft().y(),
                three.topRight().x(),
                three.topRight().y(),
                x,
                y,
                three.bottomLeft().x(),
                three.bottomLeft().y());
        try {
            BitMatrix grid = GridSampler.getInstance().sampleGrid(dark, size, size, transform);
            return Optional.of(new Decoder().decode(grid).getText());
        } catch (ReaderException none) {
            return Optional.empty();
        }
    }
}
