package org.bloomgate.content.image;

import com.google.zxing.NotFoundException;
import com.google.zxing.PlanarYUVLuminanceSource;
import com.google.zxing.common.BitMatrix;
import com.google.zxing.common.HybridBinarizer;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/// All codes of a picture: dark on light and light on dark, by one threshold for all of it and by one for
/// each place, in its own size and in smaller ones.
final class Codes {
    /// Fewer pixels on a side hold no code: version 1 without a margin.
    static final int SMALLEST_SIDE = 21;

    /// Pixels on a side that a picture is made smaller to.
    private static final int SMALLEST_HALVED = 60;

    /// Pixels that codes are looked for in; of a larger picture each is the mean of several.
    private static final int LARGEST_SEARCHED = 1_500_000;

    /// Pixels on the longer side of half a code.
    private static final int LARGEST_HALF = 1_000;

    private Codes() {}

    static void read(Shades picture, ImageVisitor looking) {
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
    }

    /// One code in two pictures, side by side or one below the other: two in a row that make a square together.
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

    /// Uses a threshold for each neighbourhood; empty for a small picture without contrast.
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
