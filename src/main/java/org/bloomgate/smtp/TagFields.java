package org.bloomgate.smtp;

import org.bloomgate.judge.Ruled;

/// The fields put on top of a message that is relayed although something was found or could not be found out. They
/// name the kind of finding and never what was found: the text of a message must not get into its header.
final class TagFields {
    private TagFields() {}

    /// Complete fields with CRLF.
    static String of(Ruled ruled, String token) {
        return "X-Bloomgate-Verdict: " + ruled.verdict().label() + "\r\nX-Bloomgate-Token: " + token
                + "\r\nX-Bloomgate-Reason: " + printable(ruled.reason()) + "\r\n"
                + (ruled.category().isEmpty() ? "" : "X-Bloomgate-Category: " + printable(ruled.category()) + "\r\n");
    }

    private static String printable(String reason) {
        String ascii = reason.replaceAll("[^ -~]", "?");
        return ascii.substring(0, Math.min(ascii.length(), 200));
    }
}
