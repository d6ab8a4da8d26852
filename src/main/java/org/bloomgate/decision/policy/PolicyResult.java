package org.bloomgate.decision.policy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.bloomgate.lookup.lookup.Action;
import org.bloomgate.lookup.lookup.Finding;
import org.bloomgate.lookup.lookup.Listing;

/// The result of policy for one message and one recipient.
///
/// @param because the findings that led to the action, empty when it is [Action#PASS] or comes from a fact that is
///     not a finding
/// @param decisive the listing that decided, that nothing is done too; empty when it was none
/// @param reason one line for the log: the rule that decided
/// @param marked whether the subject of a tagged message is marked: not when all that speaks against it is of
///     categories that no message is refused for
/// @param would what feeds on trial would have done, by their names
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

    /// The harder of the two, with what either says besides; of what passes, a listing that does.
    public PolicyResult or(PolicyResult other) {
        boolean tellsMore = action == Action.PASS && decisive.isEmpty() && other.decisive.isPresent();
        PolicyResult harder = other.action.compareTo(action) > 0 || tellsMore ? other : this;
        boolean mark = harder.marked || (action == other.action && other.marked);
        return mark == harder.marked && would.isEmpty() && other.would.isEmpty()
                ? harder
                : harder.with(mark, both(would, other.would));
    }

    private PolicyResult with(boolean mark, Map<String, Action> trials) {
        return new PolicyResult(action, because, decisive, reason, mark, trials);
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

    /// The same as something milder.
    PolicyResult softened(Action mildest, String why) {
        Map<String, Action> trials = new TreeMap<>(would);
        trials.replaceAll((_, action) -> action.atMost(mildest));
        return action.compareTo(mildest) > 0
                ? new PolicyResult(mildest, because, decisive, reason + why, marked, trials)
                : with(marked, trials);
    }

    /// The result for two recipients of one message: the milder of both, but at least a tag if they differ, so
    /// that the rule of one recipient does not keep mail from another, and none gets it unmarked.
    public PolicyResult shared(PolicyResult other) {
        boolean milder = action.compareTo(other.action) <= 0;
        PolicyResult mildest = milder ? this : other;
        PolicyResult hardest = milder ? other : this;
        Map<String, Action> trials = both(would, other.would);
        return mildest.action == Action.PASS && hardest.action != Action.PASS
                ? new PolicyResult(
                        Action.TAG,
                        hardest.because,
                        hardest.decisive,
                        hardest.reason + ", recipients differ",
                        hardest.marked,
                        trials)
                : mildest.with(mildest.marked, trials);
    }
}
