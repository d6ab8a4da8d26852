package org.bloomgate.server.quarantine;

import java.time.Instant;
import java.util.List;

/// The summary of one message in the quarantine, from its envelope.
///
/// @param from the From field; `subject` likewise
/// @param feed of the listing that decided, with its category and the listed value; empty if none did
public record QuarantineSummary(
        String token,
        Instant time,
        String client,
        String mailFrom,
        List<String> recipients,
        String from,
        String subject,
        String verdict,
        String reason,
        String feed,
        String category,
        String value,
        long sizeBytes) {

    public static QuarantineSummary of(QuarantinedMessage message) {
        return message.envelope()
                .map(envelope -> of(message, envelope))
                .orElseGet(() -> new QuarantineSummary(
                        message.token(),
                        message.time(),
                        "",
                        "",
                        List.of(),
                        "",
                        "",
                        "",
                        "envelope lost",
                        "",
                        "",
                        "",
                        message.sizeBytes()));
    }

    private static QuarantineSummary of(QuarantinedMessage message, QuarantineEnvelope envelope) {
        return new QuarantineSummary(
                message.token(),
                message.time(),
                envelope.client().address(),
                envelope.mailFrom(),
                envelope.recipients().stream()
                        .map(QuarantineEnvelope.Recipient::address)
                        .toList(),
                envelope.from(),
                envelope.subject(),
                envelope.verdict(),
                envelope.reason(),
                envelope.feed(),
                envelope.category(),
                envelope.value(),
                message.sizeBytes());
    }
}
