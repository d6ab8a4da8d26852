package org.bloomgate.core.smtp;

import java.nio.charset.StandardCharsets;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.text.TextScan;

/// A reverse-path or forward-path (RFC 5321 4.1.2), which [PathReader] parses strictly: the looked-up and the
/// forwarded address must be the same, and every server must read it in the same way. The one exception is an
/// underscore in a domain, which is accepted.
///
/// @param wireText the path as on the wire, one character for each byte, without brackets; empty for the null
/// reverse-path `<>`
public record MailPath(String wireText) {
    /// The maximum length of RFC 5321 4.5.3.1.3, including the brackets.
    static final int MAX_BYTES = 256;

    /// The path as text, decoded from UTF-8.
    public String text() {
        return decode(wireText);
    }

    public boolean isNull() {
        return wireText.isEmpty();
    }

    boolean isAscii() {
        return wireText.chars().allMatch(b -> b < 0x80);
    }

    /// The domain or address literal, in lower case; empty if there is none (`<>`, `<Postmaster>`).
    public String domain() {
        int at = wireText.lastIndexOf('@');
        return at < 0 ? "" : TextForms.lowerCase(decode(wireText.substring(at + 1)));
    }

    /// Whether a mail server may read the local-part as a route to another domain: `user%domain`, `domain!user`
    /// or `"user@domain"`. Quotes and escapes cannot hide these three characters, and no byte of UTF-8 is equal
    /// to one.
    public boolean hasRoutedLocalPart() {
        int at = wireText.lastIndexOf('@');
        return wireText.chars().limit(Math.max(at, 0)).anyMatch(b -> b == '@' || b == '%' || b == '!');
    }

    /// The address with its local-part unquoted, as policy compares it.
    public String mailbox() {
        int at = wireText.lastIndexOf('@');
        if (!wireText.startsWith("\"")) {
            return text();
        }
        String unquoted = TextScan.unescaped(wireText.substring(1, at - 1));
        return decode(unquoted + wireText.substring(at));
    }

    /// The path with brackets, as it is forwarded.
    @Override
    public String toString() {
        return "<" + wireText + ">";
    }

    private static String decode(String wireText) {
        return new String(wireText.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }
}
