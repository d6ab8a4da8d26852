package org.bloomgate.server.quarantine;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.bloomgate.core.smtp.ClientIdentity;
import org.bloomgate.core.smtp.RcptArguments;

/// The data stored with a message in the quarantine: its envelope, the reason, and how to deliver it.
///
/// @param client for the next hop at the release
/// @param mailFrom reverse-path without brackets, for display
/// @param mail arguments of MAIL for the next hop, one byte for each character
/// @param recipients those that have not got the message yet
/// @param verdict `listed` or `unresolved`
/// @param reason the rule that decided
/// @param from the From field of the message; `subject` likewise
/// @param feed of the listing that decided, with its category and the listed value; empty if none did
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
    /// @param address forward-path without brackets, for display
    /// @param rcpt arguments of RCPT for the next hop, one byte for each character
    public record Recipient(String address, String rcpt) {
        public static Recipient of(RcptArguments rcpt) {
            return new Recipient(rcpt.recipient().text(), rcpt.forwarded());
        }
    }

    public QuarantineEnvelope {
        Objects.requireNonNull(time, "time");
        Objects.requireNonNull(client, "client");
        recipients = List.copyOf(recipients);
    }

    /// The same with other recipients.
    QuarantineEnvelope withRecipients(List<Recipient> others) {
        return new QuarantineEnvelope(
                token, time, client, mailFrom, mail, others, verdict, reason, from, subject, feed, category, value);
    }
}
