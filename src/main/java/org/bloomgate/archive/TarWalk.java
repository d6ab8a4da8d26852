package org.bloomgate.archive;

/// The members of a tar file (POSIX 1003.1 ustar, GNU). Names that are too long for their field, in
/// blocks of their own, are read; links, devices and folders are passed over. A file that ends within a
/// member is the limit `opaque`.
public final class TarWalk {
    public static final String MAGIC = "ustar";

    /// Where the magic stands.
    public static final int MAGIC_AT = 257;

    private static final int BLOCK_OCTETS = 512;
    private static final int NAME_OCTETS = 100;
    private static final int SIZE_AT = 124;
    private static final int TYPE_AT = 156;

    private TarWalk() {}

    public static void read(byte[] tar, int length, Opening opening) {
        String longName = "";
        int at = 0;
        while (at + BLOCK_OCTETS <= length && tar[at] != 0 && opening.spend(BLOCK_OCTETS)) {
            long size = size(tar, at + SIZE_AT);
            int from = at + BLOCK_OCTETS;
            int to = (int) Math.min(length, from + size);
            char type = (char) Octets.at(tar, length, at + TYPE_AT);
            if (type == 'L') {
                longName = Octets.text(tar, from, to);
            } else if (type == '0' || type == 0 || type == '7') {
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

    /// Octal digits, or the low four octets of a number that is marked as binary.
    private static long size(byte[] tar, int at) {
        long size = 0;
        if (tar[at] < 0) {
            for (int i = at + 8; i < at + 12; i++) {
                size = size << 8 | (tar[i] & 0xff);
            }
            return size;
        }
        for (int i = at; i < at + 12; i++) {
            if (tar[i] >= '0' && tar[i] <= '7') {
                size = size << 3 | (tar[i] - '0');
            } else if (size > 0) {
                break;
            }
        }
        return size;
    }
}
