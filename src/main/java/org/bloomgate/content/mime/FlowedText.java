package org.bloomgate.content.mime;

import org.bloomgate.content.html.TextBuffer;

/// Text of `format=flowed; delsp=yes` (RFC 3676, 4.2): a blank at the end of a line is taken out together with
/// the line end, so that a link may stand on several lines.
final class FlowedText {
    private static final String SIGNATURE = "-- ";

    private FlowedText() {}

    static TextBuffer joined(TextBuffer text) {
        TextBuffer joined = new TextBuffer(Math.max(1, text.length()));
        int at = 0;
        while (at < text.length()) {
            int end = at;
            while (end < text.length() && text.charAt(end) != '\n' && text.charAt(end) != '\r') {
                end++;
            }
            int from = unquoted(text, at, end);
            boolean soft = end > from && text.charAt(end - 1) == ' ' && !isSignature(text, from, end);
            joined.append(text.array(), from, soft ? end - 1 : end);
            if (!soft) {
                joined.append('\n');
            }
            at = behindLine(text, end);
        }
        return joined;
    }

    /// Behind marks of quotation and the blank that is stuffed in.
    private static int unquoted(TextBuffer text, int from, int end) {
        int i = from;
        while (i < end && text.charAt(i) == '>') {
            i++;
        }
        return i < end && text.charAt(i) == ' ' ? i + 1 : i;
    }

    private static boolean isSignature(TextBuffer text, int from, int end) {
        return end - from == SIGNATURE.length() && text.charAt(from) == '-' && text.charAt(from + 1) == '-';
    }

    private static int behindLine(TextBuffer text, int end) {
        boolean both = end + 1 < text.length() && text.charAt(end) == '\r' && text.charAt(end + 1) == '\n';
        return both ? end + 2 : end + 1;
    }
}
