package org.bloomgate.content.document;

import java.text.Normalizer;
import java.util.HashMap;
import java.util.Map;

/// The text of a glyph's name, as in the Adobe Glyph List Specification: letters are their own names; `uniXXXX`
/// and `uXXXXX` are code points; parts are joined by underscores; what follows a full stop is a variant.
final class GlyphNames {
    private static final Map<String, String> TEXTS =
            texts("space   exclam ! quotedbl \" numbersign # dollar $ percent % ampersand & quotesingle ' quoteright '"
                + " quoteleft ' parenleft ( parenright ) asterisk * plus + comma , hyphen - minus - endash - emdash -"
                + " period . slash / fraction / colon : semicolon ; less < equal = greater > question ? at @"
                + " bracketleft [ backslash \\ bracketright ] asciicircum ^ underscore _ grave ` braceleft { bar |"
                + " braceright } asciitilde ~ zero 0 one 1 two 2 three 3 four 4 five 5 six 6 seven 7 eight 8 nine 9 ff"
                + " ff fi fi fl fl ffi ffi ffl ffl ft ft st st nbspace   nonbreakingspace   sfthyphen - dotlessi"
                + " \u0131 dotlessj \u0237 germandbls \u00df ae \u00e6 oe \u0153 oslash \u00f8 eth \u00f0 thorn \u00fe"
                + " lslash \u0142");

    /// Combining characters by the ends of names.
    private static final Map<String, String> MARKS = texts("grave \u0300 acute \u0301 circumflex \u0302 tilde \u0303"
            + " macron \u0304 breve \u0306 dotaccent \u0307 dieresis \u0308 ring \u030a hungarumlaut \u030b"
            + " caron \u030c commaaccent \u0327 cedilla \u0327 ogonek \u0328");

    private static final int LONGEST = 64;

    private GlyphNames() {}

    private static Map<String, String> texts(String table) {
        Map<String, String> texts = new HashMap<>();
        for (int from = 0, end; from < table.length(); from = end + 1) {
            int text = table.indexOf(' ', from) + 1;
            end = table.indexOf(' ', text + 1);
            end = end < 0 ? table.length() : end;
            texts.put(table.substring(from, text - 1), table.substring(text, end));
        }
        return texts;
    }

    /// The text of a name; empty if it is not known.
    static String text(String name) {
        int variant = name.indexOf('.', 1);
        String plain = name.substring(0, Math.min(LONGEST, variant < 0 ? name.length() : variant));
        StringBuilder text = new StringBuilder();
        for (int from = 0, end; from < plain.length(); from = end + 1) {
            int underscore = plain.indexOf('_', from);
            end = underscore < 0 ? plain.length() : underscore;
            text.append(part(plain.substring(from, end)));
        }
        return text.toString();
    }

    private static String part(String name) {
        if (name.length() == 1) {
            return name;
        } else if (TEXTS.containsKey(name)) {
            return TEXTS.getOrDefault(name, "");
        } else if (MARKS.containsKey(name.substring(Math.min(1, name.length())))) {
            return Normalizer.normalize(
                    name.charAt(0) + MARKS.getOrDefault(name.substring(1), ""), Normalizer.Form.NFC);
        }
        StringBuilder text = new StringBuilder();
        boolean units = name.startsWith("uni");
        int from = units ? 3 : 1;
        int step = units ? 4 : Math.max(4, name.length() - 1);
        for (; name.startsWith("u") && from + step <= name.length() && step <= 6; from += step) {
            int code = hexadecimal(name, from, from + step);
            if (!Character.isValidCodePoint(code)) {
                return "";
            }
            text.appendCodePoint(code);
        }
        return text.toString();
    }

    private static int hexadecimal(String name, int from, int to) {
        int code = 0;
        for (int i = from; i < to; i++) {
            int digit = name.charAt(i) < 0x80 ? Character.digit(name.charAt(i), 16) : -1;
            if (digit < 0) {
                return -1;
            }
            code = code * 16 + digit;
        }
        return code;
    }
}
