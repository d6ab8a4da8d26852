package org.bloomgate.server.api;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import org.bloomgate.content.mime.MessagePreview;
import org.bloomgate.content.mime.MessagePreview.Attachment;
import org.bloomgate.decision.evaluation.Envelope;
import org.bloomgate.decision.evaluation.MessageScan;
import org.bloomgate.decision.evaluation.ScanResult;
import org.bloomgate.lookup.lookup.Verdict;
import org.bloomgate.server.quarantine.DefangedText;
import org.bloomgate.server.quarantine.DefangedText.ListedValue;
import org.bloomgate.server.quarantine.QuarantineEnvelope;
import org.bloomgate.server.quarantine.QuarantineSummary;
import org.bloomgate.server.quarantine.QuarantinedMessage;

/// A message of the quarantine for a person to look at. No link in it works.
///
/// @param complete false when the text was cut
/// @param marks pieces of the text that contain something listed
/// @param moreAttachments those that are not shown
/// @param identifiers that are listed now, or could not be looked up
/// @param limits names of the limits that the inspection reached
record OpenedMessage(
        QuarantineSummary message,
        String text,
        boolean complete,
        List<DefangedText.Mark> marks,
        List<Attachment> attachments,
        int moreAttachments,
        List<ScanResult.Identified> identifiers,
        List<String> limits) {

    /// @param scan that queries no DNS
    static OpenedMessage of(QuarantinedMessage message, MessageScan scan) throws IOException {
        ScanResult result = scan.scan(message.token(), message::open, envelope(message));
        List<ScanResult.Identified> identifiers = result.identifiers().stream()
                .filter(one -> one.verdict() != Verdict.Word.CLEAN)
                .toList();
        List<ListedValue> listed = identifiers.stream()
                .flatMap(one -> one.listings().stream()
                        .limit(1)
                        .map(by -> new ListedValue(one.value(), by.feed(), by.category())))
                .toList();
        try (InputStream bytes = message.open()) {
            MessagePreview preview = MessagePreview.of(bytes);
            DefangedText text = DefangedText.of(preview.text(), listed);
            return new OpenedMessage(
                    QuarantineSummary.of(message),
                    text.text(),
                    text.complete() && preview.complete(),
                    text.marks(),
                    preview.attachments(),
                    preview.moreAttachments(),
                    identifiers.stream().map(OpenedMessage::harmless).toList(),
                    result.limits());
        }
    }

    /// What people wrote is asked about again; what cannot be asked about is left out.
    private static Envelope envelope(QuarantinedMessage message) {
        try {
            return Envelope.of(
                    message.envelope().map(QuarantineEnvelope::mailFrom),
                    List.of(),
                    message.envelope().map(known -> known.client().address()).filter(address -> !address.isEmpty()),
                    Optional.empty());
        } catch (IllegalArgumentException noAddress) {
            return Envelope.NONE;
        }
    }

    private static ScanResult.Identified harmless(ScanResult.Identified one) {
        return new ScanResult.Identified(
                one.kind(), DefangedText.link(one.value()), one.where(), one.verdict(), one.listings());
    }
}
