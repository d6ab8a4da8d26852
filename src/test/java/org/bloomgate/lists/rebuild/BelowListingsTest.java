package org.bloomgate.lists.rebuild;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.lists.fetch.FeedCounts;
import org.bloomgate.lists.fetch.FeedFormat;
import org.bloomgate.lists.layer.RebuildOutcome;
import org.bloomgate.lists.sort.RunWriter;
import org.bloomgate.lookup.store.SortedStore;
import org.bloomgate.lookup.store.StoreDigest;
import org.bloomgate.lookup.tier.Listing;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Entries that list only the names below a domain, from the feed to the store.
class BelowListingsTest {
    @TempDir
    Path folder;

    private RebuildRig rig;

    @BeforeEach
    void zone() throws IOException {
        rig = new RebuildRig(folder);
        rig.feed("zone", KeyKind.DOMAIN).feedOption("zone", "format", FeedFormat.RPZ);
        rig.content(
                "zone",
                "one.example CNAME .",
                "*.two.example CNAME .",
                "both.example CNAME .",
                "*.both.example A 192.0.2.1");
    }

    private List<Match> matches(String domain) throws IOException {
        return rig.listings(domain).stream().map(Listing::match).toList();
    }

    @ParameterizedTest
    @EnumSource(
            value = FeedFormat.class,
            names = {"RPZ", "ADBLOCK", "RBLDNSD"})
    void wildcardInFormat_listsNamesBelow(FeedFormat format) throws IOException {
        String line = switch (format) {
            case ADBLOCK -> "||*.two.example^";
            case RBLDNSD -> "*.two.example";
            default -> "*.two.example CNAME .";
        };
        rig.feedOption("zone", "format", format).content("zone", line);
        assertEquals(RebuildOutcome.PUBLISHED, rig.run().outcome());
        assertEquals(List.of(Match.BELOW), matches("two.example"));
    }

    @Test
    void wildcardList_listsNameToo() throws IOException {
        rig.feedOption("zone", "format", FeedFormat.WILDCARD).content("zone", "*.two.example");
        assertEquals(RebuildOutcome.PUBLISHED, rig.run().outcome());
        assertEquals(List.of(Match.SUFFIX), matches("two.example"));
    }

    @Test
    void nameListedItself_hasNoSecondListing() throws IOException {
        assertEquals(RebuildOutcome.PUBLISHED, rig.run().outcome());
        assertEquals(List.of(Match.SUFFIX), matches("one.example"));
        assertEquals(List.of(Match.BELOW), matches("two.example"));
        assertEquals(List.of(Match.SUFFIX), matches("both.example"));
    }

    @Test
    void exactFeed_keepsBothListings() throws IOException {
        rig.feedOption("zone", "match", Match.EXACT);
        assertEquals(RebuildOutcome.PUBLISHED, rig.run().outcome());
        assertEquals(List.of(Match.EXACT), matches("one.example"));
        assertEquals(List.of(Match.BELOW), matches("two.example"));
        assertEquals(List.of(Match.EXACT, Match.BELOW), matches("both.example"));
    }

    @Test
    void laterSnapshot_keepsFirstSightAndRetainedMatch() throws IOException {
        rig.feedOption("zone", "retention", Duration.ofDays(5));
        rig.run();
        rig.daysPass(1);
        rig.content("zone", "one.example CNAME .", "*.three.example CNAME .", "*.both.example CNAME .");
        assertEquals(RebuildOutcome.PUBLISHED, rig.run().outcome());
        assertEquals(List.of(Match.BELOW), matches("two.example"));
        assertEquals(List.of(Match.SUFFIX), matches("both.example"), "the name is retained");
        assertEquals(RebuildRig.MONDAY, rig.listings("two.example").getFirst().firstSeen());
        rig.daysPass(6);
        rig.content(
                "zone",
                "one.example CNAME .",
                "*.three.example CNAME .",
                "*.both.example CNAME .",
                "x.example A 192.0.2.1");
        assertEquals(RebuildOutcome.PUBLISHED, rig.run().outcome());
        assertEquals(List.of(), matches("two.example"));
        assertEquals(List.of(Match.BELOW), matches("both.example"));
        assertEquals(
                RebuildRig.MONDAY.plus(Duration.ofDays(1)),
                rig.listings("three.example").getFirst().firstSeen());
    }

    @Test
    void storeWithoutSuchEntries_hasOneFeed() throws IOException {
        rig.content("zone", "one.example CNAME .");
        rig.run();
        try (SortedStore store = store()) {
            assertEquals(1, store.feeds().size());
        }
    }

    private SortedStore store() throws IOException {
        return SortedStore.open(rig.layer().resolveExactDirectory(rig.current().orElseThrow()));
    }

    private List<String> digest() throws IOException {
        try (SortedStore store = store()) {
            return StoreDigest.computeLines(store);
        }
    }

    @Test
    void runsOfAnotherEngine_giveTheSameStore() throws IOException {
        rig.run();
        List<String> read = digest();
        Path run = folder.resolve("part.run");
        try (RunWriter writer = new RunWriter(run)) {
            for (String record :
                    List.of("both.example 0", "both.example 32768", "one.example 0", "two.example 32768")) {
                byte[] key = ("\u0002" + record.substring(0, record.indexOf(' '))).getBytes(UTF_8);
                boolean _ =
                        writer.add(key, 0, key.length, Integer.parseInt(record.substring(record.indexOf(' ') + 1)), 0);
            }
        }
        Runs.write(
                folder,
                new Runs.Index(
                        RebuildRig.MONDAY,
                        OptionalLong.empty(),
                        Optional.of(Sha256.hex(PublicSuffixes.bundled().bytes())),
                        Optional.empty(),
                        List.of(new Runs.OfLayer(
                                "nightly",
                                List.of(new Runs.OfFeed(
                                        "zone", Optional.empty(), new FeedCounts(4, 4, 0, 0, 0, 0, 4), List.of())),
                                List.of(new Runs.Run("part.run", Files.size(run), Sha256.hex(run)))))));
        assertEquals(RebuildOutcome.PUBLISHED, rig.runFrom(Runs.read(folder)).outcome());
        assertEquals(read, digest());
        assertEquals(List.of(Match.BELOW), matches("two.example"));
    }

    @Test
    void feedOfSuchEntriesInParallel_isReadAlike() throws IOException {
        String[] lines = Stream.iterate(0, i -> i + 1)
                .limit(60_000)
                .map(i -> i % 3 == 0 ? "n" + i + ".example" : "*.n" + i + ".example")
                .toArray(String[]::new);
        rig.feedOption("zone", "format", FeedFormat.RBLDNSD).content("zone", lines);
        assertEquals(RebuildOutcome.PUBLISHED, rig.run().outcome());
        for (int i : new int[] {0, 1, 2, 29_998, 59_999}) {
            assertEquals(List.of(i % 3 == 0 ? Match.SUFFIX : Match.BELOW), matches("n" + i + ".example"), lines[i]);
        }
    }
}
