package org.bloomgate.picture;

import com.google.zxing.ResultPoint;

/// A finder pattern: the middle of one of the three marks at the corners of a code.
///
/// @param module width of a module as the rows see it, which is more than it has where the code is turned
/// @param seen rows that it was seen in
record Corner(float x, float y, float module, int seen) {
    boolean isNear(float otherX, float otherY, float otherModule) {
        return Math.abs(x - otherX) <= 2 * module
                && Math.abs(y - otherY) <= 2 * module
                && otherModule < 2 * module
                && module < 2 * otherModule;
    }

    Corner and(float otherX, float otherY, float otherModule) {
        int all = seen + 1;
        return new Corner(
                (x * seen + otherX) / all, (y * seen + otherY) / all, (module * seen + otherModule) / all, all);
    }

    ResultPoint point() {
        return new ResultPoint(x, y);
    }
}
