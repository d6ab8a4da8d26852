package org.bloomgate.content.mime;

import org.bloomgate.content.html.TextBuffer;

/// Joins the lines of `format=flowed; delsp=yes` text (RFC 3676, 4.2): a blank at the end of a line is removed
/// together with the line end, so a link may extend over several lines.
final class FlowedText {
    private static final String SIGNATURE = "-- ";

    private FlowedText() {}

    static TextBuffer join(TextBuffer text) {
        TextBuffer joined = new TextBuffer(Math.max(1, text.length()));
        int position = 0;
        while (position < text.length()) {
            int end = position;
            while (end < text.length() && text.charAt(end) != '\n' && text.charAt(end) != '\r') {
                end++;
            }
            int from = skipQuoteMarks(text, position, end);
            boolean isSoftBreak = end > from && text.charAt(end - 1) == ' ' && !isSignature(text, from, end);
            joined.append(text.array(), from, isSoftBreak ? end - 1 : end);
            if (!isSoftBreak) {
                joined.append('\n');
            }
            position = findNextLine(text, end);
        }
        return joined;
    }

    /// The position after the quote marks and the blank that space-stuffing adds.
    private static int skipQuoteMarks(TextBuffer text, int from, int end) {
        int i = from;
        while (i < end && text.charAt(i) == '>') {
            i++;
        }
        return i < end && text.charAt(i) == ' ' ? i + 1 : i;
    }

    private static boolean isSignature(TextBuffer text, int from, int end) {
        return end - from == SIGNATURE.length() && text.charAt(from) == '-' && text.charAt(from + 1) == '-';
    }

    private static int findNextLine(TextBuffer text, int end) {
        boolean isCrLf = end + 1 < text.length() && text.charAt(end) == '\r' && text.charAt(end + 1) == '\n';
        return isCrLf ? end + 2 : end + 1;
    }
}
