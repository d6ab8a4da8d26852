package org.bloomgate.base.io;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.Writer;

/// Escapes text from untrusted sources for a terminal, a log or JSON: C0 and C1 control characters, characters
/// that change the direction of text, and Unicode's own line separators are written as `\\uXXXX`. Line feeds
/// and tabs stay, and so does a carriage return before a line feed. JSON remains JSON with the same content.
public final class PrintableText {
    private PrintableText() {}

    /// The escaped text; the same string if there is nothing to escape.
    public static String of(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isPrintable(text, i)) {
                return escape(text);
            }
        }
        return text;
    }

    private static String escape(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            out.append(isPrintable(text, i) ? String.valueOf(c) : String.format("\\u%04x", (int) c));
        }
        return out.toString();
    }

    private static boolean isPrintable(String text, int index) {
        char c = text.charAt(index);
        if (c < ' ') {
            return c == '\n' || c == '\t' || (c == '\r' && index + 1 < text.length() && text.charAt(index + 1) == '\n');
        }
        return c < '\u007f' || (c > '\u009f' && !turnsDirection(c) && c != '\u2028' && c != '\u2029');
    }

    private static boolean turnsDirection(char c) {
        return (c >= '\u202a' && c <= '\u202e')
                || (c >= '\u2066' && c <= '\u2069')
                || c == '\u200e'
                || c == '\u200f'
                || c == '\u061c';
    }

    /// A writer that escapes what goes through it.
    public static Writer writer(Writer to) {
        return new FilterWriter(to) {
            @Override
            public void write(int c) throws IOException {
                out.write(of(String.valueOf((char) c)));
            }

            @Override
            public void write(char[] text, int from, int length) throws IOException {
                out.write(of(new String(text, from, length)));
            }

            @Override
            public void write(String text, int from, int length) throws IOException {
                out.write(of(text.substring(from, from + length)));
            }
        };
    }
}
