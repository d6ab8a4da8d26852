package org.bloomgate.decision.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.bloomgate.core.key.Canonicalization;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Use;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.Layer;
import org.bloomgate.lookup.tier.LayerLease;
import org.bloomgate.lookup.tier.LayerSource;
import org.bloomgate.lookup.tier.ListingSource;
import org.bloomgate.lookup.tier.LiveBlocklists;
import org.bloomgate.lookup.tier.LocalRules;
import org.bloomgate.lookup.tier.NoLayers;
import org.bloomgate.lookup.tier.Verdict;
import org.bloomgate.server.api.SmallLayer;
import org.bloomgate.server.dns.ListedHosts;
import org.junit.jupiter.api.Test;

class ExplanationTest {
    private static final Duration SOON = Duration.ofSeconds(1);
    private static final String EVIL = "https://www.evil.example/login";

    private static Explanation explain(LayerLease lease, KeyKind kind, String value) {
        return Explanation.of(kind, value, lease, SOON).orElseThrow();
    }

    private static Explanation explain(LayerSource layers, KeyKind kind, String value) {
        return explain(layers.lease(), kind, value);
    }

    /// What the layers say of one key, each as its name, what its filter and what its exact tier says.
    private static List<String> answers(Explanation explained, String key) {
        return explained.keys().stream()
                .filter(queried -> queried.key().equals(key))
                .flatMap(queried -> queried.layers().stream())
                .map(answer -> answer.layer() + ", " + answer.filter() + ", " + answer.exact())
                .toList();
    }

    private static Explanation.Answer only(Explanation explained, String key) {
        return explained.keys().stream()
                .filter(queried -> queried.key().equals(key))
                .findFirst()
                .orElseThrow()
                .layers()
                .getFirst();
    }

    @Test
    void whatNobodyNamesIsTakenForWhatItLooksLike() {
        assertEquals(KeyKind.URL, Explanation.guessKind("evil.example/login"));
        assertEquals(KeyKind.URL, Explanation.guessKind("https://a@evil.example/"));
        assertEquals(KeyKind.ADDRESS, Explanation.guessKind("a@evil.example"));
        assertEquals(KeyKind.HASH, Explanation.guessKind("0".repeat(64)));
        assertEquals(KeyKind.DOMAIN, Explanation.guessKind("0".repeat(63)));
        assertEquals(KeyKind.NETWORK, Explanation.guessKind("192.0.2.7"));
        assertEquals(KeyKind.NETWORK, Explanation.guessKind("192.0.2.0/24"));
        assertEquals(KeyKind.PHONE, Explanation.guessKind("+12025550123"));
        assertEquals(KeyKind.ADDRESS, Explanation.guessKind("+12025550123@sender.example"));
        assertEquals(KeyKind.DOMAIN, Explanation.guessKind("evil.example"));
    }

    @Test
    void aValueWithoutCanonicalFormHasNothingToExplain() {
        LayerLease lease = new ListedHosts().lists("evil.example").inForce().lease();
        assertEquals(Optional.empty(), Explanation.of(KeyKind.ADDRESS, "nobody", lease, SOON));
    }

    @Test
    void everyKeyIsAskedAndTheValueItselfToldFromItsParents() {
        Explanation explained = explain(
                new ListedHosts()
                        .lists("evil.example")
                        .collides("www.evil.example")
                        .inForce(),
                KeyKind.URL,
                EVIL);
        assertEquals(EVIL, explained.value());
        assertEquals("url", explained.kind());
        assertEquals(Verdict.Kind.LISTED, explained.verdict());
        assertEquals(LocalRules.PRECEDENCE, explained.precedence());
        assertEquals(List.of("nightly, maybe, listed"), answers(explained, "evil.example"));
        assertEquals(List.of("nightly, maybe, not listed"), answers(explained, "www.evil.example"));
        assertEquals(List.of("nightly, none, "), answers(explained, "www.evil.example/login"));
        assertEquals(
                List.of("domain www.evil.example", "url www.evil.example/login"),
                explained.keys().stream()
                        .filter(Explanation.KeyExplanation::itself)
                        .map(queried -> queried.kind() + " " + queried.key())
                        .sorted()
                        .toList());
    }

    @Test
    void whatTheFilterRulesOutIsAskedNoFurther() {
        Explanation explained =
                explain(new ListedHosts().lists("evil.example").inForce(), KeyKind.DOMAIN, "good.example");
        assertEquals(List.of("nightly, no, "), answers(explained, "good.example"));
        assertEquals(Verdict.Kind.CLEAN, explained.verdict());
        assertEquals("20260102T030405Z", only(explained, "good.example").generation());
    }

