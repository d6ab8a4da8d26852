package org.bloomgate.content.mime;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.bloomgate.content.archive.LittleEndian;
import org.bloomgate.content.html.TextBuffer;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.core.text.TextForms;

/// Decodes the bytes of a part: by byte order mark, declared charset, or the document's own declaration;
/// otherwise as UTF-8. Malformed bytes become U+FFFD; nothing throws.
final class TextDecoding {
    /// HTML Living Standard 13.2.3.2: a declaration counts within the first 1,024 bytes.
    private static final int PRESCAN_BYTES = 1024;

    private static final int UTF8_MARK_BYTES = 3;

    private static final String ASCII = "<a href=\"http://";
    private static final byte[] EBCDIC = {0x40, (byte) 0x81};
    private static final byte[] ASCII_BYTES = ASCII.getBytes(StandardCharsets.US_ASCII);

    private TextDecoding() {}

    /// Appends the text of `bytes` to `out`.
    ///
    /// @param declaredCharset the charset of the part's header; may be empty
    static void decode(byte[] bytes, int length, String declaredCharset, Allowance allowance, TextBuffer out) {
        int mark = measureByteOrderMark(bytes, length);
        String name = TextForms.lowerCase(declaredCharset.strip());
        if (mark == 0 && isUtf7(name)) {
            allowance.reached(Limit.UTF7);
            Utf7.decode(bytes, length, out);
            return;
        }
        Charset charset = mark > 0 ? findMarkedCharset(bytes, mark) : findCharset(name, bytes, length);
        decode(bytes, mark, length, charset, out);
    }

    /// Whether the text was decoded as UTF-16 because of its zeros, and may be another text without them.
    static boolean isDoubtful(byte[] bytes, int length, String declaredCharset) {
        String name = TextForms.lowerCase(declaredCharset.strip());
        if (measureByteOrderMark(bytes, length) > 0 || isUtf7(name)) {
            return false;
        }
        Optional<Charset> wide = findWide(name, bytes, length);
        return wide.isPresent() && !WideText.isPlain(bytes, length, wide.get());
    }

    /// Whether a part of the text is decoded alike without the bytes before it.
    static boolean isNarrow(byte[] bytes, int length) {
        return LittleEndian.indexOf(bytes, length, "\0", 0) < 0 && measureByteOrderMark(bytes, length) != 2;
    }

    private static void decode(byte[] bytes, int from, int to, Charset charset, TextBuffer out) {
        CharsetDecoder decoder = charset.newDecoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .onUnmappableCharacter(CodingErrorAction.REPLACE);
        ByteBuffer in = ByteBuffer.wrap(bytes, from, to - from);
        int maxChars = (int) Math.ceil((to - from) * (double) decoder.maxCharsPerByte()) + 16;
        CharBuffer chars = CharBuffer.wrap(out.reserve(maxChars), out.length(), maxChars);
        decoder.decode(in, chars, true);
        decoder.flush(chars);
        out.advance(chars.position() - out.length());
    }

    private static int measureByteOrderMark(byte[] bytes, int length) {
        if (length >= UTF8_MARK_BYTES
                && (bytes[0] & 0xff) == 0xEF
                && (bytes[1] & 0xff) == 0xBB
                && (bytes[2] & 0xff) == 0xBF) {
            return UTF8_MARK_BYTES;
        }
        boolean isUtf16 = length >= 2 && (bytes[0] & bytes[1]) == (byte) 0xFE && bytes[0] != bytes[1];
        return isUtf16 ? 2 : 0;
    }

    private static Charset findMarkedCharset(byte[] bytes, int mark) {
        if (mark == UTF8_MARK_BYTES) {
            return StandardCharsets.UTF_8;
        }
        return (bytes[0] & 0xff) == 0xFE ? StandardCharsets.UTF_16BE : StandardCharsets.UTF_16LE;
    }

    private static Charset findCharset(String name, byte[] bytes, int length) {
        return findWide(name, bytes, length).orElseGet(() -> findNarrow(name, bytes, length));
    }

    private static Optional<Charset> findWide(String name, byte[] bytes, int length) {
        return isWide(name) ? WideText.detectDeclared(bytes, length) : WideText.detect(bytes, length);
    }

    private static boolean isWide(String name) {
        return name.startsWith("utf-16") || name.startsWith("utf16") || name.contains("ucs-2");
    }

    private static Charset findNarrow(String name, byte[] bytes, int length) {
        boolean isAscii = name.isEmpty() || name.equals("us-ascii") || name.equals("ascii");
        return findNamed(isAscii ? findDeclaredInDocument(bytes, length) : name, bytes, length);
    }

    /// Returns the charset of a name; UTF-8 for every unknown name, and for ASCII, which UTF-8 extends.
    private static Charset findNamed(String name, byte[] bytes, int length) {
        return switch (name) {
            case "", "utf-8", "utf8", "us-ascii" -> StandardCharsets.UTF_8;
            case "iso-8859-1", "latin1", "windows-1252" -> StandardCharsets.ISO_8859_1;
            default -> findKnown(name, bytes, length);
        };
    }

    /// Returns a charset that extends ASCII, or EBCDIC, the only other kind that some clients support, with tables of
    /// their system. Plain ASCII declared as EBCDIC is read as ASCII.
    private static Charset findKnown(String name, byte[] bytes, int length) {
        return CharsetNames.find(name)
                .filter(charset -> ASCII.equals(new String(ASCII_BYTES, charset)) || isEbcdic(charset, bytes, length))
                .orElse(StandardCharsets.UTF_8);
    }

    /// Whether the charset is EBCDIC and the bytes are: its letters are above 0x80, and a blank is 0x40.
    private static boolean isEbcdic(Charset charset, byte[] bytes, int length) {
        if (!" a".equals(new String(EBCDIC, charset))) {
            return false;
        }
        int highBytes = 0;
        int examinedBytes = Math.min(length, PRESCAN_BYTES);
        for (int i = 0; i < examinedBytes; i++) {
            highBytes += bytes[i] < 0 ? 1 : 0;
        }
        return highBytes * 2 > examinedBytes;
    }

    /// The charset that the document declares, with `<meta charset=..>` or `<meta content="..; charset=..">`:
    /// the word after the first `charset=`.
    private static String findDeclaredInDocument(byte[] bytes, int length) {
        int end = Math.min(length, PRESCAN_BYTES);
        String start = new String(bytes, 0, end, StandardCharsets.ISO_8859_1);
        int tag = start.indexOf('<');
        while (tag >= 0 && !start.regionMatches(true, tag, "<meta", 0, 5)) {
            tag = start.indexOf('<', tag + 1);
        }
        String head = tag < 0 ? "" : TextForms.lowerCase(start);
        int at = head.indexOf("charset=", tag);
        if (at < 0) {
            return "";
        }
        int from = at + "charset=".length();
        while (from < end && (head.charAt(from) == '"' || head.charAt(from) == '\'' || head.charAt(from) == ' ')) {
            from++;
        }
        int to = from;
        while (to < end && (Character.isLetterOrDigit(head.charAt(to)) || "-_:.".indexOf(head.charAt(to)) >= 0)) {
            to++;
        }
        String name = head.substring(from, to);
        return isUtf7(name) ? "" : name;
    }

    static boolean isUtf7(String name) {
        return name.equals("utf-7") || name.equals("utf7") || name.endsWith("unicode-1-1-utf-7");
    }
}
