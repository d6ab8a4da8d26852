package org.bloomgate.lists.export;

import java.util.List;

/// What applies to a name or network, and to what is below it, because of one feed.
///
/// @param feed empty if no feed takes the records: an exception of operators
/// @param excepted true of a place with an exception, whose actions are final: no other policy is about it
record ZonePolicy(String feed, RpzAction itself, RpzAction below, boolean excepted) {

    /// The action that results from all policies of a place.
    ///
    /// @param above what applies to everything below the place around it
    static RpzAction resolve(List<ZonePolicy> policies, boolean below, RpzAction above) {
        RpzAction hardest = above;
        for (ZonePolicy policy : policies) {
            RpzAction action = below ? policy.below : policy.itself;
            if (policy.excepted) {
                return action.equals(RpzAction.NONE) && !above.equals(RpzAction.NONE) ? RpzAction.PASSTHRU : action;
            }
            hardest = action.compareTo(hardest) > 0 ? action : hardest;
        }
        return hardest;
    }
}
