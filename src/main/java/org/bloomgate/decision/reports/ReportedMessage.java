package org.bloomgate.decision.reports;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The original message that somebody reports, as far as it was found. Texts are those of a stranger; they are cut to
/// [ReportStore#MAX_TEXT] characters when they are stored.
///
/// @param subject empty if unknown
/// @param from the header From; empty if unknown
/// @param messageId without angle brackets; empty if unknown
/// @param token of the decision about it, of which the reporter is a recipient; empty if it was not found
/// @param date when it was delivered if it was found, else what its Date field says
/// @param recipients who else received it, as far as the journals know
/// @param identifiers that the reporter names
public record ReportedMessage(
        String subject,
        String from,
        String messageId,
        Optional<String> token,
        Optional<Instant> date,
        List<String> recipients,
        List<ReportedIdentifier> identifiers) {
    public ReportedMessage {
        recipients = List.copyOf(recipients);
        identifiers = List.copyOf(identifiers);
    }
}
