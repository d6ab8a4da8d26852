package org.bloomgate.server.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.bloomgate.content.mime.MessagePreview;
import org.bloomgate.content.mime.MessagePreview.Attachment;
import org.bloomgate.decision.evaluation.Envelope;
import org.bloomgate.decision.evaluation.MessageScan;
import org.bloomgate.decision.evaluation.ScanResult;
import org.bloomgate.decision.memory.HistoryFacts;
import org.bloomgate.lookup.tier.Verdict;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.Problem;
import org.bloomgate.server.http.ProblemException;
import org.bloomgate.server.quarantine.DefangedText;
import org.bloomgate.server.quarantine.DefangedText.ListedValue;
import org.bloomgate.server.quarantine.QuarantineEnvelope;
import org.bloomgate.server.quarantine.QuarantineSummary;
import org.bloomgate.server.quarantine.QuarantinedMessage;

/// A message of the quarantine for a person to look at. No link in it works.
///
/// @param moreAttachments number of attachments that are not shown
/// @param identifiers that are currently listed, or could not be looked up
/// @param limits names of the limits that the inspection reached
/// @param history what was new to the memory of the site when it arrived, if its decision is still kept
record OpenedMessage(
        QuarantineSummary message,
        @JsonUnwrapped DefangedText text,
        List<Attachment> attachments,
        int moreAttachments,
        List<ScanResult.Identified> identifiers,
        List<String> limits,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Optional<HistoryFacts> history) {

    /// Each opening reads the message twice, and holds each header line, however long, in memory.
    static final int MAX_AT_ONCE = 2;

    /// For all callers of the process.
    private static final Semaphore PERMITS = new Semaphore(MAX_AT_ONCE);

    /// Inspects the message without DNS. Lookups are not counted, and no exception is noted as used.
    ///
    /// @throws ProblemException while [#MAX_AT_ONCE] other messages are being opened
    static OpenedMessage of(QuarantinedMessage message, MessageScan scan, Optional<HistoryFacts> history)
            throws IOException {
        if (!PERMITS.tryAcquire()) {
            throw new ProblemException(
                    Answer.problem(Problem.unavailable(MAX_AT_ONCE + " messages are being opened; try again"))
                            .with("Retry-After", "1"));
        }
        try {
            return inspect(message, scan.withoutDns().withoutTraces(), history);
        } finally {
            PERMITS.release();
        }
    }

    private static OpenedMessage inspect(QuarantinedMessage message, MessageScan scan, Optional<HistoryFacts> history)
            throws IOException {
        ScanResult result = scan.scan(message.token(), message::open, envelope(message));
        List<ScanResult.Identified> identifiers = result.identifiers().stream()
                .filter(identifier -> identifier.verdict() != Verdict.Kind.CLEAN)
                .toList();
        List<ListedValue> listed = identifiers.stream()
                .flatMap(identifier -> identifier.listings().stream()
                        .limit(1)
                        .map(listing -> new ListedValue(identifier.value(), listing.feed(), listing.category())))
                .toList();
        try (InputStream bytes = message.open()) {
            MessagePreview preview = MessagePreview.read(bytes);
            DefangedText text = DefangedText.of(preview.text(), listed);
            return new OpenedMessage(
                    QuarantineSummary.of(message),
                    new DefangedText(text.text(), text.marks(), text.complete() && preview.complete()),
                    preview.attachments(),
                    preview.moreAttachments(),
                    identifiers.stream().map(OpenedMessage::defanged).toList(),
                    result.limits(),
                    history);
        }
    }

    /// Sender and client, so that they are looked up too; none if an address cannot be parsed.
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

    private static ScanResult.Identified defanged(ScanResult.Identified identifier) {
        return new ScanResult.Identified(
                identifier.kind(),
                DefangedText.link(identifier.value()),
                identifier.where(),
                identifier.verdict(),
                identifier.listings());
    }
}
