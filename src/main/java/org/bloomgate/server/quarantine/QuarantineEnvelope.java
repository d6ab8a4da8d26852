package org.bloomgate.server.quarantine;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.bloomgate.core.smtp.ClientIdentity;
import org.bloomgate.core.smtp.RcptArguments;

/// The data stored with a message in the quarantine: its envelope, the reason, and how to deliver it.
///
/// @param client as passed to the next hop at the release
/// @param mailFrom reverse-path without brackets, for people
/// @param mail arguments of MAIL as they go out, one byte a character
/// @param recipients who have not got the message yet
/// @param verdict `listed` or `unresolved`
/// @param reason the rule that decided
/// @param from header From of the message; `subject` likewise
/// @param feed whose listing decided, with its category and the value it speaks against; empty when none did
public record QuarantineEnvelope(
        String token,
        Instant time,
        ClientIdentity client,
        String mailFrom,
        String mail,
        List<Recipient> recipients,
        String verdict,
        String reason,
        String from,
        String subject,
        String feed,
        String category,
        String value) {

    /// One recipient.
    ///
    /// @param address forward-path without brackets, for people
    /// @param rcpt arguments of RCPT as they go out, one byte a character
    public record Recipient(String address, String rcpt) {
        public static Recipient of(RcptArguments accepted) {
            return new Recipient(accepted.recipient().text(), accepted.forwarded());
        }
    }

    public QuarantineEnvelope {
        Objects.requireNonNull(time, "time");
        Objects.requireNonNull(client, "client");
        recipients = List.copyOf(recipients);
    }

    /// The same with fewer recipients, or others.
    QuarantineEnvelope to(List<Recipient> others) {
        return new QuarantineEnvelope(
                token, time, client, mailFrom, mail, others, verdict, reason, from, subject, feed, category, value);
    }
}
