package org.bloomgate.content.archive;

import org.bloomgate.core.limit.Limit;

/// Reads the members of a gzip file (RFC 1952), which usually has one. An unreadable header or damaged content
/// is the limit `opaque`.
public final class GzipWalk {
    public static final String MAGIC = "\u001f\u008b\b";
    private static final int FIXED_BYTES = 10;
    private static final int TRAILER_BYTES = 8;
    private static final int CHECKSUM = 2;
    private static final int EXTRA = 4;
    private static final int NAME = 8;
    private static final int COMMENT = 16;

    private GzipWalk() {}

    /// @param name of the file, for members without a name
    public static void read(String name, byte[] gzip, int length, ArchiveVisitor opening) {
        int at = 0;
        while (LittleEndian.isAt(gzip, length, at, MAGIC) && opening.allowance().draw(Limit.ARCHIVE_ENTRIES, 1)) {
            int from = content(gzip, length, at);
            if (from >= length) {
                opening.reached(Limit.OPAQUE);
                return;
            }
            String own = ownName(gzip, length, at);
            at = from
                    + Members.inflate(own.isEmpty() ? withoutSuffix(name) : own, gzip, from, length, opening)
                    + TRAILER_BYTES;
        }
    }

    private static int extra(byte[] gzip, int length, int at) {
        boolean has = (LittleEndian.at(gzip, length, at + 3) & EXTRA) != 0;
        return at + FIXED_BYTES + (has ? 2 + LittleEndian.two(gzip, length, at + FIXED_BYTES) : 0);
    }

    private static int content(byte[] gzip, int length, int at) {
        int flags = LittleEndian.at(gzip, length, at + 3);
        int i = extra(gzip, length, at);
        i = (flags & NAME) != 0 ? behindZero(gzip, length, i) : i;
        i = (flags & COMMENT) != 0 ? behindZero(gzip, length, i) : i;
        return (flags & CHECKSUM) != 0 ? i + 2 : i;
    }

    private static int behindZero(byte[] gzip, int length, int from) {
        int i = from;
        while (i < length && gzip[i] != 0) {
            i++;
        }
        return i + 1;
    }

    private static String ownName(byte[] gzip, int length, int at) {
        boolean named = (LittleEndian.at(gzip, length, at + 3) & NAME) != 0;
        return named ? LittleEndian.text(gzip, Math.min(length, extra(gzip, length, at)), length) : "";
    }

    private static String withoutSuffix(String name) {
        int dot = name.lastIndexOf('.');
        if (dot < 0) {
            return name;
        }
        return name.regionMatches(true, dot, ".tgz", 0, 5) ? name.substring(0, dot) + ".tar" : name.substring(0, dot);
    }
}
