package org.bloomgate.content.document;

import java.io.ByteArrayOutputStream;
import org.bloomgate.content.archive.Inflation;
import org.bloomgate.content.archive.LittleEndian;
import org.bloomgate.core.limit.Limit;

/// The content of a signed or compressed message in one part (CMS, RFC 5652 and RFC 3274), whatever of
/// BER it is written in. Enveloped data, which only its reader can open, is the limit `encrypted`; any
/// other content `opaque`.
public final class SignedData {
    /// Object identifiers as bytes: pkcs-7, and those of S/MIME's content types.
    private static final String PKCS7 = "*\u0086H\u0086\u00f7\r\u0001\u0007";

    private static final String SMIME = "*\u0086H\u0086\u00f7\r\u0001\t\u0010\u0001";

    /// Behind two lengths as long as BER allows them.
    private static final int IDENTIFIER_WITHIN = 2 * (2 + 0x7e) + 12;

    /// Pieces within pieces of one string: the limit `depth`.
    static final int MAX_DEPTH = 8;

    /// Bytes of a compressed message: the limit `archiveBytes`.
    static final int MAX_BYTES = 8 * 1024 * 1024;

    private static final int SEQUENCE = 0x30;
    private static final int STRING = 0x04;
    private static final int CONSTRUCTED = 0x20;

    private final byte[] ber;
    private final int length;
    private final LinkSink finds;

    private SignedData(byte[] ber, int length, LinkSink finds) {
        this.ber = ber;
        this.length = length;
        this.finds = finds;
    }

    /// True for bytes that begin as such a message does.
    public static boolean looksLike(byte[] bytes, int length) {
        int head = Math.min(length, IDENTIFIER_WITHIN);
        return LittleEndian.at(bytes, length, 0) == SEQUENCE
                && (LittleEndian.indexOf(bytes, head, PKCS7, 1) > 0 || LittleEndian.indexOf(bytes, head, SMIME, 1) > 0);
    }

    public static void read(byte[] ber, int length, LinkSink finds) {
        if (finds.spend(length)) {
            new SignedData(ber, length, finds).read();
        }
    }

    private void read() {
        int type = content(0);
        boolean own = LittleEndian.standsAt(ber, length, type + 2, SMIME);
        int number = LittleEndian.at(ber, length, type + 2 + (own ? SMIME : PKCS7).length());
        int within = content(content(behind(type)));
        switch ((own ? 256 : 0) + number) {
            case 2 -> string(behind(behind(within)), false);
            case 256 + 9 -> string(behind(behind(within)), true);
            case 3, 4, 6, 256 + 23 -> finds.reached(Limit.ENCRYPTED);
            default -> finds.reached(Limit.OPAQUE);
        }
    }

    /// The string in `SEQUENCE { type, [0] { string } }`. A signature without content has none.
    private void string(int sequence, boolean compressed) {
        int wrapper = behind(content(sequence));
        if ((LittleEndian.at(ber, length, wrapper) & 0xc0) != 0x80) {
            return;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        gather(content(wrapper), bytes, 0);
        if (compressed) {
            inflate(bytes.toByteArray());
        } else {
            finds.file("", bytes.toByteArray(), bytes.size());
        }
    }

    private void inflate(byte[] packed) {
        try (Inflation inflation = new Inflation(
                packed, 0, packed.length, false, finds::unpacked, finds.allowance(), Limit.ARCHIVE_BYTES)) {
            inflation.readTo(MAX_BYTES);
            if (!inflation.finished() && !inflation.refused()) {
                finds.reached(inflation.damaged() ? Limit.OPAQUE : Limit.ARCHIVE_BYTES);
            }
            finds.file("", inflation.bytes(), inflation.length());
        }
    }

    /// @return behind the string
    private int gather(int at, ByteArrayOutputStream bytes, int depth) {
        int tag = LittleEndian.at(ber, length, at);
        int end = end(at);
        if ((tag & CONSTRUCTED) == 0) {
            bytes.write(ber, content(at), end - content(at));
            return end;
        }
        if (depth == MAX_DEPTH) {
            finds.reached(Limit.DEPTH);
            return length;
        }
        int i = content(at);
        while (i < end && (LittleEndian.at(ber, length, i) & ~CONSTRUCTED) == STRING) {
            i = gather(i, bytes, depth + 1);
        }
        return indefinite(at) ? Math.min(length, i + 2) : end;
    }

    private boolean indefinite(int at) {
        return LittleEndian.at(ber, length, at + 1) == 0x80;
    }

    /// Where the content of the element at `at` begins.
    private int content(int at) {
        int first = LittleEndian.at(ber, length, at + 1);
        return Math.min(length, at + 2 + (first > 0x80 ? first - 0x80 : 0));
    }

    /// Where its content ends by its length: at the end of all, when it has none.
    private int end(int at) {
        int first = LittleEndian.at(ber, length, at + 1);
        if (first == 0x80) {
            return length;
        }
        long said = first;
        if (first > 0x80) {
            said = 0;
            for (int i = at + 2; i < content(at); i++) {
                said = Math.min(said << 8 | (ber[i] & 0xff), Integer.MAX_VALUE);
            }
        }
        return (int) Math.min(length, content(at) + said);
    }

    /// Behind the element at `at`, elements without length within it counted.
    private int behind(int at) {
        if (!indefinite(at)) {
            return end(at);
        }
        int i = content(at);
        int open = 1;
        while (i < length && open > 0) {
            boolean close = ber[i] == 0 && LittleEndian.at(ber, length, i + 1) == 0;
            open += close ? -1 : indefinite(i) ? 1 : 0;
            i = close || indefinite(i) ? i + 2 : end(i);
        }
        return Math.min(length, i);
    }
}
