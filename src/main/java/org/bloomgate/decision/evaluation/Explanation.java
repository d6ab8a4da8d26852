package org.bloomgate.decision.evaluation;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.core.bloom.BloomFilter;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.Canonicalization;
import org.bloomgate.core.key.ContentDigest;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Use;
import org.bloomgate.lookup.dnsbl.DnsConfirmation;
import org.bloomgate.lookup.dnsbl.ZoneExchange;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.bloomgate.lookup.tier.Layer;
import org.bloomgate.lookup.tier.LayerLease;
import org.bloomgate.lookup.tier.Listing;
import org.bloomgate.lookup.tier.LocalRules;
import org.bloomgate.lookup.tier.LookupCounts;
import org.bloomgate.lookup.tier.LookupResult;
import org.bloomgate.lookup.tier.TwoTierLookup;
import org.bloomgate.lookup.tier.Verdict;

/// How a value is evaluated, step by step: its canonical form, its keys, and the answers of each filter and
/// of the exact tier.
///
/// @param steps from a URL to its canonical form; for any other kind only that form
/// @param exceptions that override a listing, as text
/// @param precedence the order in which statements count
/// @param verdict `listed` if a listing applies to the value for any use; `unresolved` if the lookup failed
public record Explanation(
        String value,
        String kind,
        List<Canonicalization.Step> steps,
        List<KeyExplanation> keys,
        List<String> exceptions,
        String precedence,
        Verdict.Kind verdict) {
    static final String CANNOT_SAY = "cannot say: ";

    /// One key.
    ///
    /// @param itself whether the key is the value itself, or a parent of it that only a `suffix` listing
    ///     confirms
    public record KeyExplanation(String kind, String key, boolean itself, List<Answer> layers) {}

    /// The result of one layer for one key.
    ///
    /// @param filter `no` or `maybe`; `range` when ranges cover an address; `none` when the layer lists
    ///     nothing of the kind; `exact set` for the entries of operators
    /// @param exact `listed`, `not listed` or why it is unknown; empty if the filter was negative
    /// @param zones queries that confirm the listings of the layer
    /// @param because the first URLs that caused the listing of a whole host
    public record Answer(
            String layer,
            String generation,
            String filter,
            String exact,
            List<Statement> listings,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ZoneExchange> zones,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> because) {}

    /// The listing of the key by one feed.
    ///
    /// @param atMost the strictest action that its listings cause, whatever place and category allow; empty if the
    ///     feed has no maximum
    /// @param shadow true if the feed is in shadow mode: its action is recorded and not enforced
    public record Statement(
            String feed,
            String category,
            String match,
            String uses,
            String firstSeen,
            String lastSeen,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) String atMost,
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean shadow) {
        static List<Statement> of(ExactAnswer exact, Layer layer) {
            List<Listing> listings = switch (exact) {
                case ExactAnswer.Listed listed -> listed.listings();
                case ExactAnswer.NotListed _ -> List.of();
                case ExactAnswer.Unknown unknown -> unknown.listed();
            };
            return listings.stream()
                    .map(listing -> of(layer.withSource(listing)))
                    .toList();
        }

        private static Statement of(Listing listing) {
            List<String> uses = listing.uses().stream().map(Use::label).sorted().toList();
            return new Statement(
                    listing.feed(),
                    listing.category(),
                    listing.match().label(),
                    String.join(" ", uses),
                    listing.firstSeen().toString(),
                    listing.lastSeen().toString(),
                    listing.source().action().map(Action::label).orElse(""),
                    listing.source().isInShadow());
        }
    }

    /// Guesses the kind of a value. An IP address is assumed to be of a client, although it could be the host
    /// of a URL; a number is a phone number only with its country code.
    public static KeyKind guessKind(String value) {
        if (AddressBlock.isBlock(value)) {
            return KeyKind.NETWORK;
        }
        if (value.startsWith("+")
                && !KeyKind.PHONE.rules().toLookupValues(value).isEmpty()) {
            return KeyKind.PHONE;
        }
        if (value.contains("/")) {
            return KeyKind.URL;
        }
        if (value.contains("@")) {
            return KeyKind.ADDRESS;
        }
        return ContentDigest.ofHex(value).isPresent() ? KeyKind.HASH : KeyKind.DOMAIN;
    }

    /// Returns the explanation; empty if the value has no canonical form of the kind.
    public static Optional<Explanation> of(KeyKind kind, String value, LayerLease lease, Duration timeout) {
        KeyBatch batch = new KeyBatch();
        if (!new ValueKeys(lease.suffixes(), batch).add(kind, value)) {
            return Optional.empty();
        }
        lease.addDigests(batch);
        Map<Key, Boolean> isItselfByKey = new LinkedHashMap<>();
        for (int i = 0; i < batch.size(); i++) {
            isItselfByKey.merge(batch.key(i), batch.itself(i), Boolean::logicalOr);
        }
        List<KeyExplanation> keyExplanations = new ArrayList<>();
        isItselfByKey.forEach((key, isItself) -> keyExplanations.add(
                new KeyExplanation(key.kind().label(), key.text(), isItself, queryLayers(key, lease, timeout))));
        LookupResult lookupResult = new TwoTierLookup(timeout, new LookupCounts()).evaluate(batch, lease);
        return Optional.of(new Explanation(
                value,
                kind.label(),
                findSteps(kind, value, batch),
                keyExplanations,
                describeExceptions(lookupResult),
                LocalRules.PRECEDENCE,
                lookupResult.verdict().kind()));
    }

    private static List<String> describeExceptions(LookupResult lookupResult) {
        return lookupResult.findings().stream()
                .flatMap(finding -> finding.overridden().stream())
                .map(overridden -> overridden
                                .listing()
                                .map(listing ->
                                        listing.feed() + " on " + listing.key().text() + ": ")
                                .orElse("")
                        + overridden.by().text())
                .distinct()
                .toList();
    }

    /// Returns the steps, also for the targets wrapped inside a URL, whose keys are looked up as well.
    private static List<Canonicalization.Step> findSteps(KeyKind kind, String value, KeyBatch batch) {
        List<String> forms =
                batch.identifiers().stream().map(Identifier::value).distinct().toList();
        List<Canonicalization.Step> steps = new ArrayList<>();
        if (kind == KeyKind.URL) {
            steps.addAll(Canonicalization.steps(value));
        } else {
            steps.add(new Canonicalization.Step("canonical", forms.getFirst()));
        }
        forms.stream().skip(1).forEach(target -> steps.add(new Canonicalization.Step("wrapped inside", target)));
        return steps;
    }

    private static List<Answer> queryLayers(Key key, LayerLease lease, Duration timeout) {
        List<Answer> answers = new ArrayList<>();
        Layer local = lease.local().layer();
        if (lease.local().kinds().contains(key.kind())) {
            answers.add(queryExactTier(key, local, "exact set", timeout));
        }
        lease.layers().forEach(layer -> answers.add(queryLayer(key, layer, timeout)));
        lease.liveBlocklists()
                .filter(lists -> lists.uses().containsKey(key.kind()))
                .ifPresent(lists -> answers.add(queryExactTier(key, lists.layer(), "none", timeout)));
        return answers;
    }

    private static Answer queryLayer(Key key, Layer layer, Duration timeout) {
        if (key.kind() == KeyKind.NETWORK) {
            return NetworkAnswer.query(key, layer, timeout);
        }
        BloomFilter filter = layer.filters().get(key.kind());
        if (filter == null) {
            return new Answer(layer.name(), layer.generation(), "none", "", List.of(), List.of(), List.of());
        }
        byte[] bytes = key.bytes();
        if (!filter.mightContain(filter.hash().hash(bytes, 0, bytes.length))) {
            return new Answer(layer.name(), layer.generation(), "no", "", List.of(), List.of(), List.of());
        }
        return queryExactTier(key, layer, "maybe", timeout);
    }

    private static Answer queryExactTier(Key key, Layer layer, String filter, Duration timeout) {
        ExactAnswer exact = layer.exact().lookup(List.of(key), timeout).getFirst();
        List<ZoneExchange> zones =
                layer.exact() instanceof DnsConfirmation confirmed ? confirmed.exchanges(key, timeout) : List.of();
        String result = switch (exact) {
            case ExactAnswer.Listed listed -> "listed";
            case ExactAnswer.NotListed notListed -> "not listed";
            case ExactAnswer.Unknown unknown -> CANNOT_SAY + unknown.reason();
        };
        return new Answer(
                layer.name(),
                layer.generation(),
                filter,
                result,
                Statement.of(exact, layer),
                zones,
                HostUrls.find(key, layer, exact));
    }
}
