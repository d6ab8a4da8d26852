package org.bloomgate.lists.mirror;

import java.util.List;
import java.util.Set;
import org.bloomgate.lookup.local.ListingGates;
import org.bloomgate.lookup.local.ListingPreview;
import org.bloomgate.lookup.tier.Entry;

/// Gates that hold `shared.example` and nothing else.
record OneSharedHost() implements ListingGates {
    @Override
    public ListingPreview preview(Entry listing) {
        return ListingPreview.of(
                listing, objections(listing), new ListingPreview.RecentMailShare(7, 0, 0, 5, true, List.of()));
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
