package org.bloomgate.smtp;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.bloomgate.envelope.MailArguments;
import org.bloomgate.envelope.MailPath;
import org.bloomgate.envelope.Reply;
import org.bloomgate.journal.Decision;
import org.bloomgate.lookup.Judgement;
import org.bloomgate.lookup.Layer;
import org.bloomgate.lookup.LayerLease;
import org.bloomgate.policy.Action;
import org.bloomgate.verdict.Verdict;

/// Gathers what a transaction came to until it ends.
final class DecisionDraft {
    /// More refused recipients of one transaction are not noted.
    private static final int MAX_REFUSED = 50;

    private final String token;
    private final Client client;
    private final MailArguments mail;
    private final String snapshot;
    private final List<String> recipients = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();
    private Judgement judgement = Judgement.NOTHING;
    private Set<String> limits = Set.of();
    private long sizeBytes;
    private String action = Decision.NONE;
    private String shadow = "";
    private String reply = "";
    private String nextHopReply = "";
    private boolean decided;

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

    /// Notes a recipient that was refused, though not by policy.
    void refused(MailPath recipient, Reply answer) {
        if (refused.size() < MAX_REFUSED) {
            refused.add(recipient.text() + ": " + answer.text());
        }
        undecided(answer);
    }

    /// Notes a refusal that may be the last reply of the transaction.
    void undecided(Reply answer) {
        reply = decided ? reply : answer.text();
    }

    void nextHop(Reply answer) {
        nextHopReply = answer.text();
    }

    /// How many were accepted, or refused by policy.
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

    /// `clean`, `listed` or `unresolved`; without a snapshot nothing is clean.
    String verdict() {
        Verdict verdict = judgement.verdict();
        boolean unasked = snapshot.isEmpty() && verdict instanceof Verdict.Clean;
        return unasked ? new Verdict.Unresolved("no snapshot", Set.of()).word() : verdict.word();
    }

    void ruled(Action done, Reply answer) {
        action = done.label();
        reply = answer.text();
        decided = true;
    }

    /// What would have been done, were it not for shadow mode.
    void shadow(Action instead) {
        shadow = instead.label();
    }

    /// For a message that was refused before policy was asked.
    void answered(Reply answer) {
        action = (answer.code() / 100 == 5 ? Action.REJECT : Action.DEFER).label();
        reply = answer.text();
        decided = true;
    }

    /// The client was lost inside its message.
    void lost() {
        action = Decision.LOST;
        reply = "";
    }

    /// False when the transaction ended before there was anything to decide.
    boolean decided() {
        return decided;
    }

    Decision decision(Instant now, StageClock clock) {
        return new Decision(
                now,
                token,
                client.addressText(),
                client.heloText(),
                client.tls(),
                mail.sender().text(),
                recipients,
                refused,
                sizeBytes,
                judgement.keys(),
                judgement.suspects(),
                Decision.Found.in(judgement),
                limits.stream().sorted().toList(),
                verdict(),
                action,
                shadow,
                reply,
                nextHopReply,
                snapshot,
                clock.millis());
    }
}
