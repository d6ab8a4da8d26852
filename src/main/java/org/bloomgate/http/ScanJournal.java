package org.bloomgate.http;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.bloomgate.journal.DecisionJournal;
import org.bloomgate.judge.DecisionDraft;
import org.bloomgate.judge.Envelope;
import org.bloomgate.judge.Hearing;
import org.bloomgate.judge.Ruled;

/// The decisions on mail that came over HTTP. Thread-safe.
///
/// @param journal that keeps them
record ScanJournal(DecisionJournal journal, InstantSource clock) {
    /// Stands in the journal for a client that nobody named.
    private static final String NO_CLIENT = "http";

    /// @param said what the client was told
    void record(
            String token, Envelope envelope, Hearing hearing, Ruled ruled, long sizeBytes, Duration took, String said) {
        DecisionDraft draft = new DecisionDraft(
                token,
                new DecisionDraft.Party(
                        client(envelope),
                        envelope.caller().helo(),
                        "",
                        envelope.mailFrom().orElse("")),
                hearing);
        envelope.recipients().forEach(draft::recipient);
        draft.size(sizeBytes);
        draft.ruled(ruled, said);
        journal.record(draft.decision(clock.instant(), Map.of("scan", took.toNanos() / 1e6)));
    }

    static String client(Envelope envelope) {
        return envelope.caller().address().isEmpty()
                ? NO_CLIENT
                : envelope.caller().addressText();
    }
}
