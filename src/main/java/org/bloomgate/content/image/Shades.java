package org.bloomgate.content.image;

import com.google.zxing.common.BitArray;
import com.google.zxing.common.BitMatrix;
import java.util.Arrays;
import java.util.Optional;

/// A picture in shades of grey, one byte a pixel, row by row: 0 is black, 255 white.
final class Shades {
    private static final int BITS = 32;

    private final int width;
    private final int height;
    private final byte[] values;

    /// The number of pixels of each shade.
    private final int[] counts;

    Shades(int width, int height, byte[] values) {
        this.width = width;
        this.height = height;
        this.values = values;
        this.counts = histogram(values);
    }

    /// Converts samples of one byte each, row by row.
    ///
    /// @param colours samples of a pixel: 1 for grey, 3 for red, green and blue, 4 for inks
    static Shades of(int width, int height, int colours, byte[] samples) {
        byte[] values = new byte[width * height];
        for (int pixel = 0; pixel < values.length; pixel++) {
            int at = pixel * colours;
            int first = samples[at] & 0xff;
            values[pixel] = (byte)
                    switch (colours) {
                        case 1 -> first;
                        case 3 -> ofColour(first, samples[at + 1] & 0xff, samples[at + 2] & 0xff);
                        default -> 255 - Math.min(255, (samples[at + 1] & 0xff) + (samples[at + 3] & 0xff));
                    };
        }
        return new Shades(width, height, values);
    }

    int width() {
        return width;
    }

    int height() {
        return height;
    }

    byte[] values() {
        return values;
    }

    /// The shade of red, green and blue, each from 0 to 255 (ITU-R BT.601).
    static int ofColour(int red, int green, int blue) {
        return (306 * red + 601 * green + 117 * blue) >> 10;
    }

    /// The visible shade of a pixel through which the page can be seen.
    ///
    /// @param opacity from 0, the page alone, to 255
    static int mixed(int shade, int opacity, int page) {
        return (shade * opacity + page * (255 - opacity)) / 255;
    }

    /// Both pictures as one: the other is on the right if they have the same height, and below if they have the
    /// same width. Empty if neither is the case, or they do not form a square.
    Optional<Shades> with(Shades other) {
        boolean beside = height == other.height && isSquare(width + other.width, height);
        boolean below = width == other.width && isSquare(width, height + other.height);
        if (!beside && !below) {
            return Optional.empty();
        }
        int wide = beside ? width + other.width : width;
        int high = beside ? height : height + other.height;
        byte[] both = new byte[wide * high];
        for (int y = 0; y < height; y++) {
            System.arraycopy(values, y * width, both, y * wide, width);
        }
        int at = beside ? width : height * wide;
        for (int y = 0; y < other.height; y++) {
            System.arraycopy(other.values, y * other.width, both, at + y * wide, other.width);
        }
        return Optional.of(new Shades(wide, high, both));
    }

    private static boolean isSquare(int wide, int high) {
        return Math.abs(wide - high) * 5 <= Math.max(wide, high);
    }

    /// The picture with half of its width and height, each pixel the mean of four, which removes noise.
    Shades halved() {
        int halfWidth = width / 2;
        int halfHeight = height / 2;
        byte[] half = new byte[halfWidth * halfHeight];
        for (int y = 0; y < halfHeight; y++) {
            int from = 2 * y * width;
            for (int x = 0; x < halfWidth; x++, from += 2) {
                int sum = (values[from] & 0xff)
                        + (values[from + 1] & 0xff)
                        + (values[from + width] & 0xff)
                        + (values[from + width + 1] & 0xff);
                half[y * halfWidth + x] = (byte) (sum >> 2);
            }
        }
        return new Shades(halfWidth, halfHeight, half);
    }

