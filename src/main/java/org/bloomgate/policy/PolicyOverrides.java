package org.bloomgate.policy;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.key.Place;

/// What one listener does otherwise than the `policy` section and `exact.onUnknown` say. What is absent is inherited;
/// rules of a recipient domain still go before.
///
/// @param listed by the place a listed identifier was seen at
/// @param onNoSnapshot while no snapshot was adopted
/// @param onPartial for a message that is not fully inspected
/// @param onUnknown by feed category; `default` for the rest
public record PolicyOverrides(
        Map<Place, Action> listed,
        Optional<Action> onNoSnapshot,
        Optional<Action> onPartial,
        Map<String, Action> onUnknown) {

    public PolicyOverrides {
        listed = Map.copyOf(listed);
        onUnknown = Map.copyOf(onUnknown);
    }

    /// Nothing is done otherwise.
    public static PolicyOverrides defaults() {
        return new PolicyOverrides(Map.of(), Optional.empty(), Optional.empty(), Map.of());
    }

    /// The entries of a map with others laid over them.
    static <K> Map<K, Action> over(Map<K, Action> general, Map<K, Action> own) {
        Map<K, Action> merged = new HashMap<>(general);
        merged.putAll(own);
        return merged;
    }
}