    @Test
    void aTierThatCannotSayIsToldWithItsReason() {
        Explanation explained =
                explain(new ListedHosts().fallsSilent("mute.example").inForce(), KeyKind.DOMAIN, "mute.example");
        assertEquals(List.of("nightly, maybe, cannot say: does not answer"), answers(explained, "mute.example"));
        assertEquals(Verdict.Kind.UNRESOLVED, explained.verdict());
    }

    @Test
    void theStepsLeadToTheCanonicalFormAndToWhatIsWrappedInside() {
        LayerSource layers = new ListedHosts().lists("evil.example").inForce();
        assertEquals(
                List.of(new Canonicalization.Step("canonical", "evil.example")),
                explain(layers, KeyKind.DOMAIN, "EVIL.example").steps());
        String wrapped = "https://redirect.example/go?url=https%3A%2F%2Fevil.example%2Flogin";
        List<Canonicalization.Step> steps =
                explain(layers, KeyKind.URL, wrapped).steps();
        assertEquals(Canonicalization.steps(wrapped), steps.subList(0, steps.size() - 1));
        assertEquals(new Canonicalization.Step("wrapped inside", "https://evil.example/login"), steps.getLast());
    }

    @Test
    void digestsAreAskedWhereALayerListsThem() {
        LayerSource layers = new SmallLayer()
                .lists(KeyKind.DOMAIN_SHA1, "eba250a21240d8f30a9d64f4d74b9c6226d52e7b")
                .inForce();
        Explanation explained = explain(layers, KeyKind.DOMAIN, "bad.example");
        assertEquals(List.of("nightly, maybe, listed"), answers(explained, "eba250a21240d8f30a9d64f4d74b9c6226d52e7b"));
    }

    @Test
    void aStatementSaysWhatItsFeedMayLeadTo() {
        ListingSource tried = new ListingSource.OfFeed(Optional.of(Action.QUARANTINE), true);
        Explanation.Answer answer = only(
                explain(
                        new ListedHosts()
                                .lists("evil.example")
                                .lists("evil.example", "spam", tried)
                                .inForce(),
                        KeyKind.DOMAIN,
                        "evil.example"),
                "evil.example");
        assertEquals(
                List.of(
                        new Explanation.Statement(
                                "sample", "phishing", "suffix", everyUse(), seen(), seen(), "", false),
                        new Explanation.Statement(
                                "sample", "spam", "suffix", everyUse(), seen(), seen(), "quarantine", true)),
                answer.listings());
    }

    private static String everyUse() {
        return List.of(Use.values()).stream().map(Use::label).sorted().collect(Collectors.joining(" "));
    }

    private static String seen() {
        return ListedHosts.CREATED.toString();
    }

    @Test
    void whatOperatorsListIsAskedFirstAndWithoutAFilter() {
        LayerSource layers = new ListedHosts()
                .lists("evil.example")
                .operatorLists("ours.example", "spam")
                .inForce();
        Explanation explained = explain(layers, KeyKind.DOMAIN, "ours.example");
        assertEquals(List.of("local, exact set, listed", "nightly, no, "), answers(explained, "ours.example"));
        Explanation.Statement said = only(explained, "ours.example").listings().getFirst();
        assertEquals("local", said.feed());
        assertEquals("", said.atMost());
        assertFalse(said.shadow());
        assertEquals(
                List.of("nightly, none, "), answers(explain(layers, KeyKind.ADDRESS, "a@b.example"), "a@b.example"));
    }

    @Test
    void listsWithoutALayerAreAskedLastAboutTheirKinds() {
        Layer zones = new ListedHosts()
                .lists("evil.example")
                .inForce("dns")
                .lease()
                .layers()
                .getFirst();
        LayerLease lease = new NoLayers() {
            @Override
            public Optional<LiveBlocklists> liveBlocklists() {
                return Optional.of(new LiveBlocklists(zones, Map.of(KeyKind.DOMAIN, Set.of(Use.LINK))));
            }
        };
        assertEquals(
                List.of("dns, none, listed"), answers(explain(lease, KeyKind.DOMAIN, "evil.example"), "evil.example"));
        assertEquals(List.of(), answers(explain(lease, KeyKind.ADDRESS, "a@evil.example"), "a@evil.example"));
    }

    @Test
    void exceptionsAreToldOnceWithWhatTheyOverride() {
        ListedHosts hosts = new ListedHosts()
                .lists("evil.example")
                .fallsSilent("mute.example")
                .operatorExempts("evil.example", Optional.empty())
                .operatorExempts("mute.example", Optional.empty())
                .inForce();
        String text = "exception of domain NAME, match suffix, by ada at 2026-01-02T03:04:05Z, without end";
        Explanation listed = explain(hosts, KeyKind.DOMAIN, "evil.example");
        assertEquals(List.of("sample on evil.example: " + text.replace("NAME", "evil.example")), listed.exceptions());
        assertEquals(Verdict.Kind.CLEAN, listed.verdict());
        assertEquals(
                List.of(text.replace("NAME", "mute.example")),
                explain(hosts, KeyKind.DOMAIN, "mute.example").exceptions());
    }

