package org.bloomgate.message;

import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.bloomgate.key.Place;

/// Texts met in one message, by place.
final class SeenTexts {
    private final Map<Place, Set<String>> seen = new EnumMap<>(Place.class);

    /// True the first time.
    boolean add(Place place, String text) {
        return seen.computeIfAbsent(place, none -> new HashSet<>()).add(text);
    }

    boolean contains(Place place, String text) {
        return seen.getOrDefault(place, Set.of()).contains(text);
    }
}
