package org.bloomgate.server.milter;

import java.nio.charset.StandardCharsets;
import org.bloomgate.core.smtp.PathReader;

/// A path of the envelope. The mail server has taken it already, by a grammar that may be wider than ours: what ours
/// does not read is taken as it stands.
///
/// @param text without brackets; empty for the null reverse-path
/// @param mailbox with a quoted local-part written out, as policy compares it
record ReadPath(String text, String mailbox) {

    /// @param octets one a character
    static ReadPath of(String octets) {
        return PathReader.after("", octets)
                .filter(found -> found.end() == octets.length())
                .map(found -> new ReadPath(found.path().text(), found.path().mailbox()))
                .orElseGet(() -> asItStands(octets));
    }

    private static ReadPath asItStands(String octets) {
        boolean bracketed = octets.startsWith("<") && octets.endsWith(">");
        String bare = bracketed ? octets.substring(1, octets.length() - 1) : octets;
        String text = new String(bare.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
        return new ReadPath(text, text);
    }
}
