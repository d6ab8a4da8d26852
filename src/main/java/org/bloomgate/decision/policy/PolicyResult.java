package org.bloomgate.decision.policy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.Finding;
import org.bloomgate.lookup.tier.Listing;

/// The result of policy for one message and one recipient.
///
/// @param because the findings that led to the action, empty when it is [Action#PASS] or comes from a fact that is
///     not a finding
/// @param decisive the listing that decided, also if the action is [Action#PASS]; empty if none did
/// @param reason one line for the log: the rule that decided
/// @param marked whether the subject of a tagged message is marked: not if all its listings are of categories
///     that never cause a rejection
/// @param would action that each feed in shadow mode would have caused, by the name of the feed
public record PolicyResult(
        Action action,
        List<Finding> because,
        Optional<Listing> decisive,
        String reason,
        boolean marked,
        Map<String, Action> would) {

    public static final PolicyResult PASS = new PolicyResult(Action.PASS, List.of(), "nothing found");

    public PolicyResult {
        because = List.copyOf(because);
        would = Map.copyOf(would);
    }

    /// A result that no single listing decided.
    public PolicyResult(Action action, List<Finding> because, String reason) {
        this(action, because, Optional.empty(), reason, action != Action.PASS, Map.of());
    }

    /// Returns the stricter result, with the shadow actions of both. If both accept the message, returns the one with
    /// a listing.
    public PolicyResult or(PolicyResult other) {
        boolean onlyOtherHasListing = action == Action.PASS && decisive.isEmpty() && other.decisive.isPresent();
        PolicyResult stricter = other.action.compareTo(action) > 0 || onlyOtherHasListing ? other : this;
        boolean mark = stricter.marked || (action == other.action && other.marked);
        return mark == stricter.marked && would.isEmpty() && other.would.isEmpty()
                ? stricter
                : stricter.with(mark, both(would, other.would));
    }

    private PolicyResult with(boolean mark, Map<String, Action> shadowActions) {
        return new PolicyResult(action, because, decisive, reason, mark, shadowActions);
    }

    private static Map<String, Action> both(Map<String, Action> one, Map<String, Action> other) {
        Map<String, Action> both = new TreeMap<>(one);
        other.forEach((feed, action) -> both.merge(feed, action, Action::atLeast));
        return both;
    }

    /// The same with another action.
    public PolicyResult as(Action other, String why) {
        return new PolicyResult(other, because, decisive, reason + why, marked, would);
    }

    /// The same with an action that is at most this one.
    PolicyResult softened(Action cap, String why) {
        Map<String, Action> shadowActions = new TreeMap<>(would);
        shadowActions.replaceAll((_, action) -> action.atMost(cap));
        return action.isHarderThan(cap)
                ? new PolicyResult(cap, because, decisive, reason + why, marked, shadowActions)
                : with(marked, shadowActions);
    }

    /// The result for two recipients of one message: the milder of both, but at least a tag if they differ. So the
    /// rule of one recipient does not keep mail from another, and no recipient gets it untagged.
    public PolicyResult shared(PolicyResult other) {
        boolean milder = action.compareTo(other.action) <= 0;
        PolicyResult mildest = milder ? this : other;
        PolicyResult strictest = milder ? other : this;
        Map<String, Action> shadowActions = both(would, other.would);
        return mildest.action == Action.PASS && strictest.action != Action.PASS
                ? new PolicyResult(
                        Action.TAG,
                        strictest.because,
                        strictest.decisive,
                        strictest.reason + ", recipients differ",
                        strictest.marked,
                        shadowActions)
                : mildest.with(mildest.marked, shadowActions);
    }
}
