package org.bloomgate.decision.evaluation;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.PhoneNumbers;
import org.bloomgate.lookup.tier.Layer;
import org.bloomgate.lookup.tier.LayerLease;
import org.bloomgate.lookup.tier.LayerSource;
import org.bloomgate.lookup.tier.LookupResult;
import org.bloomgate.lookup.tier.TwoTierLookup;
import org.bloomgate.lookup.tier.Verdict;

/// Looks up one address, domain, URL, password, file digest or word by itself, outside any message. Thread-safe.
public final class ValueCheck {
    private final LayerSource layers;
    private volatile TwoTierLookup lookup;
    private volatile PhoneNumbers phones;

    /// @param phones regions whose numbers are looked up without country code too
    public ValueCheck(LayerSource layers, TwoTierLookup lookup, PhoneNumbers phones) {
        this.layers = layers;
        this.lookup = lookup;
        this.phones = phones;
    }

    /// Replaces lookup and phone regions, for example after a reload of the configuration.
    public void setLookup(TwoTierLookup other, PhoneNumbers regions) {
        lookup = other;
        phones = regions;
    }

    public PhoneNumbers phones() {
        return phones;
    }

    public TwoTierLookup lookup() {
        return lookup;
    }

    public LayerLease lease() {
        return layers.lease();
    }

    /// The verdict on a value and the listings behind it, whatever use its feeds are for. Empty when the value has no
    /// canonical form of this kind, which is a mistake of the client.
    public Optional<CheckResult> check(KeyKind kind, String value) {
        return checkKeys(kind, value).map(result -> CheckResult.of(kind, value, result.verdict(), result.suspect()));
    }

    /// Kinds that are recognised by the form of a value, the most specific first.
    private static final List<KeyKind> BY_FORM =
            List.of(KeyKind.HASH, KeyKind.NETWORK, KeyKind.PHONE, KeyKind.ADDRESS, KeyKind.DOMAIN, KeyKind.URL);

    /// The kinds that a value may have by its form.
    public static List<KeyKind> findKinds(String value) {
        return BY_FORM.stream()
                .filter(kind -> !kind.rules().toLookupValues(value).isEmpty())
                .toList();
    }

    /// Returns the reason why a value is not of a kind, without the value itself.
    public static String describeMismatch(KeyKind kind, String value) {
        String like = findKinds(value).stream().findFirst().map(KeyKind::label).orElse("");
        return "no canonical form as " + kind.label() + (like.isEmpty() ? "" : "; it looks like kind " + like);
    }

    /// Returns the worst verdict on a value over all kinds that it may have; empty if there is none.
    public Optional<CheckResult> check(String value) {
        return findKinds(value).stream()
                .flatMap(kind -> check(kind, value).stream())
                .max(Comparator.comparing(result -> switch (result.verdict()) {
                    case LISTED -> 2;
                    case UNRESOLVED -> 1;
                    case CLEAN -> 0;
                }));
    }

    /// @param generation that was looked up; empty if there is none
    record KeyVerdict(Verdict verdict, boolean suspect, String generation) {}

    Optional<KeyVerdict> checkKeys(KeyKind kind, String value) {
        KeyBatch batch = new KeyBatch();
        try (LayerLease lease = layers.lease()) {
            return new ValueKeys(lease.suffixes(), batch).add(kind, phones.withCode(kind, value))
                    ? Optional.of(evaluate(kind, batch, lease))
                    : Optional.empty();
        }
    }

    private KeyVerdict evaluate(KeyKind kind, KeyBatch batch, LayerLease lease) {
        List<Layer> layers = lease.layers();
        LookupResult lookupResult = lookup.evaluate(batch, lease);
        if (lookupResult.hadLayers()
                && !kind.rules().hasUses()
                && !lease.kinds().contains(kind)) {
            return new KeyVerdict(createUnresolved("no " + kind.label() + " list in the snapshot"), false, "");
        }
        boolean partial = batch.overflowed() || !lookupResult.limits().isEmpty();
        Verdict verdict = partial ? withOverflow(lookupResult.verdict()) : lookupResult.verdict();
        return new KeyVerdict(verdict, lookupResult.suspects() > 0, Generations.join(layers));
    }

    /// Some keys were not looked up.
    private static Verdict withOverflow(Verdict verdict) {
        return verdict instanceof Verdict.Clean ? createUnresolved("more keys than are looked up at once") : verdict;
    }

    private static Verdict createUnresolved(String reason) {
        return new Verdict.Unresolved(reason, Set.of());
    }
}
