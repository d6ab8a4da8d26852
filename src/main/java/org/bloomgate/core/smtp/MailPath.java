package org.bloomgate.core.smtp;

import java.nio.charset.StandardCharsets;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.text.TextScan;

/// A reverse-path or forward-path (RFC 5321 4.1.2), checked to the letter: what is looked up and what is forwarded
/// must be the same bytes, read in the same way by every server. One liberty is taken, an underscore in a domain.
///
/// @param bytes as on the wire, one a character, without brackets; empty for the null reverse-path `<>`
public record MailPath(String bytes) {
    /// RFC 5321 4.5.3.1.3, the brackets included.
    static final int MAX_BYTES = 256;

    /// The path as text: UTF-8 decoded.
    public String text() {
        return decode(bytes);
    }

    public boolean isNull() {
        return bytes.isEmpty();
    }

    boolean isAscii() {
        return bytes.chars().allMatch(b -> b < 0x80);
    }

    /// The domain or address literal, in lower case; empty if there is none (`<>`, `<Postmaster>`).
    public String domain() {
        int at = bytes.lastIndexOf('@');
        return at < 0 ? "" : TextForms.lowerCase(decode(bytes.substring(at + 1)));
    }

    /// True if a mail server may read the local part as a route to another domain: `user%domain`, `domain!user` or
    /// `"user@domain"`. Quotes and escapes hide none of the three characters, and no byte of UTF-8 looks like one.
    public boolean hasRoutedLocalPart() {
        int at = bytes.lastIndexOf('@');
        return bytes.chars().limit(Math.max(at, 0)).anyMatch(b -> b == '@' || b == '%' || b == '!');
    }

    /// The address with a quoted local-part written out, as policy compares it.
    public String mailbox() {
        int at = bytes.lastIndexOf('@');
        if (!bytes.startsWith("\"")) {
            return text();
        }
        String unquoted = TextScan.unescaped(bytes.substring(1, at - 1));
        return decode(unquoted + bytes.substring(at));
    }

    /// As it is forwarded.
    @Override
    public String toString() {
        return "<" + bytes + ">";
    }

    private static String decode(String bytes) {
        return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }
}
