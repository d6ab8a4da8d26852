package org.bloomgate.server.spool;

import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.decision.evaluation.DecisionDraft;
import org.bloomgate.decision.evaluation.Envelope;
import org.bloomgate.decision.evaluation.MessageEvaluation;
import org.bloomgate.decision.evaluation.ScanResult;
import org.bloomgate.decision.journal.Decision;
import org.bloomgate.decision.journal.DecisionJournal;
import org.bloomgate.decision.keyjournal.KeyJournal;
import org.bloomgate.decision.reports.ReportQueue;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.server.quarantine.QuarantineIntake;

/// The places where all listeners record messages. Thread-safe.
///
/// @param keys of delivered messages
/// @param reports receives what users report; empty for messages over HTTP, which are not read as reports
public record MailRecords(
        DecisionJournal journal,
        KeyJournal keys,
        MailMetrics metrics,
        QuarantineIntake quarantine,
        InstantSource clock,
        Optional<ReportQueue> reports) {
    /// The client in the journal if the request does not state one.
    private static final String NO_CLIENT = "http";

    /// The same with a queue for reports.
    public MailRecords withReports(ReportQueue queue) {
        return new MailRecords(journal, keys, metrics, quarantine, clock, Optional.of(queue));
    }

    /// Records a message evaluated over HTTP as if it had come by SMTP, for a client that enforces the result.
    ///
    /// @param result its evaluation must not be closed
    /// @param millis duration of the evaluation
    public void recordScanned(String token, Envelope envelope, ScanResult result, long sizeBytes, double millis) {
        MessageEvaluation evaluation = result.evaluation();
        DecisionDraft draft = createDraft(token, envelope, evaluation, sizeBytes);
        draft.recordDecision(result.decision(), "200");
        metrics.registerCounters(draft, new StageClock());
        if (result.enforced().isDelivered()) {
            recordDelivered(token, evaluation);
        } else if (result.enforced() == Action.DEFER) {
            evaluation.deferred(result.decision());
        }
        journal.record(draft.createDecision(clock.instant(), Map.of("scan", millis)));
    }

    /// Records that the recipients got a message: its keys and, if it is clean, its sender. Not for a report: what it
    /// contains was sent to nobody.
    ///
    /// @param evaluation must not be closed
    void recordDelivered(String token, MessageEvaluation evaluation) {
        if (evaluation.isOnlyReport()) {
            return;
        }
        evaluation.delivered();
        keys.begin().ifPresent(buffer -> {
            evaluation.remember(buffer);
            keys.record(token, clock.instant(), buffer);
        });
    }

    private static DecisionDraft createDraft(
            String token, Envelope envelope, MessageEvaluation evaluation, long sizeBytes) {
        DecisionDraft draft = new DecisionDraft(
                token,
                new Decision.Connection(
                        describeClient(envelope), envelope.caller().helo(), ""),
                envelope.mailFrom().orElse(""),
                evaluation);
        envelope.recipients().forEach(draft::addRecipient);
        draft.setSize(sizeBytes);
        return draft;
    }

    private static String describeClient(Envelope envelope) {
        return envelope.caller().address().isEmpty()
                ? NO_CLIENT
                : envelope.caller().addressText();
    }
}
