package org.bloomgate.lookup.tier;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.bloomgate.core.bloom.BloomFilter;
import org.bloomgate.core.bloom.KeyHash;
import org.bloomgate.core.cidr.AddressRanges;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.limit.Limit;

/// Tests every key of a batch in the filter of its kind in each layer, then queries the exact tier of a layer
/// for all its suspects at once. A key that is not a suspect allocates nothing and causes no query.
///
/// Immutable and thread-safe.
public final class TwoTierLookup {
    private final Duration timeout;
    private final LookupCounts counts;
    private final UnreadableFilter unreadable;

    /// @param timeout of the exact tier for one batch, all layers together
    public TwoTierLookup(Duration timeout, LookupCounts counts) {
        this(timeout, counts, (layer, fault) -> {});
    }

    /// @param unreadable receives every batch that could not be probed; [LookupCounts#unreadableFilters()]
    ///     counts them
    public TwoTierLookup(Duration timeout, LookupCounts counts, UnreadableFilter unreadable) {
        this.timeout = timeout;
        this.counts = counts;
        this.unreadable = unreadable;
    }

    /// The same lookup without counting its keys and answers.
    public TwoTierLookup uncounted() {
        return new TwoTierLookup(timeout, new LookupCounts(), unreadable);
    }

    /// Evaluates all keys of the batch against the layers of the lease. Without a layer nothing is clean: the
    /// listings of operators apply, and all other keys are unresolved.
    public LookupResult evaluate(KeyBatch batch, LayerLease lease) {
        return evaluate(batch, lease, listing -> true, () -> SenderNames.NONE);
    }

    /// The same for keys of a message. The findings have the exceptions of the senders that it names, whether or not
    /// they are authenticated.
    ///
    /// @param senders named by the message; read only if something is found
    public LookupResult evaluate(KeyBatch batch, LayerLease lease, Supplier<SenderNames> senders) {
        return evaluate(batch, lease, listing -> true, senders);
    }

    /// The same with only some of the listings. The others are ignored, and cannot hide that a tier did not answer.
    public LookupResult evaluate(KeyBatch batch, LayerLease lease, Predicate<Listing> counting) {
        return evaluate(batch, lease, counting, () -> SenderNames.NONE);
    }

    private LookupResult evaluate(
            KeyBatch batch, LayerLease lease, Predicate<Listing> counting, Supplier<SenderNames> senders) {
        lease.addDigests(batch);
        counts.countKeys(batch.size());
        Probe probe = new Probe(batch.size());
        List<Suspects> suspects = listedLocally(batch, lease.local());
        for (Layer layer : lease.layers()) {
            Suspects here = suspects(probe, batch, layer);
            if (!here.isEmpty()) {
                suspects = suspects.isEmpty() ? new ArrayList<>() : suspects;
                suspects.add(here);
            }
        }
        if (batch.hasQuorums()) {
            Quorums.dropFutile(batch, suspects);
        }
        suspects = withLiveBlocklists(lease, batch, suspects);
        LookupResult unlisted = lease.layers().isEmpty() ? LookupResult.NO_LAYERS : LookupResult.NOTHING;
        return suspects.stream().allMatch(Suspects::isEmpty)
                ? nothingFound(batch, unlisted)
                : escalate(batch, suspects, lease, unlisted, counting, senders);
    }

    /// Returns whether any key of the batch is a suspect, in any layer or in the local entries. False is final: not
    /// listed, as far as there are layers. True means that [#evaluate] must be called, which may wait for the exact
    /// tier; nothing is counted in that case. Does not wait.
    public boolean anySuspect(KeyBatch batch, LayerLease lease) {
        lease.addDigests(batch);
        if (lease.local().containsAny(batch)) {
            return true;
        }
        for (Layer layer : lease.layers()) {
            try {
                for (Map.Entry<KeyKind, BloomFilter> entry : layer.filters().entrySet()) {
                    if (anySuspect(batch, entry.getKey().wireCode(), entry.getValue())) {
                        return true;
                    }
                }
                if (layer.networks().isPresent()
                        && anyCovered(batch, layer.networks().get())) {
                    return true;
                }
            } catch (InternalError unreadable) {
                // evaluate() then takes every key for a suspect, counts and reports it
                return true;
            }
        }
        countClean(batch, lease);
        return false;
    }

