package org.bloomgate.decision.reports;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The original message of a report, as far as it was found. Its texts are those of a stranger: texts that are longer
/// than [#MAX_TEXT] are cut, longer recipients and identifiers are left out.
///
/// @param subject empty if unknown
/// @param from the header From; empty if unknown
/// @param messageId without angle brackets; empty if unknown
/// @param token of the decision about it, of which the reporter is a recipient; empty if it was not found
/// @param date when it was delivered if it was found, otherwise the time of its Date field
/// @param recipients everyone who received it, as far as the journals know; at most [#MAX_RECIPIENTS]
/// @param identifiers that the reporter names; at most [#MAX_IDENTIFIERS]
public record ReportedMessage(
        String subject,
        String from,
        String messageId,
        Optional<String> token,
        Optional<Instant> date,
        List<String> recipients,
        List<ReportedIdentifier> identifiers) {
    static final int MAX_TEXT = 500;
    static final int MAX_RECIPIENTS = 100;
    static final int MAX_IDENTIFIERS = 200;

    public ReportedMessage {
        subject = cut(subject);
        from = cut(from);
        messageId = cut(messageId);
        recipients = recipients.stream()
                .filter(recipient -> recipient.length() <= MAX_TEXT)
                .limit(MAX_RECIPIENTS)
                .toList();
        identifiers = identifiers.stream()
                .filter(identifier -> identifier.key().text().length() <= MAX_TEXT)
                .limit(MAX_IDENTIFIERS)
                .toList();
    }

    private static String cut(String text) {
        return text.substring(0, Math.min(text.length(), MAX_TEXT));
    }
}
