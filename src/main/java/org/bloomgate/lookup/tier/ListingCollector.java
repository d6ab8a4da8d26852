package org.bloomgate.lookup.tier;

import static java.util.stream.Collectors.toUnmodifiableSet;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;

/// Collects the answers about one identifier, over its keys and the layers.
final class ListingCollector {
    /// The most listings of an identifier with a quorum that are reported as evidence.
    private static final int MAX_WITNESSES = 10;

    private final KeyBatch batch;
    private final LayerLease lease;
    private final int quorum;
    private final Predicate<Listing> counting;
    private final List<Listing> listings = new ArrayList<>();
    private final BitSet listed = new BitSet();

    /// The keys that a feed outside shadow mode lists.
    private final BitSet sure = new BitSet();

    private final BitSet unknown = new BitSet();
    private final Set<String> doubts = new HashSet<>();
    private Optional<Verdict> unresolved = Optional.empty();

    /// @param counting the listings that count
    ListingCollector(KeyBatch batch, int owner, LayerLease lease, Predicate<Listing> counting) {
        this.batch = batch;
        this.lease = lease;
        this.quorum = batch.quorum(owner);
        this.counting = counting;
    }

    void add(ExactAnswer answer, int position, Layer layer) {
        switch (answer) {
            case ExactAnswer.Listed listed -> add(listed.listings(), position, layer);
            case ExactAnswer.NotListed _ -> {}
            case ExactAnswer.Unknown unknown -> {
                add(unknown.listed(), position, layer);
                addDoubt(unknown, position, layer);
            }
        }
    }

    private void add(List<Listing> all, int position, Layer layer) {
        all.stream()
                .map(listing -> layer.withSource(listing))
                .filter(listing -> applies(listing, position, layer))
                .forEach(listing -> add(listing, position));
    }

    private void addDoubt(ExactAnswer.Unknown answer, int position, Layer layer) {
        if (answer.doubtful().isEmpty()
                && kind(position).filter(layer::isInShadow).isPresent()) {
            return;
        }
        Set<String> categories = answer.doubtful().isEmpty()
                ? categories(position, layer)
                : answer.doubtful().stream()
                        .map(layer::withSource)
                        .filter(listing -> !listing.source().isInShadow())
                        .filter(listing -> applies(listing, position, layer))
                        .map(Listing::category)
                        .collect(toUnmodifiableSet());
        if (answer.doubtful().isEmpty() || !categories.isEmpty()) {
            batch.cover(position, unknown);
            doubts.addAll(categories);
            unresolved = Optional.of(new Verdict.Unresolved(layer.name() + ": " + answer.reason(), doubts));
        }
    }

    private void add(Listing listing, int position) {
        batch.cover(position, listed);
        if (!listing.source().isInShadow()) {
            batch.cover(position, sure);
        }
        if (quorum == 1 || (listings.size() < MAX_WITNESSES && !listings.contains(listing))) {
            listings.add(listing);
        }
    }

    /// A listing applies to an identifier if its scope covers the match, its feed is used for that place, and the feed
    /// has no exception that is as narrow. For an identifier with a quorum, local exceptions remove single keys.
    private boolean applies(Listing listing, int position, Layer layer) {
        return listing.match().reaches(listing.key(), batch.itself(position))
                && counting.test(listing)
                && listing.uses().contains(batch.identifier(position).place().use())
                && !layer.exceptionsOf(listing.feed()).cover(batch, position, listing.key())
                && !(quorum > 1 && lease.local().overrides(batch.key(position), listing));
    }

    private Set<String> categories(int position, Layer layer) {
        return kind(position)
                .map(kind -> layer.categories().getOrDefault(kind, Set.of()))
                .orElse(Set.of());
    }

    private Optional<KeyKind> kind(int position) {
        return KeyKind.ofWireCode(batch.kindCode(position));
    }

    /// Listed if enough keys are listed. Unresolved if enough keys are or may be listed, also besides a listing: a
    /// tier without an answer may list them in a category with a stricter action. A feed in shadow mode neither
    /// counts towards the number nor hides a missing answer.
    List<Verdict> verdicts() {
        List<Verdict> verdicts = new ArrayList<>();
        unknown.or(sure);
        unresolved.filter(_ -> unknown.cardinality() >= quorum).ifPresent(verdicts::add);
        if (listed.cardinality() >= quorum) {
            verdicts.add(new Verdict.Listed(sure.cardinality() >= quorum ? listings : inShadow()));
        }
        return verdicts;
    }

    private List<Listing> inShadow() {
        return listings.stream()
                .filter(listing -> listing.source().isInShadow())
                .toList();
    }
}