    private static boolean anyCovered(KeyBatch batch, AddressRanges networks) {
        for (int i = 0; i < batch.size(); i++) {
            if (batch.kindCode(i) == KeyKind.NETWORK.wireCode()
                    && networks.widestBlock(batch.bytes(), batch.start(i), batch.end(i)) != AddressRanges.NOT_COVERED) {
                return true;
            }
        }
        return false;
    }

    /// DNS lists are queried last, so that a slow server does not use up the time of the layers.
    private static List<Suspects> withLiveBlocklists(LayerLease lease, KeyBatch batch, List<Suspects> suspects) {
        Optional<LiveBlocklists> live = lease.liveBlocklists();
        if (live.isEmpty()) {
            return suspects;
        }
        List<Suspects> all = new ArrayList<>(suspects);
        all.add(live.get().suspects(batch, lease.local().settled(batch), lease.suffixes()));
        return all;
    }

    private static boolean anySuspect(KeyBatch batch, int kindCode, BloomFilter filter) {
        byte[] bytes = batch.bytes();
        for (int i = 0; i < batch.size(); i++) {
            if (batch.kindCode(i) == kindCode
                    && filter.mightContain(filter.hash().hash(bytes, batch.start(i), batch.end(i)))) {
                return true;
            }
        }
        return false;
    }

    private void countClean(KeyBatch batch, LayerLease lease) {
        counts.countKeys(batch.size());
        for (Layer layer : lease.layers()) {
            for (KeyKind kind : layer.filters().keySet()) {
                counts.filter(layer.name(), kind).countProbes(batch.count(kind));
            }
            if (layer.networks().isPresent()) {
                counts.filter(layer.name(), KeyKind.NETWORK).countProbes(batch.count(KeyKind.NETWORK));
            }
        }
    }

    private static List<Suspects> listedLocally(KeyBatch batch, LocalRules local) {
        if (local.kinds().isEmpty()) {
            return List.of();
        }
        Suspects suspects = local.suspects(batch);
        return suspects.isEmpty() ? List.of() : new ArrayList<>(List.of(suspects));
    }

    /// If a filter cannot be read (its mapped file was truncated, or the disk fails), every key is a suspect.
    private Suspects suspects(Probe probe, KeyBatch batch, Layer layer) {
        try {
            return probe.suspects(batch, layer, counts);
        } catch (InternalError fault) {
            counts.countUnreadable();
            unreadable.report(layer, fault);
            return everyKey(batch, layer);
        }
    }

    private static Suspects everyKey(KeyBatch batch, Layer layer) {
        Suspects suspects = new Suspects(layer);
        for (int i = 0; i < batch.size(); i++) {
            Key key = batch.key(i);
            if (layer.filters().containsKey(key.kind())) {
                suspects.add(key, i);
            } else if (layer.networks().isPresent() && key.kind() == KeyKind.NETWORK) {
                NetworkProbe.addBlocks(batch, i, 0, suspects);
            }
        }
        return suspects;
    }

    private static LookupResult nothingFound(KeyBatch batch, LookupResult unlisted) {
        return batch.size() == 0 ? unlisted : new LookupResult(List.of(), unlisted.rest(), batch.size(), 0, 0);
    }

