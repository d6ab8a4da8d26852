package org.bloomgate.content.image;

import com.google.zxing.ResultPoint;

/// A finder pattern: one of the three marks at the corners of a code, by its center.
///
/// @param module width of a module along a row, which is too large if the code is rotated
/// @param stretch its width divided by its height
/// @param seen number of rows in which it was found
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

    /// Whether it is stretched more than a perspective can stretch a square.
    boolean isStretched() {
        return stretch > LEAST_STRETCH || stretch * LEAST_STRETCH < 1;
    }

    /// The mark in a picture that is compressed by this ratio of width to height, so that a stretched code
    /// becomes square. One of the two sides is unchanged.
    Corner unstretched(float by) {
        float wide = Math.max(1, by);
        float high = Math.max(1, 1 / by);
        return new Corner(x / wide, y / high, module * 2 / (wide + high), 1, seen);
    }

    ResultPoint point() {
        return new ResultPoint(x, y);
    }
}
