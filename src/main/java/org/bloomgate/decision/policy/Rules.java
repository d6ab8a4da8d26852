package org.bloomgate.decision.policy;

import java.util.Map;
import java.util.Set;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.Listing;
import org.bloomgate.lookup.tier.ListingSource;

/// The merged rules for one sender and one recipient. Immutable.
///
/// @param by the rules that applied in addition to the general configuration, as text; empty for none
record Rules(
        Map<Place, Action> listed,
        Map<String, Action> categories,
        Action onNoSnapshot,
        Map<Limit, Action> onPartial,
        Map<String, Action> onUnknown,
        NewRecipientLimits newRecipients,
        Map<Signal, Action> signals,
        boolean shadow,
        String by) {

    static Rules of(PolicyOptions options, Map<String, Action> onUnknown) {
        return new Rules(
                options.listed(),
                options.categories(),
                options.onNoSnapshot(),
                options.onPartial(),
                Map.copyOf(onUnknown),
                options.newRecipients(),
                options.signals(),
                options.shadow(),
                "");
    }

    Rules overriddenBy(PolicyOverrides own, String origin) {
        return new Rules(
                PolicyOverrides.over(listed, own.listed()),
                PolicyOverrides.over(categories, own.categories()),
                own.onNoSnapshot().orElse(onNoSnapshot),
                PolicyOverrides.over(onPartial, own.onPartial()),
                PolicyOverrides.over(onUnknown, own.onUnknown()),
                newRecipients.overriddenBy(own.newRecipients()),
                PolicyOverrides.over(signals, own.signals()),
                own.shadow().orElse(shadow),
                origin);
    }

    /// The action of one listing: the mildest that its place, its category and its feed allow. For entries of
    /// operators, only the place and their own action count.
    Action onListed(Place place, Listing listing) {
        Action atPlace = at(place);
        return switch (listing.source()) {
            case ListingSource.Operators by -> by.action().map(atPlace::atMost).orElse(atPlace);
            case ListingSource.OfFeed feed -> {
                Action ofCategory = atPlace.atMost(capOf(listing.category()));
                yield feed.action().map(ofCategory::atMost).orElse(ofCategory);
            }
        };
    }

    /// The action at a place, without category and feed.
    Action at(Place place) {
        return listed.getOrDefault(place, Action.REJECT);
    }

    /// Whether the category of a listing allows a message to be rejected.
    boolean rejects(Listing listing) {
        return switch (listing.source()) {
            case ListingSource.Operators _ -> true;
            case ListingSource.OfFeed _ -> capOf(listing.category()) == Action.REJECT;
        };
    }

    boolean rejects(String category) {
        return capOf(category) == Action.REJECT;
    }

    /// The strictest action that a category may cause.
    private Action capOf(String category) {
        Action rest = categories.getOrDefault(PolicyOptions.DEFAULT, Action.REJECT);
        return categories.getOrDefault(category, rest);
    }

    /// The strictest action of all categories that the key may be listed in, but at most [Action#DEFER]: nothing was
    /// proven. A category without its own rule gets at most the action it would have if it were listed.
    Action onUnknown(Set<String> possible) {
        Action fallback = onUnknown.getOrDefault(PolicyOptions.DEFAULT, Action.TAG);
        Action strictest = possible.isEmpty() ? fallback : Action.PASS;
        for (String category : possible) {
            Action own = onUnknown.get(category);
            strictest = strictest.atLeast(own == null ? fallback.atMost(capOf(category)) : own);
        }
        return strictest.atMost(Action.DEFER);
    }

    /// Whether any of the categories that the key may be listed in allows a message to be rejected.
    boolean rejects(Set<String> possible) {
        return possible.isEmpty() || possible.stream().anyMatch(category -> capOf(category) == Action.REJECT);
    }

    /// The strictest action of the limits that were reached.
    Action onPartial(Set<Limit> limits) {
        Action fallback = onPartial.getOrDefault(Limit.DEFAULT, Action.TAG);
        Action strictest = Action.PASS;
        for (Limit limit : limits) {
            strictest = strictest.atLeast(onPartial.getOrDefault(limit, fallback));
        }
        return strictest;
    }
}
