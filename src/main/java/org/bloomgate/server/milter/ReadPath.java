package org.bloomgate.server.milter;

import java.nio.charset.StandardCharsets;
import org.bloomgate.core.smtp.PathReader;

/// A path of the envelope. The mail server has accepted it already, by a grammar that may be wider than ours: a
/// path that ours rejects is taken as it is.
///
/// @param text without brackets; empty for the null reverse-path
/// @param mailbox with a quoted local-part written out, as policy compares it
/// @param received the bytes that the mail server gave, one a character
/// @param sent the same in brackets and without a source route, as the argument of MAIL or RCPT
record ReadPath(String text, String mailbox, String received, String sent) {

    /// @param bytes one a character
    static ReadPath of(String bytes) {
        return PathReader.after("", bytes)
                .filter(found -> found.end() == bytes.length())
                .map(found -> new ReadPath(
                        found.path().text(),
                        found.path().mailbox(),
                        bytes,
                        found.path().toString()))
                .orElseGet(() -> asItStands(bytes));
    }

    private static ReadPath asItStands(String bytes) {
        boolean bracketed = bytes.startsWith("<") && bytes.endsWith(">");
        String bare = bracketed ? bytes.substring(1, bytes.length() - 1) : bytes;
        String text = new String(bare.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
        return new ReadPath(text, text, bytes, "<" + bare + ">");
    }
}
