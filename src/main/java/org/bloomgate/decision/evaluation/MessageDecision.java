package org.bloomgate.decision.evaluation;

import java.util.List;
import java.util.Set;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.decision.policy.PolicyResult;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.Finding;
import org.bloomgate.lookup.tier.Listing;
import org.bloomgate.lookup.tier.LookupResult;
import org.bloomgate.lookup.tier.Verdict;

/// The decision about one message, whichever listener received it.
///
/// @param lookupResult of sender and message together
/// @param result of the policy for the recipients
/// @param enforced the action that is carried out: the action of the result, or [Action#PASS] in shadow mode. With
///     [RecipientSplit.Apart] it is the action for the recipients that do not get the message
/// @param limits because of which the message is not fully inspected
/// @param split the recipients by their actions, if these differ
public record MessageDecision(
        LookupResult lookupResult, PolicyResult result, Action enforced, Set<Limit> limits, RecipientSplit split) {

    public MessageDecision {
        limits = Set.copyOf(limits);
    }

    /// A decision with one action for all recipients.
    public MessageDecision(LookupResult lookupResult, PolicyResult result, Action enforced, Set<Limit> limits) {
        this(lookupResult, result, enforced, limits, RecipientSplit.NONE);
    }

    public Verdict.Kind verdict() {
        return lookupResult.verdict().kind();
    }

    /// The action by policy, also in shadow mode.
    public Action action() {
        return result.action();
    }

    /// Whether both decisions have the same effect.
    boolean hasSameEffect(MessageDecision other) {
        return enforced == other.enforced
                && split.equals(other.split)
                && result.markSubject() == other.result.markSubject();
    }

    /// Returns this decision with a temporary error instead of a stricter action.
    MessageDecision withDeferral(String reasonSuffix) {
        return !enforced.isDelivered() && enforced != Action.DEFER ? deferred(reasonSuffix) : this;
    }

    /// Returns this decision with a temporary error instead of any other action.
    MessageDecision deferred(String reasonSuffix) {
        return new MessageDecision(lookupResult, result.withAction(Action.DEFER, reasonSuffix), Action.DEFER, limits);
    }

    /// The findings that led to the action.
    public List<Finding> findings() {
        return result.findings();
    }

    public String reason() {
        return result.reason();
    }

    /// The feed whose listing decided; empty when none did.
    public String feed() {
        return result.decisiveListing().map(Listing::feed).orElse("");
    }

    /// The category of the listing that decided; empty if none did.
    public String category() {
        return result.decisiveListing().map(Listing::category).orElse("");
    }

    /// The identifier that the deciding listing lists; empty if none decided.
    public String value() {
        return result.decisiveListing().map(this::findValue).orElse("");
    }

    private String findValue(Listing listing) {
        return lookupResult.findings().stream()
                .filter(finding ->
                        finding.found() instanceof Verdict.Listed(var listings) && listings.contains(listing))
                .map(finding -> finding.identifier().value())
                .findFirst()
                .orElseGet(() -> listing.key().text());
    }
}
