package org.bloomgate.decision.evaluation;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.bloomgate.content.links.MessageSummary;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.core.smtp.RefusedRecipient;
import org.bloomgate.decision.authentication.Authentication;
import org.bloomgate.decision.journal.Decision;
import org.bloomgate.decision.policy.Signal;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.LookupResult;
import org.bloomgate.lookup.tier.Verdict;

/// Collects the facts of one transaction for its decision in the journal. Used by one thread.
public final class DecisionDraft {
    /// The most rejected recipients of one transaction that are recorded.
    private static final int MAX_REJECTED = 50;

    private final String token;
    private final Decision.Connection connection;
    private final String mailFrom;
    private final MessageEvaluation evaluation;
    private final List<String> recipients = new ArrayList<>();
    private final List<String> rejected = new ArrayList<>();
    private long sizeBytes;
    private Optional<Action> action = Optional.empty();
    private Optional<Action> enforced = Optional.empty();
    private Optional<MessageDecision> decision = Optional.empty();
    private boolean isLost;
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

    /// Adds a recipient that was accepted, or rejected by policy.
    public void addRecipient(String path) {
        recipients.add(path);
    }

    /// Adds a recipient that was rejected for another reason than policy.
    public void addRejected(String path, String answer) {
        if (rejected.size() < MAX_REJECTED) {
            rejected.add(new RefusedRecipient(path, answer).text());
        }
        recordRejection(answer);
    }

    /// Records a rejection before the decision, which may be the last reply of the transaction.
    public void recordRejection(String answer) {
        reply = isDecided() ? reply : answer;
    }

    /// Records a reply of the next hop.
    public void recordNextHopReply(String answer) {
        nextHopReply = answer;
    }

    /// The reply to the message, or the last rejection before it; empty without either.
    public String reply() {
        return reply;
    }

    /// Sets the queue identifier that the mail server gave the message.
    public void setQueueId(String id) {
        nextHopId = id;
    }

    /// The number of recipients that were accepted, or rejected by policy.
    public int recipients() {
        return recipients.size();
    }

    public void setSize(long bytes) {
        sizeBytes = bytes;
    }

    /// Records the decision of the policy.
    ///
    /// @param answer reply to the message
    public void recordDecision(MessageDecision policyDecision, String answer) {
        decision = Optional.of(policyDecision);
        action = Optional.of(policyDecision.action());
        enforced = Optional.of(policyDecision.enforced());
        reply = answer;
    }

    /// Records a message that was rejected or deferred without the policy.
    ///
    /// @param effect [Action#REJECT] or [Action#DEFER]
    public void recordReply(Action effect, String answer) {
        action = Optional.of(effect);
        enforced = action;
        reply = answer;
    }

    /// Records that the connection was lost during the message.
    public void recordLoss() {
        isLost = true;
        decision = Optional.empty();
        action = Optional.empty();
        enforced = Optional.empty();
        reply = "";
    }

    /// False when the transaction ended before there was anything to decide.
    private boolean isDecided() {
        return action.isPresent();
    }

    public Verdict.Kind verdict() {
        return evaluation.lookupResult().verdict().kind();
    }

    /// The action that was enforced; empty if nothing was decided.
    public Optional<Action> enforced() {
        return enforced;
    }

    /// Returns the action that shadow mode prevented; empty if it prevented none.
    public Optional<Action> findShadowAction() {
        return action.filter(decided -> !decided.equals(enforced.orElse(decided)));
    }

    /// The authentication of the sender; empty if it was not needed.
    public Optional<Authentication> authentication() {
        return evaluation.authentication();
    }

    /// What is new in the message to the memory of the site, as the policy knows it.
    public Set<Signal> signals() {
        return evaluation.signals();
    }

    public long sizeBytes() {
        return sizeBytes;
    }

    /// @param millis milliseconds by stage
    public Decision createDecision(Instant now, Map<String, Double> millis) {
        LookupResult lookup = evaluation.lookupResult();
        MessageSummary heading = evaluation.heading();
        return new Decision(
                now,
                token,
                connection,
                new Decision.Envelope(mailFrom, recipients, rejected),
                new Decision.Content(
                        new Decision.Heading(heading.messageId(), heading.subject(), heading.from()),
                        sizeBytes,
                        new Decision.Lookup(
                                lookup.keys(),
                                lookup.suspects(),
                                RecordedFindings.of(lookup),
                                Limit.labels(evaluation.limits()),
                                lookup.filters()),
                        evaluation.notes(),
                        evaluation.facts().toOptional()),
                new Decision.Outcome(
                        verdict().label(),
                        label(action),
                        label(enforced),
                        feed(),
                        category(),
                        decision.map(MessageDecision::value).orElse(""),
                        findShadowActions()),
                new Decision.Processing(
                        reply,
                        nextHopReply,
                        nextHopId.isEmpty() ? QueueId.find(nextHopReply) : nextHopId,
                        evaluation.generations(),
                        millis,
                        evaluation.authentication()));
    }

    /// The feed whose listing decided; empty when none did.
    public String feed() {
        return decision.map(MessageDecision::feed).orElse("");
    }

    /// The category of the listing that decided; empty if none did.
    public String category() {
        return decision.map(MessageDecision::category).orElse("");
    }

    /// Returns the action that each feed in shadow mode would have caused, by name of the feed.
    public Map<String, String> findShadowActions() {
        Map<String, String> shadowActions = new TreeMap<>();
        decision.ifPresent(policyDecision -> policyDecision
                .result()
                .shadowActions()
                .forEach((feed, shadowAction) -> shadowActions.put(feed, shadowAction.label())));
        return shadowActions;
    }

    private String label(Optional<Action> known) {
        return known.map(Action::label).orElse(isLost ? Decision.LOST : Decision.NONE);
    }
}
