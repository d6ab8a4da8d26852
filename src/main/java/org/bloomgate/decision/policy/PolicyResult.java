package org.bloomgate.decision.policy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.Finding;
import org.bloomgate.lookup.tier.Listing;

/// The result of policy: first of a finding, then combined for a recipient, then for a message.
///
/// @param findings the findings that led to the action, empty when it is [Action#PASS] or comes from a fact that is
///     not a finding
/// @param decisiveListing the listing that decided, also if the action is [Action#PASS]; empty if none did
/// @param reason one line for the log: the rule that decided
/// @param markSubject whether the subject of a tagged message is marked: not if all its listings are of categories
///     that never cause a rejection
/// @param shadowActions the action that each feed in shadow mode would have caused, by the name of the feed
public record PolicyResult(
        Action action,
        List<Finding> findings,
        Optional<Listing> decisiveListing,
        String reason,
        boolean markSubject,
        Map<String, Action> shadowActions) {

    public static final PolicyResult PASS = new PolicyResult(Action.PASS, List.of(), "nothing found");

    public PolicyResult {
        findings = List.copyOf(findings);
        shadowActions = Map.copyOf(shadowActions);
    }

    /// A result that no single listing decided.
    public PolicyResult(Action action, List<Finding> findings, String reason) {
        this(action, findings, Optional.empty(), reason, action != Action.PASS, Map.of());
    }

    /// Returns the stricter result, with the shadow actions of both. If both accept the message, returns the one with
    /// a listing.
    public PolicyResult takeStricter(PolicyResult other) {
        boolean onlyOtherHasListing =
                action == Action.PASS && decisiveListing.isEmpty() && other.decisiveListing.isPresent();
        PolicyResult stricter = other.action.compareTo(action) > 0 || onlyOtherHasListing ? other : this;
        boolean mark = stricter.markSubject || (action == other.action && other.markSubject);
        return mark == stricter.markSubject && shadowActions.isEmpty() && other.shadowActions.isEmpty()
                ? stricter
                : stricter.withMark(mark, mergeActions(shadowActions, other.shadowActions));
    }

    private PolicyResult withMark(boolean isMarked, Map<String, Action> actions) {
        return new PolicyResult(action, findings, decisiveListing, reason, isMarked, actions);
    }

    private static Map<String, Action> mergeActions(Map<String, Action> one, Map<String, Action> other) {
        Map<String, Action> merged = new TreeMap<>(one);
        other.forEach((feed, action) -> merged.merge(feed, action, Action::atLeast));
        return merged;
    }

    /// Returns this result with another action.
    public PolicyResult withAction(Action newAction, String reasonSuffix) {
        return new PolicyResult(
                newAction, findings, decisiveListing, reason + reasonSuffix, markSubject, shadowActions);
    }

    /// Returns this result with its action and its shadow actions capped at `cap`.
    PolicyResult withActionCappedAt(Action cap, String reasonSuffix) {
        Map<String, Action> cappedActions = new TreeMap<>(shadowActions);
        cappedActions.replaceAll((_, action) -> action.atMost(cap));
        return action.isHarderThan(cap)
                ? new PolicyResult(cap, findings, decisiveListing, reason + reasonSuffix, markSubject, cappedActions)
                : withMark(markSubject, cappedActions);
    }

    /// The result for two recipients of one message: the milder of both, but at least a tag if they differ. A rule
    /// of one recipient thus cannot block the message for another, but both receive it tagged.
    public PolicyResult combineRecipients(PolicyResult other) {
        boolean isMilder = action.compareTo(other.action) <= 0;
        PolicyResult mildest = isMilder ? this : other;
        PolicyResult strictest = isMilder ? other : this;
        Map<String, Action> mergedActions = mergeActions(shadowActions, other.shadowActions);
        return mildest.action == Action.PASS && strictest.action != Action.PASS
                ? new PolicyResult(
                        Action.TAG,
                        strictest.findings,
                        strictest.decisiveListing,
                        strictest.reason + ", recipients differ",
                        strictest.markSubject,
                        mergedActions)
                : mildest.withMark(mildest.markSubject, mergedActions);
    }
}
