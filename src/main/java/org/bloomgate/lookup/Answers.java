package org.bloomgate.lookup;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.key.KeyBatch;
import org.bloomgate.key.KeyKind;
import org.bloomgate.key.Match;
import org.bloomgate.verdict.Listing;
import org.bloomgate.verdict.Verdict;

/// All answers about one identifier, over its keys and over the layers.
final class Answers {
    private final KeyBatch batch;
    private final List<Listing> listings = new ArrayList<>();
    private Optional<Verdict> unresolved = Optional.empty();

    Answers(KeyBatch batch) {
        this.batch = batch;
    }

    void take(ExactAnswer answer, int position, Layer layer) {
        switch (answer) {
            case ExactAnswer.Listed listed ->
                listed.listings().stream()
                        .filter(listing -> applies(listing, position))
                        .forEach(listings::add);
            case ExactAnswer.NotListed notListed -> {}
            case ExactAnswer.Unknown unknown ->
                unresolved = Optional.of(
                        new Verdict.Unresolved(layer.name() + ": " + unknown.reason(), categories(position, layer)));
        }
    }

    /// A listing speaks against an identifier when it reaches as far and its feed is used for that place.
    private boolean applies(Listing listing, int position) {
        boolean reaches = listing.match() == Match.SUFFIX || batch.itself(position);
        return reaches
                && listing.uses().contains(batch.identifier(position).place().use());
    }

    private Set<String> categories(int position, Layer layer) {
        return KeyKind.ofWireCode(batch.kindCode(position))
                .map(kind -> layer.categories().getOrDefault(kind, Set.of()))
                .orElse(Set.of());
    }

    /// Listed when any answer lists it, otherwise unresolved when any could not say, otherwise nothing to report.
    Optional<Verdict> verdict() {
        return listings.isEmpty() ? unresolved : Optional.of(new Verdict.Listed(listings));
    }
}
