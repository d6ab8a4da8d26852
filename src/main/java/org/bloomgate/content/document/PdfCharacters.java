package org.bloomgate.content.document;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.bloomgate.core.limit.Limit;

/// The text of a font's codes by its ToUnicode map (ISO 32000-1, 9.10.3).
final class PdfCharacters {
    /// Codes and ranges of codes in all maps of one PDF: the limit `pdfFonts`.
    static final int MAX_RANGES = 1 << 17;

    /// The map of a font that has none.
    static final PdfCharacters NONE = new PdfCharacters("");

    /// Hexadecimal digits of a two-byte code; fonts with longer codes are not read.
    private static final int CODE_DIGITS = 4;

    /// Hexadecimal digits of the text of one code.
    private static final int MAX_TEXT_DIGITS = 64;

    private static final int MAX_WORD = 24;

    /// The ranges of codes, by their first code.
    private final TreeMap<Integer, Range> ranges = new TreeMap<>();

    /// The text of the map while it is read; then empty.
    private String map;

    private int bytes = 2;
    private int at;

    /// @param text of the first code; for each further code its last character is one higher
    private record Range(int last, String text) {}

    private PdfCharacters(String map) {
        this.map = map;
    }

    /// @param room the number of codes and ranges that may be kept
    static PdfCharacters of(byte[] map, int room, LinkSink finds) {
        PdfCharacters characters = new PdfCharacters(new String(map, StandardCharsets.ISO_8859_1));
        if (finds.spend(8L * map.length) && !characters.read(room)) {
            finds.reached(Limit.PDF_FONTS);
        }
        characters.map = "";
        return characters;
    }

    /// Bytes of a code of a composite font.
    int bytes() {
        return bytes;
    }

    /// The number of codes and ranges.
    int size() {
        return ranges.size();
    }

    private boolean read(int room) {
        for (String token = next(); !token.isEmpty(); token = next()) {
            boolean range = token.equals("beginbfrange");
            if (token.equals("begincodespacerange")) {
                bytes = digits(next()).length() > 2 ? 2 : 1;
            } else if ((range || token.equals("beginbfchar")) && !section(range, room)) {
                return false;
            }
        }
        return true;
    }

    /// Reads one section; false if it has more codes and ranges than may be kept.
    private boolean section(boolean range, int room) {
        for (String first = next(); first.startsWith("<"); first = next()) {
            int code = code(first);
            int last = range ? code(next()) : code;
            String to = next();
            if (to.equals("[") ? !list(code, room) : !put(code, last, to, room)) {
                return false;
            }
        }
        return true;
    }

    /// Reads a list of the texts of consecutive codes.
    private boolean list(int first, int room) {
        int code = first;
        for (String to = next(); to.startsWith("<"); to = next()) {
            if (!put(code, code, to, room)) {
                return false;
            }
            code++;
        }
        return true;
    }

    private boolean put(int code, int last, String to, int room) {
        String text = unicode(digits(to));
        if (code >= 0 && !text.isEmpty()) {
            ranges.putIfAbsent(code, new Range(last, text));
        }
        return ranges.size() <= room;
    }

    /// The next word, bracket, or hexadecimal string with the `<` before it; empty at the end.
    private String next() {
        boolean comment = false;
        while (at < map.length() && (comment || map.charAt(at) <= ' ' || ">%".indexOf(map.charAt(at)) >= 0)) {
            char skipped = map.charAt(at++);
            comment = skipped == '%' || (comment && skipped != '\n' && skipped != '\r');
        }
        if (at == map.length()) {
            return "";
        }
        int from = at++;
        char c = map.charAt(from);
        while (c != '[' && c != ']' && at < map.length() && isInside(c, map.charAt(at))) {
            at++;
        }
        return map.substring(from, Math.min(at, from + (c == '<' ? MAX_TEXT_DIGITS + 1 : MAX_WORD)));
    }

    private static boolean isInside(char first, char c) {
        return first == '<' ? c != '>' && c != '<' : c > ' ' && "<>[]%".indexOf(c) < 0;
    }

    private static String digits(String token) {
        StringBuilder digits = new StringBuilder();
        for (int i = 1; token.startsWith("<") && i < token.length(); i++) {
            char c = token.charAt(i);
            digits.append(c < 0x80 && Character.digit(c, 16) >= 0 ? String.valueOf(c) : "");
        }
        return digits.toString();
    }

    private static int code(String token) {
        String digits = digits(token);
        return digits.isEmpty() || digits.length() > CODE_DIGITS ? -1 : Integer.parseInt(digits, 16);
    }

    private static String unicode(String digits) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < digits.length(); i += CODE_DIGITS) {
            text.append((char) Integer.parseInt(digits.substring(i, Math.min(i + CODE_DIGITS, digits.length())), 16));
        }
        return text.toString();
    }

    /// The text of a code; empty if the map does not have it.
    String text(int code) {
        Map.Entry<Integer, Range> known = ranges.floorEntry(code);
        if (known == null || code > known.getValue().last()) {
            return "";
        }
        String text = known.getValue().text();
        int last = text.length() - 1;
        return text.substring(0, last) + (char) (text.charAt(last) + code - known.getKey());
    }
}
