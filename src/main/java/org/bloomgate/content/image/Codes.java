package org.bloomgate.content.image;

import com.google.zxing.NotFoundException;
import com.google.zxing.PlanarYUVLuminanceSource;
import com.google.zxing.common.BitMatrix;
import com.google.zxing.common.HybridBinarizer;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/// Finds all codes of a picture: dark on light and light on dark, with one threshold for the whole picture and
/// with local thresholds, in its own size and in smaller ones.
final class Codes {
    /// A side with fewer pixels cannot contain a code: version 1 without a margin.
    static final int SMALLEST_SIDE = 21;

    /// A picture is not reduced to fewer pixels on a side.
    private static final int SMALLEST_HALVED = 60;

    /// The number of pixels that are searched; a larger picture is reduced, and each pixel is the mean of
    /// several.
    private static final int LARGEST_SEARCHED = 1_500_000;

    /// The most pixels on the longer side of half a code.
    private static final int LARGEST_HALF = 1_000;

    private Codes() {}

    /// @return whether there is a code
    static boolean read(Shades picture, ImageVisitor looking) {
        Set<String> texts = new LinkedHashSet<>();
        if (picture.stretch()) {
            Shades shades = picture.reducedTo(LARGEST_SEARCHED);
            read(shades, texts, looking);
            while (Math.min(shades.width(), shades.height()) >= 2 * SMALLEST_HALVED && looking.search(0)) {
                shades = shades.halved();
                read(shades, texts, looking);
            }
        }
        if (texts.isEmpty()) {
            halves(picture, texts, looking);
        }
        texts.forEach(looking::code);
        return !texts.isEmpty();
    }

    /// Finds a code that is split into two pictures, side by side or one below the other: two consecutive
    /// pictures that form a square together.
    private static void halves(Shades picture, Set<String> texts, ImageVisitor looking) {
        int longer = Math.max(picture.width(), picture.height());
        int shorter = Math.min(picture.width(), picture.height());
        if (longer > LARGEST_HALF || shorter * 10 > longer * 7 || shorter * 10 < longer * 3) {
            return;
        }
        Optional<Shades> whole = looking.half.flatMap(first -> first.with(picture));
        looking.half = Optional.of(picture);
        if (whole.isPresent() && looking.search(0)) {
            read(whole.get(), texts, looking);
        }
    }

    private static void read(Shades shades, Set<String> texts, ImageVisitor looking) {
        bothWays(shades.dark(), texts, looking);
        if (looking.search(0)) {
            darkNearby(shades).ifPresent(dark -> bothWays(dark, texts, looking));
        }
    }

    /// The dark pixels by local thresholds; empty for a small picture without contrast.
    private static Optional<BitMatrix> darkNearby(Shades shades) {
        int width = shades.width();
        int height = shades.height();
        try {
            return Optional.of(new HybridBinarizer(
                            new PlanarYUVLuminanceSource(shades.values(), width, height, 0, 0, width, height, false))
                    .getBlackMatrix());
        } catch (NotFoundException flat) {
            return Optional.empty();
        }
    }

    private static void bothWays(BitMatrix dark, Set<String> texts, ImageVisitor looking) {
        new CodeReader(dark, looking).read(texts);
        dark.flip();
        new CodeReader(dark, looking).read(texts);
    }
}
