package org.bloomgate.lookup;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.bloomgate.filter.BloomFilter;
import org.bloomgate.filter.KeyHash;
import org.bloomgate.key.Key;
import org.bloomgate.key.KeyBatch;
import org.bloomgate.key.KeyKind;
import org.bloomgate.key.Match;
import org.bloomgate.verdict.Listing;
import org.bloomgate.verdict.Verdict;

/// Probes every key of a batch against the filter of its kind in each layer, then asks the exact tier of a layer about
/// all its suspects at once. Without a suspect no key costs an object and nobody is asked.
///
/// Immutable and thread-safe.
public final class TwoTierLookup {
    private final Duration timeout;
    private final LookupCounts counts;

    /// @param timeout of the exact tier for one batch, all layers together
    public TwoTierLookup(Duration timeout, LookupCounts counts) {
        this.timeout = timeout;
        this.counts = counts;
    }

    /// Judges all keys of the batch against the layers of the lease.
    public Judgement judge(KeyBatch batch, LayerLease lease) {
        counts.keys(batch.size());
        long[] hashes = new long[batch.size()];
        List<Suspects> suspects = List.of();
        for (Layer layer : lease.layers()) {
            Optional<Suspects> here = probe(batch, hashes, layer);
            if (here.isPresent()) {
                suspects = suspects.isEmpty() ? new ArrayList<>() : suspects;
                suspects.add(here.get());
            }
        }
        return suspects.isEmpty() ? clean(batch) : escalate(batch, suspects);
    }

    private static Judgement clean(KeyBatch batch) {
        return batch.size() == 0 ? Judgement.NOTHING : new Judgement(List.of(), batch.size(), 0, 0);
    }

    /// Hash first, then probe: the cache misses of the probes overlap only when nothing stands between them.
    private static Optional<Suspects> probe(KeyBatch batch, long[] hashes, Layer layer) {
        Suspects suspects = null;
        for (Map.Entry<KeyKind, BloomFilter> entry : layer.filters().entrySet()) {
            int kindCode = entry.getKey().wireCode();
            BloomFilter filter = entry.getValue();
            hash(batch, kindCode, filter.hash(), hashes);
            for (int i = 0; i < hashes.length; i++) {
                if (batch.kindCode(i) == kindCode && filter.mightContain(hashes[i])) {
                    suspects = suspects == null ? new Suspects(layer) : suspects;
                    suspects.add(i, batch.key(i));
                }
            }
        }
        return Optional.ofNullable(suspects);
    }

    private static void hash(KeyBatch batch, int kindCode, KeyHash hash, long[] hashes) {
        byte[] octets = batch.octets();
        for (int i = 0; i < hashes.length; i++) {
            if (batch.kindCode(i) == kindCode) {
                hashes[i] = hash.hash(octets, batch.start(i), batch.end(i));
            }
        }
    }

    private Judgement escalate(KeyBatch batch, List<Suspects> suspects) {
        long deadline = System.nanoTime() + timeout.toNanos();
        Map<Integer, Collected> byOwner = new TreeMap<>();
        int asked = 0;
        int refuted = 0;
        for (Suspects of : suspects) {
            List<ExactAnswer> answers =
                    of.layer.exact().lookup(of.keys, Duration.ofNanos(deadline - System.nanoTime()));
            asked += of.keys.size();
            counts.suspects(of.keys.size());
            for (int i = 0; i < answers.size(); i++) {
                counts.answered(answers.get(i));
                refuted += answers.get(i) instanceof ExactAnswer.NotListed ? 1 : 0;
                int position = of.positions.get(i);
                byOwner.computeIfAbsent(batch.owner(position), owner -> new Collected())
                        .take(answers.get(i), batch, position, of.layer);
            }
        }
        List<Finding> findings = new ArrayList<>();
        byOwner.forEach((owner, collected) -> collected
                .verdict()
                .ifPresent(verdict ->
                        findings.add(new Finding(owner, batch.identifiers().get(owner), verdict))));
        return new Judgement(findings, batch.size(), asked, refuted);
    }

    /// The suspects of one layer: their positions in the batch beside their keys.
    private static final class Suspects {
        final Layer layer;
        final List<Integer> positions = new ArrayList<>();
        final List<Key> keys = new ArrayList<>();

        Suspects(Layer layer) {
            this.layer = layer;
        }

        void add(int position, Key key) {
            positions.add(position);
            keys.add(key);
        }
    }

    /// All answers about one identifier, over its keys and the layers.
    private static final class Collected {
        private final List<Listing> listings = new ArrayList<>();
        private Optional<Verdict> unresolved = Optional.empty();

        void take(ExactAnswer answer, KeyBatch batch, int position, Layer layer) {
            switch (answer) {
                case ExactAnswer.Listed listed ->
                    listed.listings().stream()
                            .filter(listing -> applies(listing, batch, position))
                            .forEach(listings::add);
                case ExactAnswer.NotListed notListed -> {}
                case ExactAnswer.Unknown unknown ->
                    unresolved = Optional.of(new Verdict.Unresolved(
                            layer.name() + ": " + unknown.reason(), categories(layer, batch, position)));
            }
        }

        private static boolean applies(Listing listing, KeyBatch batch, int position) {
            boolean reaches = listing.match() == Match.SUFFIX || batch.itself(position);
            return reaches
                    && listing.uses()
                            .contains(batch.identifier(position).place().use());
        }

        private static Set<String> categories(Layer layer, KeyBatch batch, int position) {
            return KeyKind.ofWireCode(batch.kindCode(position))
                    .map(kind -> layer.categories().getOrDefault(kind, Set.of()))
                    .orElse(Set.of());
        }

        Optional<Verdict> verdict() {
            return listings.isEmpty() ? unresolved : Optional.of(new Verdict.Listed(listings));
        }
    }
}
