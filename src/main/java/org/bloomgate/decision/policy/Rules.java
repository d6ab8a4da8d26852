package org.bloomgate.decision.policy;

import java.util.Map;
import java.util.Set;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.lookup.lookup.Action;
import org.bloomgate.lookup.lookup.Listing;
import org.bloomgate.lookup.lookup.ListingSource;

/// The rules for one sender and one recipient, everything laid over everything. Immutable.
///
/// @param by the rules that applied in addition to the general configuration, as text; empty for none
record Rules(
        Map<Place, Action> listed,
        Map<String, Action> categories,
        Action onNoSnapshot,
        Map<Limit, Action> onPartial,
        Map<String, Action> onUnknown,
        boolean shadow,
        String by) {

    static Rules of(PolicyOptions options, Map<String, Action> onUnknown) {
        return new Rules(
                options.listed(),
                options.categories(),
                options.onNoSnapshot(),
                options.onPartial(),
                Map.copyOf(onUnknown),
                options.shadow(),
                "");
    }

    Rules overriddenBy(PolicyOverrides own, String speaker) {
        return new Rules(
                PolicyOverrides.over(listed, own.listed()),
                PolicyOverrides.over(categories, own.categories()),
                own.onNoSnapshot().orElse(onNoSnapshot),
                PolicyOverrides.over(onPartial, own.onPartial()),
                PolicyOverrides.over(onUnknown, own.onUnknown()),
                own.shadow().orElse(shadow),
                speaker);
    }

    /// The action of one listing: the mildest that its place, its category and its feed allow. For entries of
    /// operators, only the place counts.
    Action onListed(Place place, Listing listing) {
        Action atPlace = at(place);
        return switch (listing.listedBy()) {
            case ListingSource.Operators _ -> atPlace;
            case ListingSource.OfFeed feed -> {
                Action ofCategory = atPlace.atMost(mostFor(listing.category()));
                yield feed.action().map(ofCategory::atMost).orElse(ofCategory);
            }
        };
    }

    /// The action at a place, without category and feed.
    Action at(Place place) {
        return listed.getOrDefault(place, Action.REJECT);
    }

    /// Whether the category of a listing is one that message is refused for.
    boolean refuses(Listing listing) {
        return switch (listing.listedBy()) {
            case ListingSource.Operators _ -> true;
            case ListingSource.OfFeed _ -> mostFor(listing.category()) == Action.REJECT;
        };
    }

    boolean refuses(String category) {
        return mostFor(category) == Action.REJECT;
    }

    /// The hardest that a category may lead to.
    private Action mostFor(String category) {
        Action rest = categories.getOrDefault(PolicyOptions.DEFAULT, Action.REJECT);
        return categories.getOrDefault(category, rest);
    }

    /// The hardest action of all categories that may be meant, but never a refusal for good: nothing was proven. A
    /// category without a word of its own does no more than it would if it were listed.
    Action whenUnknown(Set<String> of) {
        Action fallback = onUnknown.getOrDefault(PolicyOptions.DEFAULT, Action.TAG);
        Action hardest = of.isEmpty() ? fallback : Action.PASS;
        for (String category : of) {
            Action own = onUnknown.get(category);
            hardest = hardest.atLeast(own == null ? fallback.atMost(mostFor(category)) : own);
        }
        return hardest.atMost(Action.DEFER);
    }

    /// Whether any of the categories that may be meant is one that message is refused for.
    boolean refuses(Set<String> of) {
        return of.isEmpty() || of.stream().anyMatch(category -> mostFor(category) == Action.REJECT);
    }

    /// The hardest action of the limits that were reached.
    Action onPartial(Set<Limit> limits) {
        Action fallback = onPartial.getOrDefault(Limit.DEFAULT, Action.TAG);
        Action hardest = Action.PASS;
        for (Limit limit : limits) {
            hardest = hardest.atLeast(onPartial.getOrDefault(limit, fallback));
        }
        return hardest;
    }
}
