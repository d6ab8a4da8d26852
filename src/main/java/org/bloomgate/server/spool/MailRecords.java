package org.bloomgate.server.spool;

import java.time.InstantSource;
import java.util.Map;
import org.bloomgate.decision.evaluation.DecisionDraft;
import org.bloomgate.decision.evaluation.Envelope;
import org.bloomgate.decision.evaluation.MessageEvaluation;
import org.bloomgate.decision.journal.DecisionJournal;
import org.bloomgate.decision.keyjournal.KeyJournal;

/// Where every message is recorded, whichever listener received it. Thread-safe.
///
/// @param keys of messages that were let through
public record MailRecords(DecisionJournal journal, KeyJournal keys, MailMetrics metrics, InstantSource clock) {
    /// In the journal: a client that was not named.
    private static final String NO_CLIENT = "http";

    /// The draft of a decision on a message that came over HTTP.
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

    /// Records a decision.
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
