package org.bloomgate.content.mime;

import java.util.Set;
import org.bloomgate.core.text.TextForms;

/// Recognizes bytes that begin like a message, whatever their declared type: with header fields, at least one
/// of which only mail has.
public final class MessageHead {
    private static final Set<String> MAIL_FIELDS = Set.of(
            "received",
            "return-path",
            "from",
            "to",
            "subject",
            "date",
            "message-id",
            "mime-version",
            "content-type",
            "content-transfer-encoding",
            "content-disposition",
            "delivered-to",
            "reply-to",
            "dkim-signature");

    private MessageHead() {}

    /// Whether the first lines are fields and one of them is a mail field. One is enough, because a signed part
    /// has no other.
    public static boolean looksLike(String start) {
        boolean isMail = false;
        int at = 0;
        while (at < start.length()) {
            int end = start.indexOf('\n', at);
            String line = start.substring(at, end < 0 ? start.length() : end).stripTrailing();
            if (line.isEmpty()) {
                break;
            }
            boolean isContinued = line.charAt(0) == ' ' || line.charAt(0) == '\t';
            boolean isMboxLine = at == 0 && (line.startsWith("From ") || line.startsWith(">From "));
            String name = parseName(line);
            if (name.isEmpty() && !isContinued && !isMboxLine && end >= 0) {
                return false;
            }
            isMail |= MAIL_FIELDS.contains(name);
            at = end < 0 ? start.length() : end + 1;
        }
        return isMail;
    }

    /// The name of the field in lower case; empty if the line is not a field.
    private static String parseName(String line) {
        int colon = line.indexOf(':');
        for (int i = 0; i < colon; i++) {
            if (line.charAt(i) <= ' ' || line.charAt(i) >= 0x7f) {
                return "";
            }
        }
        return colon < 0 ? "" : TextForms.lowerCase(line.substring(0, colon));
    }
}
