package org.bloomgate.lists.mirror;

import java.util.List;
import java.util.Set;
import org.bloomgate.lookup.local.ListingGates;
import org.bloomgate.lookup.tier.Entry;

/// Gates that hold `shared.example` and nothing else.
record OneSharedHost() implements ListingGates {
    @Override
    public ListingImpact assess(Entry listing) {
        return new ListingImpact(objections(listing), "");
    }

    @Override
    public List<String> objections(Entry listing) {
        return listing.key().text().equals("shared.example") ? List.of("strangers share it") : List.of();
    }

    @Override
    public Set<String> feeds() {
        return Set.of();
    }
}
