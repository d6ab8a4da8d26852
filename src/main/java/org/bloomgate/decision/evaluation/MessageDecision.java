package org.bloomgate.decision.evaluation;

import java.util.List;
import java.util.Set;
import org.bloomgate.decision.policy.Action;
import org.bloomgate.decision.policy.PolicyResult;
import org.bloomgate.lookup.lookup.Finding;
import org.bloomgate.lookup.lookup.LookupResult;
import org.bloomgate.lookup.lookup.Listing;
import org.bloomgate.lookup.lookup.Verdict;

/// What the judge says of one mail, whichever door it came through.
///
/// @param judgement of sender and message together
/// @param ruling of the policy for the recipients
/// @param enforced what is done: that of the ruling, or [Action#PASS] in shadow mode. With [RecipientSplit.Apart] it is what
///     is done for those who refuse
/// @param limits names of the limits that kept the message from being fully inspected
/// @param parting who gets it where the recipients' rulings differ
public record MessageDecision(LookupResult judgement, PolicyResult ruling, Action enforced, Set<String> limits, RecipientSplit parting) {

    public MessageDecision {
        limits = Set.copyOf(limits);
    }

    /// The same for all recipients.
    public MessageDecision(LookupResult judgement, PolicyResult ruling, Action enforced, Set<String> limits) {
        this(judgement, ruling, enforced, limits, RecipientSplit.NONE);
    }

    public Verdict.Word verdict() {
        return judgement.verdict().word();
    }

    /// What the policy says, in shadow mode too.
    public Action action() {
        return ruling.action();
    }

    /// The findings that led to the action.
    public List<Finding> because() {
        return ruling.because();
    }

    public String reason() {
        return ruling.reason();
    }

    /// The feed whose listing decided; empty when none did.
    public String feed() {
        return ruling.decisive().map(Listing::feed).orElse("");
    }

    /// The category of that listing; empty when none decided.
    public String category() {
        return ruling.decisive().map(Listing::category).orElse("");
    }

    /// The identifier that this listing speaks against; empty when none decided.
    public String value() {
        return ruling.decisive().map(this::valueOf).orElse("");
    }

    private String valueOf(Listing decisive) {
        return judgement.findings().stream()
                .filter(finding ->
                        finding.found() instanceof Verdict.Listed(var listings) && listings.contains(decisive))
                .map(finding -> finding.identifier().value())
                .findFirst()
                .orElseGet(() -> decisive.key().text());
    }
}
