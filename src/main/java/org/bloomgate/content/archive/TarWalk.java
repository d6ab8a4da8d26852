package org.bloomgate.content.archive;

import org.bloomgate.core.limit.Limit;

/// Reads the members of a tar file (POSIX 1003.1 ustar, GNU), including those after blocks of zeros. Long
/// names, which have blocks of their own, are read; links, devices and directories are skipped, and a member of
/// unknown type counts as a file. A file that ends within a member, or a header block with a wrong checksum, is
/// the limit `opaque`.
public final class TarWalk {
    public static final String MAGIC = "ustar";

    /// The position of the magic number.
    public static final int MAGIC_AT = 257;

    private static final int BLOCK_BYTES = 512;
    private static final int NAME_BYTES = 100;
    private static final int SIZE_AT = 124;
    private static final int TYPE_AT = 156;
    private static final int SUM_AT = 148;
    private static final int SUM_BYTES = 8;
    private static final int NUMBER_BYTES = 12;
    private static final int OCTAL_DIGIT_BITS = 3;

    /// Types without content: links, devices, folders, pipes, POSIX headers, and GNU's names of links and
    /// volumes.
    private static final String WITHOUT_CONTENT = "123456xgKV";

    private TarWalk() {}

    public static void read(byte[] tar, int length, ArchiveVisitor opening) {
        String longName = "";
        int at = 0;
        while (at + BLOCK_BYTES <= length && opening.spend(BLOCK_BYTES)) {
            if (isEmpty(tar, at)) {
                at += BLOCK_BYTES;
                continue;
            }
            if (!isHeader(tar, at)) {
                opening.reached(Limit.OPAQUE);
            }
            long size = number(tar, at + SIZE_AT, NUMBER_BYTES);
            int from = at + BLOCK_BYTES;
            int to = (int) Math.min(length, from + size);
            char type = (char) LittleEndian.at(tar, length, at + TYPE_AT);
            if (type == 'L') {
                longName = LittleEndian.text(tar, from, to);
            } else if (WITHOUT_CONTENT.indexOf(type) < 0) {
                if (!opening.allowance().draw(Limit.ARCHIVE_ENTRIES, 1)) {
                    return;
                }
                String name = longName.isEmpty() ? LittleEndian.text(tar, at, at + NAME_BYTES) : longName;
                Members.copy(name, tar, from, to, opening);
                longName = "";
            }
            if (from + size > length) {
                opening.reached(Limit.OPAQUE);
                return;
            }
            at = (int) Math.min(length, from + (size + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES);
        }
    }

    private static boolean isEmpty(byte[] tar, int at) {
        int i = at;
        while (i < at + BLOCK_BYTES && tar[i] == 0) {
            i++;
        }
        return i == at + BLOCK_BYTES;
    }

    /// Checks the header's checksum, in which its own field counts as blanks. Old programs summed signed bytes.
    private static boolean isHeader(byte[] tar, int at) {
        int sum = 0;
        int signed = 0;
        for (int i = at; i < at + BLOCK_BYTES; i++) {
            boolean own = i >= at + SUM_AT && i < at + SUM_AT + SUM_BYTES;
            sum += own ? ' ' : tar[i] & 0xff;
            signed += own ? ' ' : tar[i];
        }
        long said = number(tar, at + SUM_AT, SUM_BYTES);
        return said == sum || said == signed;
    }

    /// A number in octal digits, or the low four bytes of a number that is marked as binary.
    private static long number(byte[] tar, int at, int bytes) {
        long number = 0;
        if (tar[at] < 0) {
            for (int i = at + bytes - Integer.BYTES; i < at + bytes; i++) {
                number = number << Byte.SIZE | (tar[i] & 0xff);
            }
            return number;
        }
        boolean begun = false;
        for (int i = at; i < at + bytes; i++) {
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
