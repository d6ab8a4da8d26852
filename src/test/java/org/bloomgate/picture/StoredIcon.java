package org.bloomgate.picture;

import java.awt.image.BufferedImage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/// Writes icons and cursors.
final class StoredIcon {
    static final int ICON = 1;
    static final int CURSOR = 2;

    private static final int HEADER = 6;
    private static final int ENTRY = 16;
    private static final int BITMAP_HEADER = 40;

    private final List<byte[]> pictures = new ArrayList<>();

    StoredIcon with(byte[] picture) {
        pictures.add(picture);
        return this;
    }

    byte[] as(int kind) {
        int place = HEADER + ENTRY * pictures.size();
        ByteBuffer file = littleEndian(
                place + pictures.stream().mapToInt(picture -> picture.length).sum());
        file.putShort((short) 0).putShort((short) kind).putShort((short) pictures.size());
        for (byte[] picture : pictures) {
            file.putLong(0).putInt(picture.length).putInt(place);
            place += picture.length;
        }
        pictures.forEach(file::put);
        return octets(file);
    }

    private static byte[] octets(ByteBuffer stored) {
        byte[] octets = new byte[stored.capacity()];
        stored.rewind().get(octets);
        return octets;
    }

    private static ByteBuffer littleEndian(int octets) {
        return ByteBuffer.allocate(octets).order(ByteOrder.LITTLE_ENDIAN);
    }

    /// What is dark in the picture is the palette's second colour, or with more than eight bits black.
    ///
    /// @param bits of a pixel
    static byte[] bitmap(BufferedImage picture, int bits) {
        ByteBuffer stored = bitmap(picture, bits, bits > 8 ? 0 : 1 << bits);
        for (int colour = 0; bits <= 8 && colour < 1 << bits; colour++) {
            stored.putInt(colour == 1 ? 0 : 0xffffff);
        }
        pixels(stored, picture, bits);
        return octets(stored);
    }

    /// Black wherever it is not transparent.
    static byte[] masked(BufferedImage picture) {
        ByteBuffer stored = bitmap(picture, 1, 2);
        stored.putLong(0);
        stored.position(stored.position() + row(picture, 1) * picture.getHeight());
        for (int y = picture.getHeight() - 1; y >= 0; y--) {
            row(stored, picture, y, 1, false);
        }
        return octets(stored);
    }

    /// All black, what is light in the picture by its opacity.
    static byte[] transparent(BufferedImage picture) {
        ByteBuffer stored = bitmap(picture, 32, 0);
        for (int y = picture.getHeight() - 1; y >= 0; y--) {
            for (int x = 0; x < picture.getWidth(); x++) {
                stored.putInt(isDark(picture, x, y) ? 0xff000000 : 0);
            }
        }
        return octets(stored);
    }

    private static ByteBuffer bitmap(BufferedImage picture, int bits, int colours) {
        int height = picture.getHeight();
        ByteBuffer stored = littleEndian(BITMAP_HEADER + 4 * colours + (row(picture, bits) + row(picture, 1)) * height);
        stored.putInt(BITMAP_HEADER).putInt(picture.getWidth()).putInt(2 * height);
        stored.putShort((short) 1).putShort((short) bits);
        return stored.position(BITMAP_HEADER);
    }

    private static int row(BufferedImage picture, int bits) {
        return (picture.getWidth() * bits + 31) / 32 * 4;
    }

    private static void pixels(ByteBuffer stored, BufferedImage picture, int bits) {
        for (int y = picture.getHeight() - 1; y >= 0; y--) {
            row(stored, picture, y, bits, true);
        }
    }

    private static void row(ByteBuffer stored, BufferedImage picture, int y, int bits, boolean ofDark) {
        int from = stored.position();
        for (int x = 0; x < picture.getWidth(); x++) {
            boolean counts = isDark(picture, x, y) == ofDark;
            int at = from + x * bits / 8;
            if (bits > 8) {
                stored.put(at, counts ? 0 : (byte) -1)
                        .put(at + 1, counts ? 0 : (byte) -1)
                        .put(at + 2, counts ? 0 : (byte) -1);
            } else if (counts) {
                stored.put(at, (byte) (stored.get(at) | 1 << (8 - bits - x * bits % 8)));
            }
        }
        stored.position(from + row(picture, bits));
    }

    private static boolean isDark(BufferedImage picture, int x, int y) {
        return (picture.getRGB(x, y) & 1) == 0;
    }
}
