package org.bloomgate.decision.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.bloomgate.Rounds;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.key.Use;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.EntryOrigin;
import org.bloomgate.lookup.tier.Finding;
import org.bloomgate.lookup.tier.Listing;
import org.bloomgate.lookup.tier.ListingSource;
import org.bloomgate.lookup.tier.LookupResult;
import org.bloomgate.lookup.tier.Verdict;
import org.junit.jupiter.api.Test;

/// Made-up messages and configurations against a model that looks at every listing on its own.
class PolicyModelTest {
    private static final String RECIPIENT = "u@dest.example";
    private static final List<String> CATEGORIES =
            List.of("phishing", "disposable", "tracking", "made up", "advertising", "abused");

    /// By the words of the specification, from mild to hard.
    private static final List<Action> HARDNESS =
            List.of(Action.PASS, Action.TAG, Action.QUARANTINE, Action.DEFER, Action.DISCARD, Action.REJECT);

    /// A category or a feed alone never drops mail silently.
    private static final List<Action> CAPS =
            HARDNESS.stream().filter(action -> action != Action.DISCARD).toList();

    private final Random random = new Random(20261122);

    @Test
    void randomFindings_getTheActionOfTheModel() {
        Set<Action> seen = new HashSet<>();
        for (int i = 0; i < Rounds.of(20_000); i++) {
            Map<Place, Action> places = places();
            Map<String, Action> categories = categories();
            Policy policy = new Policy(options(places, categories), Map.of());
            List<Finding> findings = findings();
            PolicyResult result =
                    policy.rule(new LookupResult(findings, new Verdict.Clean(), 1, 1, 0), Set.of(), RECIPIENT);
            assertEquals(hardest(findings, places, categories), result.action(), () -> findings + " " + places);
            assertEquals(trials(findings, places, categories), result.shadowActions());
            if (result.action() != Action.PASS) {
                Listing decisive = result.decisiveListing().orElseThrow();
                assertTrue(!decisive.source().isInShadow(), "a feed in shadow mode decides nothing");
            }
            seen.add(result.action());
        }
        assertEquals(Set.copyOf(HARDNESS), seen, "every action comes up");
    }

    @Test
    void shadowFeed_changesNoResult() {
        for (int i = 0; i < 5_000; i++) {
            Policy policy = new Policy(options(places(), categories()), Map.of());
            List<Finding> findings = findings();
            List<Finding> without = findings.stream()
                    .flatMap(finding -> withoutTrials(finding).stream())
                    .toList();
            assertEquals(rule(policy, without).action(), rule(policy, findings).action());
            assertEquals(
                    rule(policy, without).markSubject(), rule(policy, findings).markSubject());
            assertEquals(Map.of(), rule(policy, without).shadowActions());
        }
    }

    private static PolicyResult rule(Policy policy, List<Finding> findings) {
        return policy.rule(new LookupResult(findings, new Verdict.Clean(), 1, 1, 0), Set.of(), RECIPIENT);
    }

    private static Action hardest(List<Finding> findings, Map<Place, Action> places, Map<String, Action> categories) {
        int hardest = 0;
        for (Finding finding : findings) {
            for (Listing listing : listings(finding)) {
                if (!listing.source().isInShadow()) {
                    hardest = Math.max(hardest, mildest(finding, listing, places, categories));
                }
            }
        }
        return HARDNESS.get(hardest);
    }

    private static Map<String, Action> trials(
            List<Finding> findings, Map<Place, Action> places, Map<String, Action> categories) {
        Map<String, Action> trials = new TreeMap<>();
        for (Finding finding : findings) {
            for (Listing listing : listings(finding)) {
                if (listing.source().isInShadow()) {
                    int action = mildest(finding, listing, places, categories);
                    int before = HARDNESS.indexOf(trials.getOrDefault(listing.feed(), Action.PASS));
                    trials.put(listing.feed(), HARDNESS.get(Math.max(before, action)));
                }
            }
        }
        return trials;
    }

    private static int mildest(
            Finding finding, Listing listing, Map<Place, Action> places, Map<String, Action> categories) {
        int mildest = HARDNESS.indexOf(places.getOrDefault(
                finding.identifier().place(), shippedAt(finding.identifier().place())));
        if (listing.source() instanceof ListingSource.OfFeed feed) {
            String category = listing.category();
            Action shipped = switch (category) {
                case "disposable", "abused" -> Action.TAG;
                case "tracking", "advertising" -> Action.PASS;
                default -> categories.getOrDefault("default", Action.REJECT);
            };
            mildest = Math.min(mildest, hardness(categories.getOrDefault(category, shipped)));
            mildest = Math.min(
                    mildest, feed.action().map(PolicyModelTest::hardness).orElse(mildest));
        }
        return mildest;
    }

    private static Action shippedAt(Place place) {
        return PolicyOptions.defaults().listed().getOrDefault(place, Action.REJECT);
    }

    private static int hardness(Action cap) {
        return HARDNESS.indexOf(cap);
    }

    private static List<Listing> listings(Finding finding) {
        return finding.found() instanceof Verdict.Listed listed ? listed.listings() : List.of();
    }

    private static List<Finding> withoutTrials(Finding finding) {
        List<Listing> left = listings(finding).stream()
                .filter(listing -> !listing.source().isInShadow())
                .toList();
        return left.isEmpty() ? List.of() : List.of(new Finding(0, finding.identifier(), new Verdict.Listed(left)));
    }

    private List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        int count = random.nextInt(5);
        for (int i = 0; i < count; i++) {
            List<Listing> listings = new ArrayList<>();
            int feeds = 1 + random.nextInt(3);
            for (int feed = 0; feed < feeds; feed++) {
                listings.add(listing());
            }
            Place place = any(List.of(Place.values()));
            findings.add(new Finding(
                    i,
                    new Identifier(KeyKind.DOMAIN, "bad.example", place, place.label()),
                    new Verdict.Listed(listings)));
        }
        return findings;
    }

    private Listing listing() {
        return new Listing(
                        "feed-" + random.nextInt(6),
                        any(CATEGORIES),
                        new Key(KeyKind.DOMAIN, "bad.example"),
                        Match.SUFFIX,
                        Set.of(Use.values()),
                        Instant.EPOCH,
                        Instant.EPOCH,
                        0)
                .withSource(source());
    }

    private ListingSource source() {
        if (random.nextInt(8) == 0) {
            return new ListingSource.Operators(EntryOrigin.HERE, Optional.empty());
        }
        Optional<Action> action = random.nextInt(3) == 0 ? Optional.of(any(CAPS)) : Optional.empty();
        return new ListingSource.OfFeed(action, random.nextInt(4) == 0);
    }

    private Map<Place, Action> places() {
        Map<Place, Action> places = new EnumMap<>(Place.class);
        for (Place place : Place.values()) {
            if (random.nextInt(3) > 0) {
                places.put(place, any(HARDNESS));
            }
        }
        return places;
    }

    private Map<String, Action> categories() {
        Map<String, Action> categories = new HashMap<>();
        for (String category : List.of("phishing", "tracking", "made up", "default")) {
            if (random.nextInt(2) == 0) {
                categories.put(category, any(CAPS));
            }
        }
        return categories;
    }

    private static PolicyOptions options(Map<Place, Action> places, Map<String, Action> categories) {
        return new PolicyOptions(
                places,
                categories,
                Map.of(),
                Map.of(),
                Action.TAG,
                Map.of(),
                "",
                ReplyText.SHIPPED,
                false,
                PolicyOptions.defaults().helo(),
                NewRecipientLimits.NOTHING,
                Map.of());
    }

    private <T> T any(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }
}
