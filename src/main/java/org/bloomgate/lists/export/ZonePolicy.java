package org.bloomgate.lists.export;

import java.util.List;

/// The actions at a name or network, and below it, because of one feed.
///
/// @param feed empty for an exception of operators
/// @param excepted true for a place with an exception, whose actions are final, as no other policy applies to
///     it
record ZonePolicy(String feed, RpzAction itself, RpzAction below, boolean excepted) {

    /// The action that results from all policies of a place.
    ///
    /// @param above action below the place around it
    static RpzAction resolve(List<ZonePolicy> policies, boolean below, RpzAction above) {
        RpzAction strictest = above;
        for (ZonePolicy policy : policies) {
            RpzAction action = below ? policy.below : policy.itself;
            if (policy.excepted) {
                return action.equals(RpzAction.NONE) && !above.equals(RpzAction.NONE) ? RpzAction.PASSTHRU : action;
            }
            strictest = action.compareTo(strictest) > 0 ? action : strictest;
        }
        return strictest;
    }
}
