package org.bloomgate.core.smtp;

/// A recipient that was rejected for another reason than policy, as it is stored in a decision:
/// `gone@dest.example: 550 5.1.1 unknown`.
///
/// @param path forward-path without brackets
/// @param reply code and text; empty if the text was cut before it
public record RefusedRecipient(String path, String reply) {
    private static final String BETWEEN = ": ";

    /// Parses the format of [#text()].
    public static RefusedRecipient of(String text) {
        int end = text.indexOf(BETWEEN, endOfQuotes(text));
        return end < 0
                ? new RefusedRecipient(text, "")
                : new RefusedRecipient(text.substring(0, end), text.substring(end + BETWEEN.length()));
    }

    /// The end of a quoted local-part (RFC 5321 4.1.2), which may contain the separator of path and reply.
    private static int endOfQuotes(String text) {
        int at = 0;
        if (text.startsWith("\"")) {
            at = 1;
            while (at < text.length() && text.charAt(at) != '"') {
                at += text.charAt(at) == '\\' ? 2 : 1;
            }
        }
        return at;
    }

    public String text() {
        return path + BETWEEN + reply;
    }

    /// The code of the reply, for example `550`.
    public String code() {
        int end = reply.indexOf(' ');
        return end < 0 ? reply : reply.substring(0, end);
    }
}
