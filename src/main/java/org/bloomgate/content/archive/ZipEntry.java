package org.bloomgate.content.archive;

import java.nio.charset.StandardCharsets;
import java.util.List;

/// A member of a zip file, from one of its two descriptions (APPNOTE 4.3.7 and 4.3.12).
///
/// @param header position of the member's local header
/// @param packed bytes of its content; 0 if unknown, because the header leaves them to the data after the
/// content
/// @param nameBytes length of the name as it is stored
record ZipEntry(int header, int flags, int method, long packed, int nameBytes, String name) {
    static final String LOCAL = "PK\3\4";
    static final String CENTRAL = "PK\1\2";
    static final String END = "PK\5\6";

    private static final List<String> RECORDS = List.of(LOCAL, CENTRAL, END, "PK\7\10", "\0".repeat(12) + "PK");

    private static final int LOCAL_BYTES = 30;
    private static final int CENTRAL_BYTES = 46;

    /// Reads the local header of a member.
    static ZipEntry local(byte[] zip, int length, int at) {
        return new ZipEntry(
                at,
                LittleEndian.two(zip, length, at + 6),
                LittleEndian.two(zip, length, at + 8),
                packed(LittleEndian.four(zip, length, at + 18)),
                LittleEndian.two(zip, length, at + 26),
                name(zip, length, at + LOCAL_BYTES, LittleEndian.two(zip, length, at + 26)));
    }

    /// Reads the entry of a member in the central directory.
    ///
    /// @param shift of all offsets, because of bytes before the archive
    static ZipEntry central(byte[] zip, int length, int at, long shift) {
        long header = LittleEndian.four(zip, length, at + 42) + shift;
        return new ZipEntry(
                header < 0 || header > length ? length : (int) header,
                LittleEndian.two(zip, length, at + 8),
                LittleEndian.two(zip, length, at + 10),
                packed(LittleEndian.four(zip, length, at + 20)),
                LittleEndian.two(zip, length, at + 28),
                name(zip, length, at + CENTRAL_BYTES, LittleEndian.two(zip, length, at + 28)));
    }

    /// A length in the zip64 extra field counts as unknown.
    private static long packed(long said) {
        return said == 0xffff_ffffL ? 0 : said;
    }

    /// The position after the directory entry at `at`.
    static int behindCentral(byte[] zip, int length, int at) {
        return at
                + CENTRAL_BYTES
                + LittleEndian.two(zip, length, at + 28)
                + LittleEndian.two(zip, length, at + 30)
                + LittleEndian.two(zip, length, at + 32);
    }

    /// Whether its local header is damaged, so that only the central directory describes it.
    boolean isHeaderDamaged(byte[] zip, int length) {
        return !LittleEndian.isAt(zip, length, header, LOCAL);
    }

    /// The start of the content. The lengths in a damaged header count only if the name has the length of that in the
    /// directory and the content fits behind them; otherwise it is taken to have no extra field.
    int content(byte[] zip, int length) {
        int own = LittleEndian.two(zip, length, header + 26);
        int start = header + LOCAL_BYTES + own + LittleEndian.two(zip, length, header + 28);
        boolean trusted = !isHeaderDamaged(zip, length) || (own == nameBytes && start + packed <= length);
        return Math.min(length, trusted ? start : header + LOCAL_BYTES + nameBytes);
    }

    /// Whether one of the records begins here that follow the content of a member: its descriptor, which may
    /// have no signature if all is 0 (APPNOTE 4.3.9), another header, or the end.
    static boolean isRecord(byte[] zip, int length, int at) {
        return RECORDS.stream().anyMatch(record -> LittleEndian.isAt(zip, length, at, record));
    }

    boolean encrypted() {
        return (flags & 1) != 0;
    }

    /// Whether length and checksum are after the content.
    private boolean described() {
        return (flags & 8) != 0;
    }

    boolean folder() {
        return name.endsWith("/") && packed == 0 && !described();
    }

    /// Whether both describe the same content under the same name.
    boolean agrees(ZipEntry own) {
        return name.equals(own.name)
                && method == own.method
                && encrypted() == own.encrypted()
                && (packed == own.packed || own.described());
    }

    private static String name(byte[] zip, int length, int from, int bytes) {
        int start = Math.min(from, length);
        return new String(zip, start, Math.min(bytes, length - start), StandardCharsets.UTF_8);
    }
}
