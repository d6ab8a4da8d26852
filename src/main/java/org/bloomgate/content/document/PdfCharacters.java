package org.bloomgate.content.document;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/// What the codes of a font mean: as a ToUnicode map says (ISO 32000-1, 9.10.3), or the characters of Latin-1
/// that most simple fonts have.
final class PdfCharacters {
    /// Codes of one font. Hides nothing: two bytes have no more.
    private static final int MAX_CODES = 1 << 16;

    static final PdfCharacters PLAIN = new PdfCharacters(1);

    private static final int LONGEST_TEXT = 16;

    private final Map<Integer, String> texts = new HashMap<>(0);
    private int bytes;

    private PdfCharacters(int bytes) {
        this.bytes = bytes;
    }

    /// True for a stream that is such a map.
    static boolean isMap(byte[] stream) {
        String start = new String(stream, 0, Math.min(stream.length, 4096), StandardCharsets.ISO_8859_1);
        return start.contains("beginbfchar") || start.contains("beginbfrange") || start.contains("begincodespacerange");
    }

    static PdfCharacters of(byte[] map, LinkSink finds) {
        PdfCharacters characters = new PdfCharacters(1);
        if (finds.spend(8L * map.length)) {
            characters.read(new String(map, StandardCharsets.ISO_8859_1));
        }
        return characters;
    }

    private void read(String map) {
        int codes = map.indexOf("begincodespacerange");
        int open = codes < 0 ? -1 : map.indexOf('<', codes);
        int close = open < 0 ? -1 : map.indexOf('>', open);
        bytes = close > 0 && close - open - 1 > 2 ? 2 : 1;
        section(map, "beginbfchar", "endbfchar", false);
        section(map, "beginbfrange", "endbfrange", true);
    }

    private void section(String map, String begin, String end, boolean range) {
        int from = map.indexOf(begin);
        while (from >= 0 && texts.size() < MAX_CODES) {
            int to = map.indexOf(end, from);
            to = to < 0 ? map.length() : to;
            entries(map.substring(from + begin.length(), to), range);
            from = map.indexOf(begin, to);
        }
    }

    private void entries(String text, boolean range) {
        int at = 0;
        while (true) {
            int[] place = {at};
            String first = next(text, place);
            String last = range ? next(text, place) : first;
            int bracket = range ? text.indexOf('[', place[0]) : -1;
            int angle = text.indexOf('<', place[0]);
            if (first.isEmpty() || last.isEmpty() || angle < 0) {
                return;
            }
            int code = Integer.parseInt(first, 16);
            int end = Math.min(Integer.parseInt(last, 16), code + MAX_CODES);
            if (bracket >= 0 && bracket < angle) {
                int close = text.indexOf(']', bracket);
                for (int each = code; each <= end && place[0] < (close < 0 ? text.length() : close); each++) {
                    put(each, unicode(next(text, place), 0));
                }
                at = close < 0 ? text.length() : close;
            } else {
                String to = next(text, place);
                for (int each = code; each <= end && texts.size() < MAX_CODES; each++) {
                    put(each, unicode(to, each - code));
                }
                at = place[0];
            }
        }
    }

    /// The digits between the next angles, at most four of a code; what is behind them is the new place.
    private static String next(String text, int[] place) {
        int open = text.indexOf('<', place[0]);
        int close = open < 0 ? -1 : text.indexOf('>', open);
        if (close < 0) {
            place[0] = text.length();
            return "";
        }
        place[0] = close + 1;
        StringBuilder digits = new StringBuilder();
        for (int i = open + 1; i < close && digits.length() < 4 * LONGEST_TEXT; i++) {
            if (Character.digit(text.charAt(i), 16) >= 0 && text.charAt(i) < 0x80) {
                digits.append(text.charAt(i));
            }
        }
        return digits.length() > 7 ? digits.substring(0, digits.length() / 4 * 4) : digits.toString();
    }

    private static String unicode(String digits, int more) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i + 4 <= digits.length(); i += 4) {
            text.append((char) Integer.parseInt(digits.substring(i, i + 4), 16));
        }
        if (text.isEmpty() && !digits.isEmpty()) {
            text.append((char) Integer.parseInt(digits.substring(0, Math.min(4, digits.length())), 16));
        }
        if (more > 0 && !text.isEmpty()) {
            int last = text.length() - 1;
            text.setCharAt(last, (char) (text.charAt(last) + more));
        }
        return text.toString();
    }

    private void put(int code, String text) {
        if (!text.isEmpty()) {
            texts.putIfAbsent(code, text);
        }
    }

    /// Appends what the codes mean; one without a meaning is its character in a simple font, and nothing in
    /// others.
    void append(byte[] codes, StringBuilder to) {
        for (int i = 0; i + bytes <= codes.length; i += bytes) {
            int code = bytes == 2 ? ((codes[i] & 0xff) << 8) | (codes[i + 1] & 0xff) : codes[i] & 0xff;
            String known = texts.get(code);
            if (known != null) {
                to.append(known);
            } else if (bytes == 1 && texts.isEmpty()) {
                to.append((char) code);
            }
        }
    }
}
