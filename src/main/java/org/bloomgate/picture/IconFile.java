package org.bloomgate.picture;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/// An icon (ICO) or a cursor (CUR): one picture in several sizes, each a PNG or an [IconBitmap]. How long each is
/// said to be does not count, as not all clients heed it.
final class IconFile {
    private static final int ICON = 0x10000;
    private static final int CURSOR = 0x20000;

    private static final int HEADER_OCTETS = 6;
    private static final int ENTRY_OCTETS = 16;

    /// Where an entry says where its picture begins.
    private static final int PLACE_AT = 12;

    private static final long PNG_MAGIC = 0x89504e470d0a1a0aL;
    private static final int PNG_WIDTH_AT = 16;
    private static final int PNG_HEIGHT_AT = 20;
    private static final int PNG_HEADER_OCTETS = 33;

    private final byte[] octets;
    private final ByteBuffer file;
    private final Looking looking;

    /// PNG that may still be tried, as one that is damaged costs the allowance nothing.
    private int left = PictureAllowance.MAX_PICTURES;

    IconFile(byte[] octets, int length, Looking looking) {
        this.octets = octets;
        this.file = littleEndian(octets, length);
        this.looking = looking;
    }

    private static ByteBuffer littleEndian(byte[] octets, int length) {
        return ByteBuffer.wrap(octets, 0, length).order(ByteOrder.LITTLE_ENDIAN);
    }

    /// True where an entry has its picture behind the last entry.
    ///
    /// @param octets the first of the file at least
    static boolean isIcon(byte[] octets, int length) {
        if (length < HEADER_OCTETS) {
            return false;
        }
        ByteBuffer file = littleEndian(octets, length);
        if (file.getInt(0) != ICON && file.getInt(0) != CURSOR) {
            return false;
        }
        for (int entry = 0; entry < entries(file); entry++) {
            if (place(file, entry) >= endOfEntries(file)) {
                return true;
            }
        }
        return false;
    }

    private static int count(ByteBuffer file) {
        return file.getShort(HEADER_OCTETS - 2) & 0xffff;
    }

    /// Those that the octets hold.
    private static int entries(ByteBuffer file) {
        return Math.min(count(file), (file.limit() - HEADER_OCTETS) / ENTRY_OCTETS);
    }

    private static int endOfEntries(ByteBuffer file) {
        return HEADER_OCTETS + count(file) * ENTRY_OCTETS;
    }

    private static int place(ByteBuffer file, int entry) {
        return file.getInt(HEADER_OCTETS + entry * ENTRY_OCTETS + PLACE_AT);
    }

    /// Each picture once.
    void read() {
        if (entries(file) < count(file)) {
            looking.reached("pictureFormat");
        }
        Set<Integer> seen = new HashSet<>();
        for (int entry = 0; entry < entries(file); entry++) {
            int from = place(file, entry);
            if (from < endOfEntries(file) || from > file.limit() - IconBitmap.HEADER_OCTETS) {
                looking.reached("pictureFormat");
            } else if (seen.add(from)) {
                picture(from);
            }
        }
    }

    private void picture(int from) {
        if (file.limit() - from < PNG_HEADER_OCTETS || Long.reverseBytes(file.getLong(from)) != PNG_MAGIC) {
            bitmap(new IconBitmap(file, from));
        } else if (Pictures.mayHoldCode(bigEndian(from + PNG_WIDTH_AT), bigEndian(from + PNG_HEIGHT_AT))) {
            png(from);
        }
    }

    private void png(int from) {
        if (left == 0) {
            looking.reached("pictures");
        } else if (looking.pictures().hasRoom(looking)) {
            left--;
            byte[] stored = Arrays.copyOfRange(octets, from, file.limit());
            new PictureFile(PictureFormat.PNG, stored, stored.length, looking).read();
        }
    }

    private int bigEndian(int at) {
        return Integer.reverseBytes(file.getInt(at));
    }

    private void bitmap(IconBitmap bitmap) {
        if (!bitmap.isWhole()) {
            looking.reached("pictureFormat");
        } else if (Pictures.mayHoldCode(bitmap.width(), bitmap.height())
                && looking.pictures().take(bitmap.octets(), bitmap.width(), bitmap.height(), looking)) {
            bitmap.samples().onPages(false, shades -> Codes.read(shades, looking));
        }
    }
}