    private LookupResult escalate(
            KeyBatch batch,
            List<Suspects> suspects,
            LayerLease lease,
            LookupResult unlisted,
            Predicate<Listing> counting,
            Supplier<SenderNames> senders) {
        long deadline = System.nanoTime() + timeout.toNanos();
        Map<Integer, ListingCollector> byIdentifier = new TreeMap<>();
        List<FilterHits> filters = new ArrayList<>();
        int suspectKeys = 0;
        int refuted = 0;
        Set<Limit> limits = Set.of();
        for (Suspects ofLayer : suspects) {
            if (ofLayer.isEmpty()) {
                continue;
            }
            Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
            List<ExactAnswer> answers = lookUpExactly(ofLayer, left);
            for (int i = 0; i < answers.size(); i++) {
                ExactAnswer answer = answers.get(i);
                if (NetworkProbe.isAside(ofLayer.keys().get(i), answer)) {
                    continue;
                }
                if (ofLayer.hasFilter()) {
                    suspectKeys++;
                    counts.countSuspects(1);
                    KeyKind kind = ofLayer.keys().get(i).kind();
                    counts.countAnswer(ofLayer.layer().name(), kind, answer);
                    refuted += answer instanceof ExactAnswer.NotListed ? 1 : 0;
                    int wrong = answer instanceof ExactAnswer.NotListed none && !none.held() ? 1 : 0;
                    FilterHits.add(new FilterHits(ofLayer.layer().name() + "/" + kind.label(), 1, wrong), filters);
                } else if (answer instanceof ExactAnswer.Unknown unqueried) {
                    limits = Set.of(Limit.ZONE_KEYS);
                    answer = new ExactAnswer.Listed(unqueried.listed());
                }
                ExactAnswer known = answer;
                ofLayer.positions(i)
                        .forEach(position -> byIdentifier
                                .computeIfAbsent(
                                        batch.owner(position),
                                        owner -> new ListingCollector(batch, owner, lease, counting))
                                .add(known, position, ofLayer.layer()));
            }
        }
        return new LookupResult(
                findings(batch, byIdentifier, lease, senders),
                unlisted.rest(),
                batch.size(),
                suspectKeys,
                refuted,
                filters,
                limits);
    }

    /// If the number of answers differs from the number of keys, no answer can be trusted.
    private static List<ExactAnswer> lookUpExactly(Suspects suspects, Duration left) {
        List<ExactAnswer> answers = suspects.layer().exact().lookup(suspects.keys(), left);
        int count = suspects.keys().size();
        return answers.size() == count ? answers : Collections.nCopies(count, UnknownReason.BAD_ANSWER.answer());
    }

    private static List<Finding> findings(
            KeyBatch batch,
            Map<Integer, ListingCollector> byIdentifier,
            LayerLease lease,
            Supplier<SenderNames> senders) {
        Map<Integer, List<ListingException>> exceptions = lease.local().covering(batch, byIdentifier.keySet(), senders);
        List<Finding> findings = new ArrayList<>();
        byIdentifier.forEach((identifier, answers) -> answers.verdicts()
                .forEach(verdict -> findings.add(new Finding(
                        identifier,
                        batch.identifiers().get(identifier),
                        verdict,
                        exceptions.getOrDefault(identifier, List.of())))));
        findings.forEach(finding -> finding.hitExceptions("")
                .filter(exception -> !exception.needsProof())
                .forEach(lease::recordHit));
        return findings;
    }

    /// Scratch space of one call: all hashes first, then the probes, as their cache misses overlap only without
    /// other work in between.
    private static final class Probe {
        private final long[] hashes;
        private final int[] positions;
        private final int[] found;

        Probe(int keys) {
            hashes = new long[keys];
            positions = new int[keys];
            found = new int[keys];
        }

        Suspects suspects(KeyBatch batch, Layer layer, LookupCounts counts) {
            Suspects suspects = new Suspects(layer);
            for (Map.Entry<KeyKind, BloomFilter> entry : layer.filters().entrySet()) {
                BloomFilter filter = entry.getValue();
                int count = hash(batch, entry.getKey().wireCode(), filter.hash());
                int hits = filter.suspects(hashes, count, found);
                counts.filter(layer.name(), entry.getKey()).countProbes(count);
                for (int i = 0; i < hits; i++) {
                    int position = positions[found[i]];
                    suspects.add(batch.key(position), position);
                }
            }
            layer.networks().ifPresent(ranges -> NetworkProbe.add(ranges, batch, layer, counts, suspects));
            return suspects;
        }

        private int hash(KeyBatch batch, int kindCode, KeyHash hash) {
            byte[] bytes = batch.bytes();
            int count = 0;
            for (int i = 0; i < batch.size(); i++) {
                if (batch.kindCode(i) == kindCode) {
                    positions[count] = i;
                    hashes[count++] = hash.hash(bytes, batch.start(i), batch.end(i));
                }
            }
            return count;
        }
    }
}
