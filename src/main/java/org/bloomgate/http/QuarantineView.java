package org.bloomgate.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.bloomgate.quarantine.QuarantineEnvelope;
import org.bloomgate.quarantine.Quarantined;

/// One message of the quarantine, by its envelope.
///
/// @param from the header From; `subject` likewise
/// @param feed whose listing put it there, with its category and the value that is listed; empty when none did
record QuarantineView(
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

    static final int MAX_TEXT_BYTES = 64 * 1024;

    /// A message with the beginning of its text, as it is kept; nothing in it does anything where text is shown.
    record Opened(QuarantineView message, String text, boolean complete) {
        static Opened of(Quarantined message) throws IOException {
            try (InputStream octets = message.open()) {
                byte[] start = octets.readNBytes(MAX_TEXT_BYTES);
                String text = new String(start, StandardCharsets.UTF_8).replaceAll("[\\p{Cntrl}&&[^\t\n]]", "");
                return new Opened(QuarantineView.of(message), text, message.sizeBytes() <= MAX_TEXT_BYTES);
            }
        }
    }

    static QuarantineView of(Quarantined message) {
        return message.envelope()
                .map(envelope -> of(message, envelope))
                .orElseGet(() -> new QuarantineView(
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

    private static QuarantineView of(Quarantined message, QuarantineEnvelope envelope) {
        return new QuarantineView(
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
