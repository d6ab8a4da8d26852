package org.bloomgate.decision.policy;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.base.config.ScalarOrMap;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.lookup.tier.Action;

/// Settings that override the `policy` section and `exact.onUnknown` for mail at a listener, from a sender or
/// to a recipient. Absent ones are inherited; the entries of a map override those of the general map.
///
/// @param listed by the place a listed identifier was seen at; one action, or `default`, for all of them
/// @param categories the strictest action that a listing causes, by the category of the feed; `default` for the rest
/// @param onNoSnapshot while no snapshot was adopted
/// @param onPartial for a message that is not fully inspected, by limit; or one action for all
/// @param onUnknown by feed category; `default` for the rest
/// @param newRecipients how many new addresses the sender may write to; only for sender rules
/// @param signals what is done about what is new to the memory
/// @param shadow true evaluates and enforces nothing
/// @param authenticated false if a sender rule may make the result milder also for mail whose sender is not
///     authenticated; only for sender rules
public record PolicyOverrides(
        @ScalarOrMap Map<Place, Action> listed,
        Map<String, Action> categories,
        Optional<Action> onNoSnapshot,
        @ScalarOrMap Map<Limit, Action> onPartial,
        Map<String, Action> onUnknown,
        NewRecipientLimits newRecipients,
        Map<Signal, Action> signals,
        Optional<Boolean> shadow,
        Optional<Boolean> authenticated) {

    public PolicyOverrides {
        listed = Map.copyOf(listed);
        categories = Map.copyOf(categories);
        categories.forEach((category, cap) -> Action.checkCap("categories." + category, cap));
        onPartial = Map.copyOf(onPartial);
        onUnknown = Map.copyOf(onUnknown);
        signals = Map.copyOf(signals);
        signals.forEach((signal, action) -> PolicyOptions.requireNoRefusal("signals." + signal.label(), action));
        onNoSnapshot.ifPresent(action -> PolicyOptions.requireNoRefusal("onNoSnapshot", action));
        onUnknown.forEach((category, action) -> PolicyOptions.requireNoRefusal("onUnknown." + category, action));
    }

    /// Overrides nothing.
    public static PolicyOverrides defaults() {
        return new PolicyOverrides(
                Map.of(),
                Map.of(),
                Optional.empty(),
                Map.of(),
                Map.of(),
                NewRecipientLimits.NOTHING,
                Map.of(),
                Optional.empty(),
                Optional.empty());
    }

    /// Whether it makes the result milder only if the sender is authenticated.
    public boolean needsProof() {
        return authenticated.orElse(true);
    }

    /// The entries of a map, overridden by those of another.
    static <K, V> Map<K, V> over(Map<K, V> general, Map<K, V> own) {
        Map<K, V> merged = new HashMap<>(general);
        merged.putAll(own);
        return merged;
    }
}
