package org.bloomgate.core.smtp;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// A reverse-path or forward-path (RFC 5321 4.1.2), checked to the letter: what is looked up and what is forwarded
/// must be the same octets, read in the same way by every server. One liberty is taken, an underscore in a domain.
///
/// @param octets as on the wire, one a character, without brackets; empty for the null reverse-path `<>`
public record MailPath(String octets) {
    /// RFC 5321 4.5.3.1.3, the brackets included.
    static final int MAX_OCTETS = 256;

    /// The path as text: UTF-8 decoded.
    public String text() {
        return decode(octets);
    }

    public boolean isNull() {
        return octets.isEmpty();
    }

    boolean isAscii() {
        return octets.chars().allMatch(octet -> octet < 0x80);
    }

    /// The domain or address literal, in lower case; empty when there is none (`<>`, `<Postmaster>`).
    public String domain() {
        int at = octets.lastIndexOf('@');
        return at < 0 ? "" : decode(octets.substring(at + 1)).toLowerCase(Locale.ROOT);
    }

    /// The address with a quoted local-part written out, as policy compares it.
    public String mailbox() {
        int at = octets.lastIndexOf('@');
        if (!octets.startsWith("\"")) {
            return text();
        }
        String unquoted = octets.substring(1, at - 1).replaceAll("\\\\(.)", "$1");
        return decode(unquoted + octets.substring(at));
    }

    /// As it is forwarded.
    @Override
    public String toString() {
        return "<" + octets + ">";
    }

    private static String decode(String octets) {
        return new String(octets.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }
}
