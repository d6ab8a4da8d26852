package org.bloomgate.policy;

import java.util.List;
import org.bloomgate.lookup.Finding;

/// What the policy makes of a message for one recipient.
///
/// @param because the findings that led to the action, empty when it is [Action#PASS] or comes from a fact that is
///     not a finding
/// @param reason one line for the log: the rule that decided
public record Ruling(Action action, List<Finding> because, String reason) {

    public static final Ruling PASS = new Ruling(Action.PASS, List.of(), "nothing found");

    public Ruling {
        because = List.copyOf(because);
    }

    /// The harder of the two.
    public Ruling or(Ruling other) {
        return other.action.compareTo(action) > 0 ? other : this;
    }

    /// What is done with one message for two recipients: the milder of their rulings, but a tag at least where they
    /// differ, so that nobody is kept from mail by another one's rule, and nobody gets it unmarked.
    public Ruling shared(Ruling other) {
        if (action == other.action) {
            return this;
        }
        boolean milder = action.compareTo(other.action) < 0;
        Ruling mildest = milder ? this : other;
        Ruling hardest = milder ? other : this;
        return mildest.action == Action.PASS
                ? new Ruling(Action.TAG, hardest.because, hardest.reason + ", recipients differ")
                : mildest;
    }
}
