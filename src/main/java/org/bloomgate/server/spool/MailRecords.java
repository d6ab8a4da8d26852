package org.bloomgate.server.spool;

import java.time.InstantSource;
import java.util.Map;
import org.bloomgate.decision.evaluation.DecisionDraft;
import org.bloomgate.decision.evaluation.Envelope;
import org.bloomgate.decision.evaluation.MessageEvaluation;
import org.bloomgate.decision.journal.DecisionJournal;
import org.bloomgate.decision.keyjournal.KeyJournal;

/// What is kept of mail that came over HTTP. Thread-safe.
///
/// @param keys of mail that goes on
/// @param metrics of mail that is on its way
public record MailRecords(DecisionJournal journal, KeyJournal keys, MailMetrics metrics, InstantSource clock) {
    /// Stands in the journal for a client that nobody named.
    private static final String NO_CLIENT = "http";

    /// A decision to be, with what is known before the mail is evaluated.
    public static DecisionDraft draft(String token, Envelope envelope, MessageEvaluation evaluation, long sizeBytes) {
        DecisionDraft draft = new DecisionDraft(
                token,
                new DecisionDraft.Party(
                        client(envelope),
                        envelope.caller().helo(),
                        "",
                        envelope.mailFrom().orElse("")),
                evaluation);
        envelope.recipients().forEach(draft::recipient);
        draft.size(sizeBytes);
        return draft;
    }

    /// Takes a decision to the journal.
    ///
    /// @param millis milliseconds by stage
    public void decided(DecisionDraft draft, Map<String, Double> millis) {
        journal.record(draft.decision(clock.instant(), millis));
    }

    public static String client(Envelope envelope) {
        return envelope.caller().address().isEmpty()
                ? NO_CLIENT
                : envelope.caller().addressText();
    }
}
