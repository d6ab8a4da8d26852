package org.bloomgate.content.mime;

import org.bloomgate.content.html.TextBuffer;

/// Joins the lines of `format=flowed; delsp=yes` text (RFC 3676, 4.2): a blank at the end of a line is removed
/// together with the line end, so a link may extend over several lines.
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
            at = nextLine(text, end);
        }
        return joined;
    }

    /// The position after the quote marks and the blank that space-stuffing adds.
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

    private static int nextLine(TextBuffer text, int end) {
        boolean both = end + 1 < text.length() && text.charAt(end) == '\r' && text.charAt(end + 1) == '\n';
        return both ? end + 2 : end + 1;
    }
}
