package org.bloomgate.content.mime;

import org.bloomgate.content.document.LinkSink;
import org.bloomgate.content.document.Uuencoded;
import org.bloomgate.content.html.HtmlTokenizer;
import org.bloomgate.content.html.TextBuffer;
import org.bloomgate.core.limit.Limit;

/// Finds files that are encoded in a text: uuencode, PEM (RFC 7468), PGP. An encrypted message is the limit
/// `encrypted`.
final class InlineFiles {
    private static final String BEGIN = "-----BEGIN ";
    private static final String END = "-----END";
    private static final String PGP_MESSAGE = "PGP MESSAGE";

    private InlineFiles() {}

    /// Whether a line begins like an encoded file.
    static boolean isIn(char[] text, int length) {
        for (int line = 0; line + 10 < length; line = findLineEnd(text, line, length) + 1) {
            if (isAt(text, line, BEGIN) || isAt(text, line, "begin ")) {
                return true;
            }
        }
        return false;
    }

    private static int findLineEnd(char[] text, int from, int length) {
        int position = from;
        while (position < length && (text[position] > '\r' || (text[position] != '\n' && text[position] != '\r'))) {
            position++;
        }
        return position;
    }

    private static boolean isAt(char[] text, int at, String word) {
        for (int i = 0; i < word.length(); i++) {
            if (at + i >= text.length || text[at + i] != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    static void read(String text, LinkSink sink) {
        Uuencoded.read(text, sink);
        int at = text.indexOf(BEGIN);
        while (at >= 0 && sink.spend(BEGIN.length())) {
            int end = text.indexOf(END, at);
            int to = end < 0 ? text.length() : end;
            if (text.startsWith(PGP_MESSAGE, at + BEGIN.length())) {
                sink.reached(Limit.ENCRYPTED);
            } else {
                int line = text.indexOf('\n', at);
                int label = at + BEGIN.length();
                boolean isCms = text.startsWith("PKCS7", label) || text.startsWith("CMS", label);
                if (isCms && line > 0 && line < to) {
                    sink.addFile("", text.substring(line, to));
                }
            }
            at = text.indexOf(BEGIN, to);
        }
    }

    /// Whether the text contains `<` followed by a letter or `!`.
    static boolean containsMarkup(TextBuffer text) {
        char[] chars = text.array();
        for (int i = 0; i + 1 < text.length(); i++) {
            if (chars[i] == '<' && (HtmlTokenizer.isLetter(chars[i + 1]) || chars[i + 1] == '!')) {
                return true;
            }
        }
        return false;
    }
}
