package org.bloomgate.server.milter;

import java.nio.charset.StandardCharsets;
import org.bloomgate.core.smtp.PathReader;

/// A path of the envelope. The mail server has already accepted it, possibly by a wider syntax than that of
/// [PathReader]: a path that PathReader rejects is used verbatim.
///
/// @param text without brackets; empty for the null reverse-path
/// @param mailbox the address with its local-part unquoted, as policy compares it
/// @param received the bytes from the mail server, one for each character
/// @param sent the path in brackets and without a source route, as the argument of MAIL or RCPT
record EnvelopePath(String text, String mailbox, String received, String sent) {

    /// @param bytes one for each character
    static EnvelopePath parse(String bytes) {
        return PathReader.after("", bytes)
                .filter(parsed -> parsed.end() == bytes.length())
                .map(parsed -> new EnvelopePath(
                        parsed.path().text(),
                        parsed.path().mailbox(),
                        bytes,
                        parsed.path().toString()))
                .orElseGet(() -> takeVerbatim(bytes));
    }

    private static EnvelopePath takeVerbatim(String bytes) {
        boolean isBracketed = bytes.startsWith("<") && bytes.endsWith(">");
        String withoutBrackets = isBracketed ? bytes.substring(1, bytes.length() - 1) : bytes;
        String text = new String(withoutBrackets.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
        return new EnvelopePath(text, text, bytes, "<" + withoutBrackets + ">");
    }
}
