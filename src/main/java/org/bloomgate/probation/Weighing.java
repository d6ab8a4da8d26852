package org.bloomgate.probation;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.journal.Decision.Found;
import org.bloomgate.journal.Sighting;
import org.bloomgate.key.Key;
import org.bloomgate.key.PublicSuffixes;
import org.bloomgate.verdict.Listing;

/// The errors of feeds beside what these feeds hit in mail. Remembers of each feed no more values than settle the
/// question. Used by one thread.
final class Weighing {
    /// One in so many of the values that a feed hit may be wrong.
    static final int ONE_IN = 20;

    /// More errors of a feed do not make it worse.
    static final int MAX_ERRORS = 10_000;

    private final Map<String, Set<Key>> errors;
    private final Map<String, Set<Key>> hits = new HashMap<>();

    /// Values that a feed gave a category of [Listing#HARM].
    private final Map<String, Set<Key>> harm = new HashMap<>();

    /// @param errors of the feeds that are asked about
    Weighing(Map<String, Set<Key>> errors) {
        this.errors = Map.copyOf(errors);
    }

    void add(Sighting sighting) {
        for (Found one : sighting.found()) {
            Set<Key> wrong = errors.getOrDefault(one.feed(), Set.of());
            if (!wrong.isEmpty()) {
                one.listed().ifPresent(key -> add(one, key, wrong));
            }
        }
    }

    private void add(Found found, Key key, Set<Key> wrong) {
        if (Listing.HARM.contains(found.category())) {
            if (wrong.contains(key)) {
                harm.computeIfAbsent(found.feed(), _ -> new HashSet<>()).add(key);
            }
            return;
        }
        Set<Key> hit = hits.computeIfAbsent(found.feed(), _ -> new HashSet<>());
        if (hit.size() <= ONE_IN * Math.min(wrong.size(), MAX_ERRORS)) {
            hit.add(key);
        }
    }

    /// What the feed earns; empty when its errors are few, or few of what it hit. A feed that hit nothing but harm
    /// earns nothing.
    ///
    /// @param minDomains registrable domains that errors have to touch
    Optional<Probation> of(String feed, int minDomains, Instant now) {
        Set<Key> wrong = new HashSet<>(errors.getOrDefault(feed, Set.of()));
        wrong.removeAll(harm.getOrDefault(feed, Set.of()));
        Set<Key> hit = new HashSet<>(hits.getOrDefault(feed, Set.of()));
        if (hit.isEmpty()) {
            return Optional.empty();
        }
        hit.addAll(wrong);
        int domains = domains(wrong);
        return domains >= minDomains && (long) ONE_IN * Math.min(wrong.size(), MAX_ERRORS) > hit.size()
                ? Optional.of(Probation.begun(feed, now, wrong.size(), domains, hit.size()))
                : Optional.empty();
    }

    /// How many registrable domains the keys touch; one that names no host counts by itself.
    static int domains(Set<Key> keys) {
        return (int) keys.stream().map(Weighing::domain).distinct().count();
    }

    private static String domain(Key key) {
        return key.kind()
                .rules()
                .host(key.text())
                .map(PublicSuffixes.bundled()::registrable)
                .orElse(key.text());
    }
}
