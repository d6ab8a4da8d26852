package org.bloomgate.decision.evaluation;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.bloomgate.content.links.MessageSummary;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.core.smtp.RefusedRecipient;
import org.bloomgate.decision.authentication.Authentication;
import org.bloomgate.decision.journal.Decision;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.LookupResult;
import org.bloomgate.lookup.tier.Verdict;

/// Gathers what becomes of a message until it ends, for the journal. Used by one thread.
public final class DecisionDraft {
    /// More refused recipients of one transaction are not noted.
    private static final int MAX_REFUSED = 50;

    private final String token;
    private final Decision.Connection connection;
    private final String mailFrom;
    private final MessageEvaluation evaluation;
    private final List<String> recipients = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();
    private long sizeBytes;
    private Optional<Action> action = Optional.empty();
    private Optional<Action> enforced = Optional.empty();
    private Optional<MessageDecision> decided = Optional.empty();
    private boolean lost;
    private String reply = "";
    private String nextHopReply = "";
    private String nextHopId = "";

    /// @param token that reply, log and journal share
    /// @param mailFrom reverse-path without brackets
    public DecisionDraft(String token, Decision.Connection connection, String mailFrom, MessageEvaluation evaluation) {
        this.token = token;
        this.connection = connection;
        this.mailFrom = mailFrom;
        this.evaluation = evaluation;
    }

    /// The reverse-path without brackets.
    public String mailFrom() {
        return mailFrom;
    }

    /// Notes a recipient that was accepted, or refused by policy.
    public void recipient(String path) {
        recipients.add(path);
    }

    /// Notes a recipient that was refused, though not by policy.
    public void refused(String path, String answer) {
        if (refused.size() < MAX_REFUSED) {
            refused.add(new RefusedRecipient(path, answer).text());
        }
        undecided(answer);
    }

    /// Notes a refusal that may be the last reply of the transaction.
    public void undecided(String answer) {
        reply = decided() ? reply : answer;
    }

    public void nextHop(String answer) {
        nextHopReply = answer;
    }

    /// The reply to the message, or the last refusal before it; empty without either.
    public String reply() {
        return reply;
    }

    /// Sets the queue id that the querying mail server gave the message.
    public void queueId(String id) {
        nextHopId = id;
    }

    /// How many were accepted, or refused by policy.
    public int recipients() {
        return recipients.size();
    }

    public void size(long bytes) {
        sizeBytes = bytes;
    }

    public void decided(MessageDecision by, String answer) {
        decided = Optional.of(by);
        action = Optional.of(by.action());
        enforced = Optional.of(by.enforced());
        reply = answer;
    }

    /// Records a message that was refused before policy applied.
    ///
    /// @param done [Action#REJECT] or [Action#DEFER]
    public void answered(Action done, String answer) {
        action = Optional.of(done);
        enforced = action;
        reply = answer;
    }

    /// The client was lost inside its message.
    public void lost() {
        lost = true;
        decided = Optional.empty();
        action = Optional.empty();
        enforced = Optional.empty();
        reply = "";
    }

    /// False when the transaction ended before there was anything to decide.
    private boolean decided() {
        return action.isPresent();
    }

    public Verdict.Word verdict() {
        return evaluation.lookupResult().verdict().word();
    }

    /// The action that was enforced; empty if nothing was decided.
    public Optional<Action> enforced() {
        return enforced;
    }

    /// The action that shadow mode kept from being enforced.
    public Optional<Action> shadowed() {
        return action.filter(said -> !said.equals(enforced.orElse(said)));
    }

    /// The authentication of the sender; empty if it was not needed.
    public Optional<Authentication> authentication() {
        return evaluation.authentication();
    }

    public long sizeBytes() {
        return sizeBytes;
    }

    /// @param millis milliseconds by stage
    public Decision decision(Instant now, Map<String, Double> millis) {
        LookupResult lookup = evaluation.lookupResult();
        MessageSummary heading = evaluation.heading();
        return new Decision(
                now,
                token,
                connection,
                new Decision.Envelope(mailFrom, recipients, refused),
                new Decision.Content(
                        new Decision.Heading(heading.messageId(), heading.subject(), heading.from()),
                        sizeBytes,
                        new Decision.Lookup(
                                lookup.keys(),
                                lookup.suspects(),
                                RecordedFindings.of(lookup),
                                Limit.labels(evaluation.limits()),
                                lookup.filters()),
                        evaluation.notes()),
                new Decision.Outcome(
                        verdict().label(),
                        word(action),
                        word(enforced),
                        feed(),
                        category(),
                        decided.map(MessageDecision::value).orElse(""),
                        would()),
                new Decision.Processing(
                        reply,
                        nextHopReply,
                        nextHopId.isEmpty() ? QueueId.in(nextHopReply) : nextHopId,
                        evaluation.generations(),
                        millis,
                        evaluation.authentication()));
    }

    /// The feed whose listing decided; empty when none did.
    public String feed() {
        return decided.map(MessageDecision::feed).orElse("");
    }

    /// The category of that listing; empty when none decided.
    public String category() {
        return decided.map(MessageDecision::category).orElse("");
    }

    /// The action that each feed in shadow mode would have caused, by name.
    public Map<String, String> would() {
        Map<String, String> would = new TreeMap<>();
        decided.ifPresent(by -> by.result().would().forEach((feed, done) -> would.put(feed, done.label())));
        return would;
    }

    private String word(Optional<Action> of) {
        return of.map(Action::label).orElse(lost ? Decision.LOST : Decision.NONE);
    }
}
