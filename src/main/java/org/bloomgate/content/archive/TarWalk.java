package org.bloomgate.content.archive;

/// The members of a tar file (POSIX 1003.1 ustar, GNU), those behind blocks of zeros too. Names that
/// are too long for their field, in blocks of their own, are read; links, devices and folders are
/// passed over, and a member of unknown type is a file. A file that ends within a member is the limit
/// `opaque`, as is a block that stands for a header and has not the sum of one.
public final class TarWalk {
    public static final String MAGIC = "ustar";

    /// Where the magic stands.
    public static final int MAGIC_AT = 257;

    private static final int BLOCK_OCTETS = 512;
    private static final int NAME_OCTETS = 100;
    private static final int SIZE_AT = 124;
    private static final int TYPE_AT = 156;
    private static final int SUM_AT = 148;
    private static final int SUM_OCTETS = 8;
    private static final int NUMBER_OCTETS = 12;
    private static final int OCTAL_DIGIT_BITS = 3;

    /// Links, devices, folders, pipes; fields of POSIX, names of links and of volumes of GNU.
    private static final String WITHOUT_CONTENT = "123456xgKV";

    private TarWalk() {}

    public static void read(byte[] tar, int length, ArchiveVisitor opening) {
        String longName = "";
        int at = 0;
        while (at + BLOCK_OCTETS <= length && opening.spend(BLOCK_OCTETS)) {
            if (isEmpty(tar, at)) {
                at += BLOCK_OCTETS;
                continue;
            }
            if (!isHeader(tar, at)) {
                opening.reached("opaque");
            }
            long size = number(tar, at + SIZE_AT, NUMBER_OCTETS);
            int from = at + BLOCK_OCTETS;
            int to = (int) Math.min(length, from + size);
            char type = (char) Octets.at(tar, length, at + TYPE_AT);
            if (type == 'L') {
                longName = Octets.text(tar, from, to);
            } else if (WITHOUT_CONTENT.indexOf(type) < 0) {
                if (!opening.allowance().takeEntry(opening)) {
                    return;
                }
                String name = longName.isEmpty() ? Octets.text(tar, at, at + NAME_OCTETS) : longName;
                Members.copy(name, tar, from, to, opening);
                longName = "";
            }
            if (from + size > length) {
                opening.reached("opaque");
                return;
            }
            at = (int) Math.min(length, from + (size + BLOCK_OCTETS - 1) / BLOCK_OCTETS * BLOCK_OCTETS);
        }
    }

    private static boolean isEmpty(byte[] tar, int at) {
        int i = at;
        while (i < at + BLOCK_OCTETS && tar[i] == 0) {
            i++;
        }
        return i == at + BLOCK_OCTETS;
    }

    /// By the sum of its octets, its own field taken as blanks; old programs took octets as signed.
    private static boolean isHeader(byte[] tar, int at) {
        int sum = 0;
        int signed = 0;
        for (int i = at; i < at + BLOCK_OCTETS; i++) {
            boolean own = i >= at + SUM_AT && i < at + SUM_AT + SUM_OCTETS;
            sum += own ? ' ' : tar[i] & 0xff;
            signed += own ? ' ' : tar[i];
        }
        long said = number(tar, at + SUM_AT, SUM_OCTETS);
        return said == sum || said == signed;
    }

    /// Octal digits, or the low four octets of a number that is marked as binary.
    private static long number(byte[] tar, int at, int octets) {
        long number = 0;
        if (tar[at] < 0) {
            for (int i = at + octets - Integer.BYTES; i < at + octets; i++) {
                number = number << Byte.SIZE | (tar[i] & 0xff);
            }
            return number;
        }
        boolean begun = false;
        for (int i = at; i < at + octets; i++) {
            boolean digit = tar[i] >= '0' && tar[i] <= '7';
            if (begun && !digit) {
                break;
            }
            begun |= digit;
            number = digit ? number << OCTAL_DIGIT_BITS | (tar[i] - '0') : number;
        }
        return number;
    }
}
