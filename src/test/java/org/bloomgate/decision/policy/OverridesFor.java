package org.bloomgate.decision.policy;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.bloomgate.core.key.Place;
import org.bloomgate.lookup.tier.Action;

/// Rules of a listener, a sender or a recipient, for tests.
public final class OverridesFor {
    private OverridesFor() {}

    /// One action at every place.
    public static PolicyOverrides everyPlace(Action action) {
        return places(Arrays.stream(Place.values()).collect(Collectors.toMap(place -> place, _ -> action)));
    }

    public static PolicyOverrides places(Map<Place, Action> listed) {
        return new PolicyOverrides(
                listed,
                Map.of(),
                Optional.empty(),
                Map.of(),
                Map.of(),
                NewRecipientLimits.NOTHING,
                Map.of(),
                Optional.empty(),
                Optional.empty());
    }

    public static PolicyOverrides categories(Map<String, Action> categories) {
        return new PolicyOverrides(
                Map.of(),
                categories,
                Optional.empty(),
                Map.of(),
                Map.of(),
                NewRecipientLimits.NOTHING,
                Map.of(),
                Optional.empty(),
                Optional.empty());
    }

    public static PolicyOverrides shadow(boolean on) {
        return new PolicyOverrides(
                Map.of(),
                Map.of(),
                Optional.empty(),
                Map.of(),
                Map.of(),
                NewRecipientLimits.NOTHING,
                Map.of(),
                Optional.of(on),
                Optional.empty());
    }
}
