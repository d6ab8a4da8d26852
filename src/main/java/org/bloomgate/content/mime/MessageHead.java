package org.bloomgate.content.mime;

import java.util.Set;
import org.bloomgate.core.text.TextForms;

/// Recognises bytes that begin like a message, whatever their declared type: header fields, one of which only
/// mail has.
final class MessageHead {
    private static final Set<String> OF_MAIL = Set.of(
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

    /// True when the first lines are fields and one of them is of mail. One alone is enough, as a signed
    /// part has no other.
    static boolean looksLike(String start) {
        boolean ofMail = false;
        int at = 0;
        while (at < start.length()) {
            int end = start.indexOf('\n', at);
            String line = start.substring(at, end < 0 ? start.length() : end).stripTrailing();
            if (line.isEmpty()) {
                break;
            }
            boolean continued = line.charAt(0) == ' ' || line.charAt(0) == '\t';
            boolean mailbox = at == 0 && (line.startsWith("From ") || line.startsWith(">From "));
            String name = name(line);
            if (name.isEmpty() && !continued && !mailbox && end >= 0) {
                return false;
            }
            ofMail |= OF_MAIL.contains(name);
            at = end < 0 ? start.length() : end + 1;
        }
        return ofMail;
    }

    /// In lower case; empty when the line is no field.
    private static String name(String line) {
        int colon = line.indexOf(':');
        for (int i = 0; i < colon; i++) {
            if (line.charAt(i) <= ' ' || line.charAt(i) >= 0x7f) {
                return "";
            }
        }
        return colon < 0 ? "" : TextForms.lowerCase(line.substring(0, colon));
    }
}
