package org.bloomgate.content.document;

import java.io.ByteArrayOutputStream;
import org.bloomgate.content.archive.Inflation;
import org.bloomgate.content.archive.LittleEndian;
import org.bloomgate.core.limit.Limit;

/// Reads the content of a signed or compressed message in one part (CMS, RFC 5652 and RFC 3274), in any form of
/// BER. Enveloped data, which only its recipient can open, is the limit `encrypted`; any other content is
/// `opaque`.
public final class SignedData {
    /// Object identifiers as bytes: of PKCS #7, and of the content types of S/MIME.
    private static final String PKCS7 = "*\u0086H\u0086\u00f7\r\u0001\u0007";

    private static final String SMIME = "*\u0086H\u0086\u00f7\r\u0001\t\u0010\u0001";

    /// The identifier follows two lengths, each as long as BER permits.
    private static final int IDENTIFIER_WITHIN = 2 * (2 + 0x7e) + 12;

    /// The depth of constructed strings: the limit `depth`.
    static final int MAX_DEPTH = 8;

    /// Bytes of a compressed message: the limit `archiveBytes`.
    static final int MAX_BYTES = 8 * 1024 * 1024;

    private static final int SEQUENCE = 0x30;
    private static final int STRING = 0x04;
    private static final int CONSTRUCTED = 0x20;

    private final byte[] ber;
    private final int length;
    private final LinkSink sink;

    private SignedData(byte[] ber, int length, LinkSink sink) {
        this.ber = ber;
        this.length = length;
        this.sink = sink;
    }

    /// Whether the bytes begin like such a message.
    public static boolean looksLike(byte[] bytes, int length) {
        int head = Math.min(length, IDENTIFIER_WITHIN);
        return LittleEndian.at(bytes, length, 0) == SEQUENCE
                && (LittleEndian.indexOf(bytes, head, PKCS7, 1) > 0 || LittleEndian.indexOf(bytes, head, SMIME, 1) > 0);
    }

    public static void read(byte[] ber, int length, LinkSink sink) {
        if (sink.spend(length)) {
            new SignedData(ber, length, sink).read();
        }
    }

    private void read() {
        int type = content(0);
        boolean smime = LittleEndian.isAt(ber, length, type + 2, SMIME);
        int number = LittleEndian.at(ber, length, type + 2 + (smime ? SMIME : PKCS7).length());
        int inner = content(content(after(type)));
        switch ((smime ? 256 : 0) + number) {
            case 2 -> string(after(after(inner)), false);
            case 256 + 9 -> string(after(after(inner)), true);
            case 3, 4, 6, 256 + 23 -> sink.reached(Limit.ENCRYPTED);
            default -> sink.reached(Limit.OPAQUE);
        }
    }

    /// Reads the string in `SEQUENCE { type, [0] { string } }`. A detached signature has none.
    private void string(int sequence, boolean compressed) {
        int wrapper = after(content(sequence));
        if ((LittleEndian.at(ber, length, wrapper) & 0xc0) != 0x80) {
            return;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        gather(content(wrapper), bytes, 0);
        if (compressed) {
            inflate(bytes.toByteArray());
        } else {
            sink.addFile("", bytes.toByteArray(), bytes.size());
        }
    }

    private void inflate(byte[] packed) {
        try (Inflation inflation = new Inflation(
                packed, 0, packed.length, false, sink::spendUnpacked, sink.allowance(), Limit.ARCHIVE_BYTES)) {
            inflation.readTo((int) Math.min(MAX_BYTES, sink.allowance().left(Limit.ARCHIVE_BYTES)));
            sink.allowance().draw(Limit.ARCHIVE_BYTES, inflation.length());
            if (!inflation.finished() && !inflation.refused()) {
                sink.reached(inflation.damaged() ? Limit.OPAQUE : Limit.ARCHIVE_BYTES);
            }
            sink.addFile("", inflation.bytes(), inflation.length());
        }
    }

    /// @return the position after the string
    private int gather(int at, ByteArrayOutputStream bytes, int depth) {
        int tag = LittleEndian.at(ber, length, at);
        int end = end(at);
        if ((tag & CONSTRUCTED) == 0) {
            bytes.write(ber, content(at), end - content(at));
            return end;
        }
        if (depth == MAX_DEPTH) {
            sink.reached(Limit.DEPTH);
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

    /// The start of the content of the element at `at`.
    private int content(int at) {
        int first = LittleEndian.at(ber, length, at + 1);
        return Math.min(length, at + 2 + (first > 0x80 ? first - 0x80 : 0));
    }

    /// The end of its content by its length; the end of all bytes if it has an indefinite length.
    private int end(int at) {
        int first = LittleEndian.at(ber, length, at + 1);
        if (first == 0x80) {
            return length;
        }
        long size = first;
        if (first > 0x80) {
            size = 0;
            for (int i = at + 2; i < content(at); i++) {
                size = Math.min(size << 8 | (ber[i] & 0xff), Integer.MAX_VALUE);
            }
        }
        return (int) Math.min(length, content(at) + size);
    }

    /// The position after the element at `at`, which may contain elements of indefinite length.
    private int after(int at) {
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