    /// Scaled down to at most `most` pixels by averaging squares; unchanged if it has no more.
    Shades reducedTo(int most) {
        int side = (int) Math.ceil(Math.sqrt((double) width * height / most));
        if (side <= 1) {
            return this;
        }
        int wide = width / side;
        int high = height / side;
        byte[] means = new byte[wide * high];
        int[] sums = new int[wide];
        for (int y = 0; y < high; y++) {
            Arrays.fill(sums, 0);
            for (int row = y * side; row < (y + 1) * side; row++) {
                int at = row * width;
                for (int x = 0; x < wide; x++) {
                    for (int i = 0; i < side; i++) {
                        sums[x] += values[at++] & 0xff;
                    }
                }
            }
            for (int x = 0; x < wide; x++) {
                means[y * wide + x] = (byte) (sums[x] / (side * side));
            }
        }
        return new Shades(wide, high, means);
    }

    /// Stretches the contrast, so that the darkest pixels are black and the brightest white.
    ///
    /// @return false if all pixels have the same shade
    boolean stretch() {
        int darkest = 0;
        while (darkest < 255 && counts[darkest] == 0) {
            darkest++;
        }
        int brightest = 255;
        while (brightest > darkest && counts[brightest] == 0) {
            brightest--;
        }
        int range = brightest - darkest;
        if (range > 0 && range < 255) {
            stretch(darkest, range);
        }
        return range > 0;
    }

    private void stretch(int darkest, int range) {
        byte[] stretched = new byte[256];
        int[] before = counts.clone();
        Arrays.fill(counts, 0);
        for (int shade = darkest; shade <= darkest + range; shade++) {
            int brighter = (shade - darkest) * 255 / range;
            stretched[shade] = (byte) brighter;
            counts[brighter] += before[shade];
        }
        for (int i = 0; i < values.length; i++) {
            values[i] = stretched[values[i] & 0xff];
        }
    }

    /// Counts in four tables in turn: neighbours mostly have the same shade, so with one table each increment
    /// would wait for the one before.
    private static int[] histogram(byte[] values) {
        int[] counts = new int[256];
        int[] second = new int[256];
        int[] third = new int[256];
        int[] fourth = new int[256];
        int whole = values.length & -4;
        for (int i = 0; i < whole; i += 4) {
            counts[values[i] & 0xff]++;
            second[values[i + 1] & 0xff]++;
            third[values[i + 2] & 0xff]++;
            fourth[values[i + 3] & 0xff]++;
        }
        for (int i = whole; i < values.length; i++) {
            counts[values[i] & 0xff]++;
        }
        for (int shade = 0; shade < counts.length; shade++) {
            counts[shade] += second[shade] + third[shade] + fourth[shade];
        }
        return counts;
    }

    /// The pixels darker than the threshold that separates the shades best (Otsu, 1979).
    BitMatrix dark() {
        int threshold = threshold();
        BitMatrix dark = new BitMatrix(width, height);
        BitArray row = new BitArray(width);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x += BITS) {
                row.setBulk(x, bits(y * width + x, Math.min(BITS, width - x), threshold));
            }
            dark.setRow(y, row);
        }
        return dark;
    }

    private int bits(int from, int count, int threshold) {
        int bits = 0;
        for (int i = 0; i < count; i++) {
            bits |= (((values[from + i] & 0xff) - threshold) >>> 31) << i;
        }
        return bits;
    }

    private int threshold() {
        long sum = 0;
        for (int shade = 0; shade < 256; shade++) {
            sum += (long) shade * counts[shade];
        }
        long darkCount = 0;
        long darkSum = 0;
        double best = -1;
        int threshold = 128;
        for (int shade = 0; shade < 255; shade++) {
            darkCount += counts[shade];
            darkSum += (long) shade * counts[shade];
            long lightCount = values.length - darkCount;
            if (darkCount > 0 && lightCount > 0) {
                double apart = (double) darkSum / darkCount - (double) (sum - darkSum) / lightCount;
                double variance = apart * apart * darkCount * lightCount;
                if (variance > best) {
                    best = variance;
                    threshold = shade + 1;
                }
            }
        }
        return threshold;
    }
}
