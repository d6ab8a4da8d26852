package org.bloomgate.lookup.tier;

import static java.util.Comparator.comparing;
import static java.util.Comparator.comparingInt;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.MailAddress;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.key.Use;

/// Lists without a local copy: there is no filter, so every key of their kinds is queried, up to a bound. A key beyond
/// the bound has an answer only if it is cached; otherwise the answer is unknown, which is the limit `zoneKeys`.
///
/// @param layer whose exact tier queries them, without filters
/// @param uses of the lists of each kind; other keys are not queried
public record LiveBlocklists(Layer layer, Map<KeyKind, Set<Use>> uses) {
    /// The name of the layer.
    public static final String LAYER = "dns";

    /// The most keys of one batch that are queried; a message can be made to contain thousands. The limit `zoneKeys`.
    public static final int MAX_QUERIED_KEYS = 64;

    public LiveBlocklists {
        uses = Map.copyOf(uses);
    }

    /// A key at its most reliable place.
    private record Candidate(Key key, Place place, int position) {}

    /// Returns the keys to query, the most important first: one of each registrable domain before a second one of any,
    /// and of these by place. The rest is random, so that a sender cannot put a listed key behind others.
    ///
    /// @param settled identifiers that are not queried
    Suspects suspects(KeyBatch batch, Set<Integer> settled, PublicSuffixes suffixes) {
        List<Candidate> candidates = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            Place place = batch.identifier(i).place();
            if (!settled.contains(batch.owner(i))
                    && uses.getOrDefault(kind(batch, i), Set.of()).contains(place.use())) {
                candidates.add(new Candidate(key(batch, i), place, i));
            }
        }
        candidates.sort(comparing(Candidate::place)
                .thenComparingInt(candidate -> candidate.key().text().length()));
        if (candidates.size() > MAX_QUERIED_KEYS) {
            candidates = byRegistrableDomain(candidates, suffixes);
        }
        Suspects suspects = new Suspects(layer);
        candidates.forEach(candidate -> suspects.add(candidate.key(), candidate.position()));
        return suspects;
    }

    private static List<Candidate> byRegistrableDomain(List<Candidate> byPlace, PublicSuffixes suffixes) {
        Map<String, Integer> keysOfDomain = new HashMap<>();
        Map<Key, Integer> rounds = new HashMap<>();
        for (Candidate candidate : byPlace) {
            rounds.computeIfAbsent(
                    candidate.key(), key -> keysOfDomain.merge(registrableDomain(key, suffixes), 1, Integer::sum));
        }
        List<Candidate> ordered = new ArrayList<>(byPlace);
        Collections.shuffle(ordered);
        ordered.sort(comparingInt((Candidate candidate) -> rounds.getOrDefault(candidate.key(), 0))
                .thenComparing(Candidate::place));
        return ordered;
    }

    /// The domain, or that of an address; all other keys count as one domain each.
    private static String registrableDomain(Key key, PublicSuffixes suffixes) {
        return switch (key.kind()) {
            case DOMAIN, ADDRESS -> suffixes.registrable(MailAddress.domainOf(key.text()));
            default -> key.text();
        };
    }

    private static KeyKind kind(KeyBatch batch, int position) {
        return KeyKind.ofWireCode(batch.kindCode(position)).orElseThrow();
    }

    /// An address is queried as it is, whatever block a list contains.
    private static Key key(KeyBatch batch, int position) {
        return kind(batch, position) == KeyKind.NETWORK
                ? AddressBlock.ofBytes(batch.bytes(), batch.start(position), batch.end(position))
                        .key()
                : batch.key(position);
    }
}
