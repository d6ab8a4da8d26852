package org.bloomgate.lists.rebuild;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.lists.format.ShippedLines;
import org.bloomgate.lists.layer.Canary;
import org.bloomgate.lookup.store.SortedStore;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.bloomgate.lookup.tier.Listing;

/// The canaries that ship with the product and the configured ones. If a snapshot lists a canary, it is not
/// published: some feed passed the allow list, as it is trusted, or lists an address or a URL.
final class Canaries {
    private static final String SHIPPED = "canaries.txt";
    private static final Duration LOOKUP_TIMEOUT = Duration.ofMinutes(10);

    private final List<Canary> all;

    private Canaries(List<Canary> all) {
        this.all = all;
    }

    /// @param configured each with a canonical form
    static Canaries with(List<String> configured) {
        return new Canaries(Stream.concat(ShippedLines.of(Canaries.class, SHIPPED).stream(), configured.stream())
                .map(text -> Canary.parse(text).orElseThrow(() -> new IllegalArgumentException(text)))
                .toList());
    }

    /// The hosts of all canaries that have one.
    List<String> hosts() {
        return all.stream().flatMap(canary -> canary.host().stream()).toList();
    }

    /// The canaries that the store of a snapshot lists, one line each.
    List<String> findListed(SortedStore store, PublicSuffixes suffixes) throws IOException {
        List<String> listed = new ArrayList<>();
        KeyBatch batch = new KeyBatch();
        for (Canary canary : all) {
            batch.clear();
            canary.append(suffixes, batch);
            batch.addDigests(true, true);
            findListing(store, batch)
                    .ifPresent(listing -> listed.add("canary " + canary.text() + " is listed by feed " + listing.feed()
                            + " as " + listing.key().text()));
        }
        return listed;
    }

    /// The canaries that a listing would match, one line for each.
    List<String> findMatches(Key key, Match match, PublicSuffixes suffixes) {
        List<String> matched = new ArrayList<>();
        KeyBatch batch = new KeyBatch();
        for (Canary canary : all) {
            batch.clear();
            canary.append(suffixes, batch);
            if (IntStream.range(0, batch.size())
                    .anyMatch(i ->
                            match.reaches(key, batch.itself(i)) && batch.key(i).equals(key))) {
                matched.add("would list " + canary.text() + ", which is common in legitimate mail");
            }
        }
        return matched;
    }

    private static Optional<Listing> findListing(SortedStore store, KeyBatch batch) throws IOException {
        List<ExactAnswer> answers = store.lookup(
                IntStream.range(0, batch.size()).mapToObj(batch::key).toList(), LOOKUP_TIMEOUT);
        for (int i = 0; i < answers.size(); i++) {
            boolean itself = batch.itself(i);
            switch (answers.get(i)) {
                case ExactAnswer.Listed(List<Listing> listings) -> {
                    Optional<Listing> matching = listings.stream()
                            .filter(listing -> listing.match().reaches(listing.key(), itself))
                            .findFirst();
                    if (matching.isPresent()) {
                        return matching;
                    }
                }
                case ExactAnswer.NotListed _ -> {}
                case ExactAnswer.Unknown unknown -> throw new IOException("canaries: " + unknown.reason());
            }
        }
        return Optional.empty();
    }
}
