package org.bloomgate.smtp;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.bloomgate.journal.Decision;
import org.bloomgate.lookup.Judgement;
import org.bloomgate.lookup.Layer;
import org.bloomgate.lookup.LayerLease;
import org.bloomgate.policy.Action;
import org.bloomgate.policy.Ruling;
import org.bloomgate.verdict.Verdict;

/// Gathers what a transaction came to until it ends.
final class DecisionDraft {
    private final String token;
    private final Client client;
    private final MailArguments mail;
    private final String snapshot;
    private final List<String> recipients = new ArrayList<>();
    private Judgement judgement = Judgement.NOTHING;
    private Set<String> limits = Set.of();
    private long sizeBytes;
    private String action = Action.PASS.label();
    private String reply = "";

    DecisionDraft(String token, Client client, MailArguments mail, LayerLease lease) {
        this.token = token;
        this.client = client;
        this.mail = mail;
        this.snapshot = lease.layers().stream().map(Layer::generation).sorted().collect(Collectors.joining(" "));
    }

    /// Notes a recipient that was accepted, or refused by policy.
    void recipient(MailPath recipient) {
        recipients.add(recipient.text());
    }

    /// How many were noted.
    int recipients() {
        return recipients.size();
    }

    void size(long bytes) {
        sizeBytes = bytes;
    }

    void limits(Set<String> names) {
        limits = names;
    }

    /// Adds to what was judged so far.
    void judged(Judgement more) {
        judgement = judgement.and(more);
    }

    Judgement judgement() {
        return judgement;
    }

    /// `clean`, `listed` or `unresolved`; without a snapshot nothing could be asked.
    String verdict() {
        Verdict verdict = snapshot.isEmpty() ? new Verdict.Unresolved("no snapshot", Set.of()) : judgement.verdict();
        return verdict.word();
    }

    void ruled(Ruling ruling, Reply answer) {
        action = ruling.action().label();
        reply = text(answer);
    }

    /// For a message that was refused before policy was asked.
    void answered(Reply answer) {
        action = (answer.code() / 100 == 5 ? Action.REJECT : Action.DEFER).label();
        reply = text(answer);
    }

    private static String text(Reply answer) {
        return answer.code() + " " + String.join(" / ", answer.lines());
    }

    /// Empty when nothing was answered but lock-step replies of the next hop: there is nothing to explain.
    Optional<Decision> decision(Instant now, StageClock clock) {
        return reply.isEmpty()
                ? Optional.empty()
                : Optional.of(new Decision(
                        now,
                        token,
                        client.addressText(),
                        client.helo(),
                        client.tls(),
                        mail.sender().text(),
                        recipients,
                        sizeBytes,
                        judgement.keys(),
                        judgement.suspects(),
                        Decision.Found.in(judgement),
                        limits.stream().sorted().toList(),
                        verdict(),
                        action,
                        reply,
                        snapshot,
                        clock.millis()));
    }
}
