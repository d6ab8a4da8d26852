package org.bloomgate.server.dns;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.decision.evaluation.ValueKeys;
import org.bloomgate.lookup.tier.Finding;
import org.bloomgate.lookup.tier.Layer;
import org.bloomgate.lookup.tier.LayerLease;
import org.bloomgate.lookup.tier.Listing;
import org.bloomgate.lookup.tier.LocalRules;
import org.bloomgate.lookup.tier.LookupResult;
import org.bloomgate.lookup.tier.TwoTierLookup;
import org.bloomgate.lookup.tier.Verdict;

/// Looks up the name before one zone. General exceptions apply, those for some recipients do not, as the
/// recipient is unknown here.
final class ZoneCheck {
    private ZoneCheck() {}

    /// The result for one name.
    sealed interface Result {
        /// @param codes distinct, in order of the listings
        /// @param categories distinct, in order of the listings
        record Listed(List<ReturnCode> codes, List<String> categories) implements Result {}

        record NotListed() implements Result {}

        /// The exact tier did not answer.
        record Unresolved() implements Result {}
    }

    /// A lease with the entries of operators and no layers.
    record WithoutLayers(LayerLease lease) implements LayerLease {
        @Override
        public List<Layer> layers() {
            return List.of();
        }

        @Override
        public PublicSuffixes suffixes() {
            return lease.suffixes();
        }

        @Override
        public LocalRules local() {
            return lease.local();
        }

        @Override
        public void close() {
            lease.close();
        }
    }

    /// May wait for the exact tier.
    static Result lookUp(
            QueryName name, QueryAddress address, ServedZone zone, LayerLease lease, TwoTierLookup lookup) {
        KeyBatch batch = new KeyBatch(16);
        ValueKeys keys = new ValueKeys(lease.suffixes(), batch);
        if (zone.isOfNames()) {
            boolean _ = keys.add(KeyKind.DOMAIN, name.text());
        }
        if (zone.isOfAddresses()) {
            address.text().ifPresent(text -> keys.add(KeyKind.NETWORK, text));
        }
        LookupResult result = lookup.evaluate(batch, lease, zone::contains);
        Set<Listing> listings = new LinkedHashSet<>();
        boolean isUnresolved = !result.hadLayers();
        for (Finding finding : result.findings()) {
            switch (finding.verdict()) {
                case Verdict.Clean _ -> {}
                case Verdict.Listed listed -> listings.addAll(listed.listings());
                case Verdict.Unresolved unresolved -> isUnresolved |= concerns(zone, unresolved);
            }
        }
        if (listings.isEmpty()) {
            return isUnresolved ? new Result.Unresolved() : new Result.NotListed();
        }
        return listed(zone, listings);
    }

    private static boolean concerns(ServedZone zone, Verdict.Unresolved unresolved) {
        return unresolved.categories().isEmpty()
                || unresolved.categories().stream().anyMatch(zone::contains);
    }

    private static Result listed(ServedZone zone, Set<Listing> listings) {
        Set<ReturnCode> codes = new LinkedHashSet<>();
        Set<String> categories = new LinkedHashSet<>();
        for (Listing listing : listings) {
            codes.add(zone.code(listing));
            categories.add(listing.category());
        }
        return new Result.Listed(first(codes), first(categories));
    }

    private static <T> List<T> first(Set<T> all) {
        return new ArrayList<>(all).subList(0, Math.min(all.size(), ServedZone.MAX_RECORDS));
    }
}
