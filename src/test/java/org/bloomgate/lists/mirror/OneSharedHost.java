package org.bloomgate.lists.mirror;

import java.util.List;
import java.util.Set;
import org.bloomgate.lookup.local.ListingGates;
import org.bloomgate.lookup.local.ListingPreview;
import org.bloomgate.lookup.tier.Entry;

/// Gates that hold `shared.example` and nothing else.
record OneSharedHost() implements ListingGates {
    @Override
    public List<ListingPreview> preview(List<Entry> listings) {
        return listings.stream()
                .map(listing -> ListingPreview.of(
                        listing, objections(listing), new ListingPreview.RecentMailShare(7, 0, 0, 5, true, List.of())))
                .toList();
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
