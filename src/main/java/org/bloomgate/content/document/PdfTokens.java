package org.bloomgate.content.document;

import java.nio.charset.StandardCharsets;

/// Reads the tokens of an object or of a content stream (ISO 32000-1, 7.2), one at a time. Each is paid before
/// it is returned.
final class PdfTokens {
    enum Kind {
        NAME,
        NUMBER,
        STRING,
        WORD,
        DICTIONARY,
        END_OF_DICTIONARY,
        ARRAY,
        END_OF_ARRAY,
        END
    }

    private static final int WORK_PER_TOKEN = 4;

    private final byte[] bytes;
    private final int to;
    private final PdfText strings;
    private final LinkSink finds;
    private int at;
    private String text = "";
    private double number;

    PdfTokens(byte[] bytes, int from, int to, LinkSink finds) {
        this.bytes = bytes;
        this.at = from;
        this.to = to;
        this.strings = new PdfText(bytes, to);
        this.finds = finds;
    }

    /// The position after the last token.
    int at() {
        return at;
    }

    /// The last name, without the slash, or the last word.
    String text() {
        return text;
    }

    double number() {
        return number;
    }

    /// The last string.
    byte[] string() {
        return strings.raw();
    }

    /// The last string as text for a reader.
    String decoded() {
        return strings.string();
    }

    /// Continues at a position, which must not be before the last token.
    void continueAt(int position) {
        at = Math.min(position, to);
    }

    /// The kind of the next token; the end also if the allowance is used up.
    Kind next() {
        int from = at;
        Kind kind = Kind.END;
        while (kind == Kind.END && at < to) {
            kind = token(bytes[at++]);
        }
        return strings.exhausted() || !finds.spend(WORK_PER_TOKEN + (long) at - from) ? Kind.END : kind;
    }

    private Kind token(byte c) {
        boolean twice = at < to && bytes[at] == c;
        switch (c) {
            case '/' -> text = strings.name(at);
            case '(' -> strings.literal(at, finds);
            case '<', '>' -> {
                if (twice) {
                    at++;
                    return c == '<' ? Kind.DICTIONARY : Kind.END_OF_DICTIONARY;
                } else if (c == '>') {
                    return Kind.END;
                }
                strings.hexadecimal(at);
            }
            case '[', ']' -> {
                return c == '[' ? Kind.ARRAY : Kind.END_OF_ARRAY;
            }
            case '%' -> {
                while (at < to && bytes[at] != '\n' && bytes[at] != '\r') {
                    at++;
                }
                return Kind.END;
            }
            default -> {
                return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' ? digits() : word();
            }
        }
        at = strings.behind();
        return c == '/' ? Kind.NAME : Kind.STRING;
    }

    private Kind word() {
        int from = at - 1;
        while (at < to && PdfText.isRegular(bytes[from]) && PdfText.isRegular(bytes[at])) {
            at++;
        }
        // Longer words are no operators.
        text = new String(bytes, from, Math.min(at - from, 4), StandardCharsets.ISO_8859_1);
        return PdfText.isRegular(bytes[from]) ? Kind.WORD : Kind.END;
    }

    private Kind digits() {
        double value = 0;
        double place = 0;
        boolean negative = false;
        for (at--; at < to && isNumeric(bytes[at]); at++) {
            byte c = bytes[at];
            negative |= c == '-';
            if (c == '.') {
                place = place == 0 ? 1 : place;
            } else if (c >= '0') {
                value = value * 10 + c - '0';
                place *= 10;
            }
        }
        value = place > 1 ? value / place : value;
        number = negative ? -value : value;
        return Kind.NUMBER;
    }

    private static boolean isNumeric(byte c) {
        return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.';
    }

    /// Skips one value, with all that is in it; false if there is none.
    boolean skip() {
        int depth = 0;
        do {
            switch (next()) {
                case DICTIONARY, ARRAY -> depth++;
                case END_OF_DICTIONARY, END_OF_ARRAY -> depth--;
                case END -> {
                    return false;
                }
                case NAME, NUMBER, STRING, WORD -> {}
            }
        } while (depth > 0);
        return depth == 0;
    }
}