    @Test
    void ofAnAddressTheNetworksAroundItAreTold() {
        ListedHosts nets = new ListedHosts()
                .listsNetworks("203.0.113.0/24", "203.0.113.8/31", "203.0.113.9/32")
                .inForce();
        Explanation listed = explain(nets, KeyKind.NETWORK, "203.0.113.9");
        Explanation.Answer answer = listed.keys().getFirst().layers().getFirst();
        assertEquals("nightly", answer.layer());
        assertEquals("20260102T030405Z", answer.generation());
        assertEquals("range", answer.filter());
        assertEquals("listed", answer.exact());
        assertEquals(3, answer.listings().size());
        assertEquals(Verdict.Kind.LISTED, listed.verdict());
        Explanation.Answer near = explain(nets, KeyKind.NETWORK, "203.0.113.10")
                .keys()
                .getFirst()
                .layers()
                .getFirst();
        assertEquals(1, near.listings().size());
        Explanation.Answer far = explain(nets, KeyKind.NETWORK, "198.51.100.7")
                .keys()
                .getFirst()
                .layers()
                .getFirst();
        assertEquals("no", far.filter());
        assertEquals("", far.exact());
        Explanation.Answer unlisted = explain(
                        new ListedHosts().lists("evil.example").inForce(), KeyKind.NETWORK, "203.0.113.9")
                .keys()
                .getFirst()
                .layers()
                .getFirst();
        assertEquals("none", unlisted.filter());
    }

    @Test
    void oneNetworkThatCannotBeAskedLeavesTheAddressInDoubt() {
        for (String silent : List.of("203.0.113.0/24", "203.0.113.9/32")) {
            ListedHosts nets = new ListedHosts()
                    .listsNetworks("203.0.113.0/24", "203.0.113.9/32")
                    .fallsSilent(silent)
                    .inForce();
            Explanation.Answer answer = explain(nets, KeyKind.NETWORK, "203.0.113.9")
                    .keys()
                    .getFirst()
                    .layers()
                    .getFirst();
            assertEquals("cannot say: does not answer", answer.exact(), silent);
            assertEquals(1, answer.listings().size());
        }
    }

    private static SmallLayer wholeHost(int urls) {
        SmallLayer layer = new SmallLayer()
                .lists(KeyKind.URL, "evil.example/", Use.LINK, urls)
                .lists(KeyKind.URL, "evil.example.test/z")
                .lists(KeyKind.URL, "evil.exampl/z");
        for (int i = 0; i < urls; i++) {
            layer.lists(KeyKind.URL, String.format(Locale.ROOT, "evil.example/u%02d", i));
        }
        return layer;
    }

    private static List<String> because(SmallLayer layer, String url, String key) {
        return only(explain(layer.inForce(), KeyKind.URL, url), key).because();
    }

    @Test
    void aHostThatIsListedForItsUrlsNamesTheFirstOfThem() {
        assertEquals(
                List.of("evil.example/u00", "evil.example/u01"),
                because(wholeHost(2), "https://evil.example/x", "evil.example/"));
        List<String> many = because(wholeHost(12), "https://evil.example/x", "evil.example/");
        assertEquals(10, many.size());
        assertEquals("evil.example/u09", many.getLast());
    }

    @Test
    void whatAFeedHoldsItselfIsListedForNoUrls() {
        assertEquals(List.of(), because(wholeHost(1), "https://evil.example/x", "evil.example/"));
        assertEquals(List.of(), because(wholeHost(2), "https://evil.example/u00", "evil.example/u00"));
        SmallLayer page = new SmallLayer()
                .lists(KeyKind.URL, "evil.example/a", Use.LINK, 7)
                .lists(KeyKind.URL, "evil.example/b");
        assertEquals(List.of(), because(page, "https://evil.example/a", "evil.example/a"));
        SmallLayer domain = new SmallLayer().lists(KeyKind.DOMAIN, "evil.example", Use.LINK, 7);
        assertEquals(
                List.of(),
                only(explain(domain.inForce(), KeyKind.DOMAIN, "evil.example"), "evil.example")
                        .because());
        SmallLayer refuted = wholeHost(2).collides(new Key(KeyKind.URL, "other.example/"));
        assertEquals(List.of(), because(refuted, "https://other.example/", "other.example/"));
    }
}
