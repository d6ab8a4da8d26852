package org.bloomgate.content.document;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.bloomgate.content.archive.LittleEndian;

/// Reads names and strings of a PDF (ISO 32000-1, 7.3.4 and 7.3.5), one at a time.
final class PdfText {
    /// Bytes that are read of a string without an end: in any charset more than a link can have before the
    /// limit `urlBytes`.
    private static final int MAX_UNCLOSED_BYTES = 32 * 1024;

    private static final int WORK_PER_BYTE = 2;
    private static final boolean[] REGULAR = regular();

    /// Bytes of a literal string that are neither an escape nor may end it.
    private static final boolean[] PLAIN = plain();

    private final byte[] bytes;
    private final int to;
    private byte[] text = new byte[256];
    private int length;
    private int at;
    private boolean exhausted;

    /// Whether the last string is a literal one that is not decoded yet.
    private boolean isLiteral;

    private int literalFrom;
    private int literalTo;

    /// The number of its bytes that are decoded.
    private int most;

    PdfText(byte[] bytes, int to) {
        this.bytes = bytes;
        this.to = to;
    }

    /// The position after the last name or string.
    int behind() {
        return at;
    }

    /// Whether nothing more may be read.
    boolean exhausted() {
        return exhausted;
    }

    /// The name after the slash before `from`.
    String name(int from) {
        length = 0;
        at = from;
        while (at < to && isRegular(bytes[at])) {
            int code = bytes[at] == '#' ? hex(at + 1) * 16 + hex(at + 2) : -1;
            boolean escaped = code >= 0 && hex(at + 1) >= 0 && hex(at + 2) >= 0;
            append(escaped ? code : bytes[at]);
            at += escaped ? 3 : 1;
        }
        return new String(text, 0, length, StandardCharsets.ISO_8859_1);
    }

    /// Finds the end of the string after the parenthesis before `from`. Of a string without an end, or with the
    /// end of an object in it, only the beginning is read, and the bytes after the parenthesis are to be read
    /// again.
    ///
    /// @param finds for the work
    void literal(int from, LinkSink finds) {
        at = from;
        int open = 1;
        while (at < to && open > 0) {
            byte c = bytes[at];
            if (PLAIN[c & 0xff]) {
                at++;
                continue;
            }
            if (c == 'e' && LittleEndian.isAt(bytes, to, at, "endobj")) {
                break;
            }
            at += c == '\\' ? 2 : 1;
            open += c == '(' ? 1 : c == ')' ? -1 : 0;
        }
        at = Math.min(at, to);
        exhausted = !finds.spend(((long) at - from) * WORK_PER_BYTE);
        isLiteral = true;
        literalFrom = from;
        literalTo = open == 0 ? at - 1 : at;
        most = open == 0 ? Integer.MAX_VALUE : MAX_UNCLOSED_BYTES;
        at = open == 0 ? at : from;
    }

    private void decodeLiteral() {
        int behind = at;
        isLiteral = false;
        length = 0;
        at = literalFrom;
        while (at < literalTo && length < most) {
            byte c = bytes[at++];
            if (c == '\\' && at < to) {
                escape();
            } else {
                append(c);
            }
        }
        at = behind;
    }

    private void escape() {
        byte c = bytes[at++];
        if (c >= '0' && c <= '7') {
            int code = c - '0';
            for (int i = 0; i < 2 && at < to && bytes[at] >= '0' && bytes[at] <= '7'; i++) {
                code = code * 8 + bytes[at++] - '0';
            }
            append(code);
        } else if (c == '\r') {
            at += at < to && bytes[at] == '\n' ? 1 : 0;
        } else if (c == 'n' || c == 'r' || c == 't' || c == 'b' || c == 'f') {
            append(' ');
        } else if (c != '\n') {
            append(c);
        }
    }

    /// Reads the hexadecimal string after the `<` before `from`.
    void hexadecimal(int from) {
        isLiteral = false;
        length = 0;
        at = from;
        int high = -1;
        while (at < to && bytes[at] != '>' && (hex(at) >= 0 || (bytes[at] >= 0 && bytes[at] <= ' '))) {
            int digit = hex(at++);
            if (digit >= 0 && high >= 0) {
                append(high * 16 + digit);
                high = -1;
            } else if (digit >= 0) {
                high = digit;
            }
        }
        if (high >= 0) {
            append(high * 16);
        }
    }

    /// The last string: UTF-16 if it has a byte order mark, otherwise UTF-8, which programs write; zeros are
    /// removed. It is decoded only here, because most strings of a document are not needed.
    String string() {
        if (isLiteral) {
            decodeLiteral();
        }
        boolean big = length >= 2 && text[0] == (byte) 0xFE && text[1] == (byte) 0xFF;
        boolean little = length >= 2 && text[0] == (byte) 0xFF && text[1] == (byte) 0xFE;
        Charset charset = big ? StandardCharsets.UTF_16BE : little ? StandardCharsets.UTF_16LE : StandardCharsets.UTF_8;
        int from = big || little ? 2 : 0;
        return new String(text, from, length - from, charset).replace("\0", "").strip();
    }

    /// The bytes of the last string.
    byte[] raw() {
        if (isLiteral) {
            decodeLiteral();
        }
        return Arrays.copyOf(text, length);
    }

    private void append(int next) {
        if (length == text.length) {
            text = Arrays.copyOf(text, length * 2);
        }
        text[length++] = (byte) next;
    }

    private int hex(int i) {
        return i < to && bytes[i] > 0 ? Character.digit(bytes[i], 16) : -1;
    }

    private static boolean[] regular() {
        boolean[] regular = new boolean[256];
        for (int c = ' ' + 1; c < regular.length; c++) {
            regular[c] = "()<>[]{}/%".indexOf(c) < 0;
        }
        return regular;
    }

    private static boolean[] plain() {
        boolean[] plain = new boolean[256];
        for (int c = 0; c < plain.length; c++) {
            plain[c] = "()\\e".indexOf(c) < 0;
        }
        return plain;
    }

    /// Whether the byte is neither a blank nor a delimiter.
    static boolean isRegular(byte c) {
        return REGULAR[c & 0xff];
    }
}
