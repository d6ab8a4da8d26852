package org.bloomgate.server.milter;

import java.nio.charset.StandardCharsets;
import org.bloomgate.core.smtp.PathReader;

/// A path of the envelope. The mail server has accepted it already, by a syntax that may be wider than ours: a
/// path that ours rejects is used verbatim.
///
/// @param text without brackets; empty for the null reverse-path
/// @param mailbox with a quoted local-part written out, as policy compares it
/// @param received the bytes from the mail server, one for each character
/// @param sent the same in brackets and without a source route, as the argument of MAIL or RCPT
record EnvelopePath(String text, String mailbox, String received, String sent) {

    /// @param bytes one for each character
    static EnvelopePath of(String bytes) {
        return PathReader.after("", bytes)
                .filter(parsed -> parsed.end() == bytes.length())
                .map(parsed -> new EnvelopePath(
                        parsed.path().text(),
                        parsed.path().mailbox(),
                        bytes,
                        parsed.path().toString()))
                .orElseGet(() -> verbatim(bytes));
    }

    private static EnvelopePath verbatim(String bytes) {
        boolean bracketed = bytes.startsWith("<") && bytes.endsWith(">");
        String withoutBrackets = bracketed ? bytes.substring(1, bytes.length() - 1) : bytes;
        String text = new String(withoutBrackets.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
        return new EnvelopePath(text, text, bytes, "<" + withoutBrackets + ">");
    }
}
