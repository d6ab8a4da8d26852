package org.bloomgate.picture;

import java.nio.ByteBuffer;
import java.util.Optional;

/// A picture of an icon that is no PNG: a bitmap without the header of a file, from the last row to the first, and
/// behind it a mask of a bit for each pixel that says where the page is seen. With 32 bits a pixel has its own
/// opacity, and the mask counts only where all of these are zero.
final class IconBitmap {
    /// The shortest header that icons have.
    static final int HEADER_OCTETS = 40;

    /// The longest (BITMAPV5HEADER).
    private static final int MOST_HEADER_OCTETS = 124;

    private static final int WIDTH_AT = 4;
    private static final int HEIGHT_AT = 8;
    private static final int BITS_AT = 14;
    private static final int COMPRESSION_AT = 16;
    private static final int COLOURS_AT = 32;

    private final ByteBuffer file;
    private final int from;
    private final int width;
    private final int height;
    private final int bits;

    /// Where the palette, the pixels and the mask begin, and the mask ends.
    private final long palette;

    private final long pixels;
    private final long mask;
    private final long end;

    /// @param file little-endian, and at least [#HEADER_OCTETS] from `from` on
    IconBitmap(ByteBuffer file, int from) {
        this.file = file;
        this.from = from;
        this.width = file.getInt(from + WIDTH_AT);
        this.height = (int) (Math.abs((long) file.getInt(from + HEIGHT_AT)) / 2);
        this.bits = file.getShort(from + BITS_AT);
        this.palette = from + (long) file.getInt(from);
        this.pixels = palette + 4L * colours();
        this.mask = pixels + row(bits) * height;
        this.end = mask + row(1) * height;
    }

    /// In the palette: as many as there are places where the header says nothing else.
    private int colours() {
        if (bits > 8 || bits < 1) {
            return 0;
        }
        int stated = file.getInt(from + COLOURS_AT);
        int places = 1 << bits;
        return stated > 0 && stated < places ? stated : places;
    }

    /// Octets of a row, which are a multiple of four.
    private long row(int bitsOfPixel) {
        return ((long) width * bitsOfPixel + 31) / 32 * 4;
    }

    int width() {
        return width;
    }

    int height() {
        return height;
    }

    /// Its own, as far as they are there.
    int octets() {
        return (int) (Math.min(end, file.limit()) - from);
    }

    /// True for one that is not compressed and all there; its mask may be missing.
    boolean isWhole() {
        int header = file.getInt(from);
        boolean known = bits == 1 || bits == 4 || bits == 8 || bits == 24 || bits == 32;
        return header >= HEADER_OCTETS
                && header <= MOST_HEADER_OCTETS
                && known
                && file.getInt(from + COMPRESSION_AT) == 0
                && width > 0
                && height > 0
                && mask <= file.limit();
    }

    /// Of one that is whole.
    Samples samples() {
        Samples samples = new Samples(width, height, Optional.empty());
        boolean own = hasOpacities();
        byte[] row = new byte[width * 4];
        for (int y = 0; y < height; y++) {
            int below = height - 1 - y;
            for (int x = 0; x < width; x++) {
                int colour = colour(x, below);
                row[4 * x] = (byte) (colour >> 16);
                row[4 * x + 1] = (byte) (colour >> 8);
                row[4 * x + 2] = (byte) colour;
                row[4 * x + 3] = own ? (byte) (colour >> 24) : masked(x, below);
            }
            samples.row(y, row, 0, 4);
        }
        return samples;
    }

    private boolean hasOpacities() {
        for (long at = pixels + 3; bits == 32 && at < mask; at += 4) {
            if (file.get((int) at) != 0) {
                return true;
            }
        }
        return false;
    }

    private byte masked(int x, int y) {
        long at = mask + row(1) * y + x / 8;
        boolean page = end <= file.limit() && (file.get((int) at) >> (7 - x % 8) & 1) == 1;
        return page ? 0 : Palette.OPAQUE;
    }

    /// Opacity, red, green and blue, from the highest octet on.
    private int colour(int x, int y) {
        long row = pixels + row(bits) * y;
        if (bits == 32) {
            return file.getInt((int) row + 4 * x);
        }
        if (bits == 24) {
            int at = (int) row + 3 * x;
            return (file.getShort(at) & 0xffff) | (file.get(at + 2) & 0xff) << 16;
        }
        int octet = file.get((int) (row + (long) x * bits / 8)) & 0xff;
        int place = octet >> (8 - bits - x * bits % 8) & ((1 << bits) - 1);
        return place < colours() ? file.getInt((int) palette + 4 * place) : 0;
    }
}
