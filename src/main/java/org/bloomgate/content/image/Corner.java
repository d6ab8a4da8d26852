package org.bloomgate.content.image;

import com.google.zxing.ResultPoint;

/// A finder pattern: the middle of one of the three marks at the corners of a code.
///
/// @param module width of a module as the rows see it, which is more than it has where the code is turned
/// @param stretch how many times as wide as high it is
/// @param seen rows that it was seen in
record Corner(float x, float y, float module, float stretch, int seen) {
    private static final float LEAST_STRETCH = 1.4f;

    boolean isNear(float otherX, float otherY, float otherModule) {
        float high = isStretched() ? 2 * module / (1 + stretch) : module;
        float wide = isStretched() ? high * stretch : module;
        return Math.abs(x - otherX) <= 2 * wide
                && Math.abs(y - otherY) <= 2 * high
                && otherModule < 2 * module
                && module < 2 * otherModule;
    }

    Corner and(float otherX, float otherY, float otherModule, float otherStretch) {
        int all = seen + 1;
        return new Corner(
                (x * seen + otherX) / all,
                (y * seen + otherY) / all,
                (module * seen + otherModule) / all,
                (stretch * seen + otherStretch) / all,
                all);
    }

    /// True for one that no perspective makes of a square.
    boolean isStretched() {
        return stretch > LEAST_STRETCH || stretch * LEAST_STRETCH < 1;
    }

    /// Where it were, and how large, in a picture whose width and height are brought back by this much; the larger of
    /// the two stays.
    Corner unstretched(float by) {
        float wide = Math.max(1, by);
        float high = Math.max(1, 1 / by);
        return new Corner(x / wide, y / high, module * 2 / (wide + high), 1, seen);
    }

    ResultPoint point() {
        return new ResultPoint(x, y);
    }
}
