package org.bloomgate.hook;

import org.bloomgate.judge.Envelope;

/// What a mail server asks about at one stage of a mail.
///
/// @param dialect that it speaks and is answered in
/// @param stage in lower case: `connect`, `ehlo`, `auth`, `mail`, `rcpt`, `data` or one of later
/// @param message empty before `data`
record HookMail(Dialect dialect, String stage, Envelope envelope, HookMessage message) {
    private static final String WITH_MESSAGE = "data";

    /// Two forms of one thing, told apart by the request.
    enum Dialect {
        /// draft-degennaro-mta-hooks-02: the message in Base64, the answer as edits.
        DRAFT,
        /// Stalwart's own hooks of before: header fields and body apart, as text.
        STALWART
    }

    /// Before that there is nothing to rule on: what SMTP answers at RCPT is answered then as well.
    boolean isWhole() {
        return stage.equals(WITH_MESSAGE);
    }
}
