package org.bloomgate.lists.rebuild;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.bloomgate.RecordCopy;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedFormat;
import org.bloomgate.lists.format.SharedHosts;
import org.bloomgate.lists.layer.RebuildOptions;
import org.bloomgate.lists.layer.RebuildOutcome;
import org.bloomgate.lists.layer.RebuildReport;
import org.bloomgate.lookup.tier.Listing;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PromotionTest {
    @TempDir
    private Path folder;

    private RebuildRig rig = new RebuildRig(Path.of(""));

    @BeforeEach
    void newRig() {
        rig = new RebuildRig(folder);
    }

    private void urls(String name, int promoteHosts, String... urls) throws IOException {
        rig.feed(name, KeyKind.URL, urls).feedOption(name, "promoteHosts", promoteHosts);
    }

    private List<Listing> whole(String host) throws IOException {
        return rig.listings(new Key(KeyKind.URL, host + "/"));
    }

    private Set<String> promotedBy(String host) throws IOException {
        Set<String> names = new TreeSet<>();
        whole(host).forEach(listing -> names.add(listing.feed()));
        return names;
    }

    @Test
    void hostOfEnoughDistinctUrlsIsListedAsAWholeForLinksAlone() throws Exception {
        urls(
                "list",
                2,
                "http://taken.example/a",
                "https://taken.example/b?x=1",
                "http://taken.example-neighbour.example/a",
                "http://once.example/a",
                "http://once.example/a#same",
                "http://once.example/a/",
                "http://www.taken.example/c");
        RebuildReport report = rig.run();
        assertEquals(RebuildOutcome.PUBLISHED, report.outcome());
        Listing listing = whole("taken.example").getFirst();
        assertEquals("list", listing.feed());
        assertEquals(Match.SUFFIX, listing.match());
        assertEquals(2, listing.count());
        assertEquals(List.of(), whole("once.example"));
        assertEquals(List.of(), whole("taken.example-neighbour.example"));
        assertEquals(List.of(), rig.listings("taken.example"), "no domain is listed");
        assertEquals(7, report.kinds().getFirst().keys());
        assertEquals(7, report.proof().orElseThrow().filterKeys());
    }

    @Test
    void urlsOfAllFeedsThatWantItCountTogetherAndOthersDoNot() throws Exception {
        urls("one", 2, "http://both.example/a", "http://mixed.example/a");
        urls("two", 2, "http://both.example/b", "http://both.example/a");
        urls("three", 3, "http://both.example/a");
        urls("none", 0, "http://mixed.example/b", "http://mixed.example/c", "http://both.example/c");
        rig.run();
        assertEquals(Set.of("one", "two"), promotedBy("both.example"));
        assertEquals(Set.of(), promotedBy("mixed.example"));
    }

    @Test
    void popularNamesPublicSuffixesAndCanariesAreNoOnesOwn() throws Exception {
        rig.option(
                "bounds",
                new RebuildOptions.Bounds(
                        0.2,
                        0.2,
                        0.5,
                        1.0,
                        1.0,
                        0.005,
                        0.05,
                        List.of("canary.example", "http://www.our.example/x"),
                        SharedHosts.Own.defaults()));
        urls(
                "list",
                2,
                "http://docs.popular.example/a",
                "http://docs.popular.example/b",
                "http://github.io/a",
                "http://github.io/b",
                "http://tenant.github.io/a",
                "http://tenant.github.io/b",
                "http://mail.canary.example/a",
                "http://mail.canary.example/b",
                "http://our.example/a",
                "http://our.example/b",
                "http://192.0.2.7/a",
                "http://192.0.2.7/b");
        rig.feedOption("list", "trusted", true);
        assertEquals(RebuildOutcome.PUBLISHED, rig.run().outcome());
        for (String shared : List.of("docs.popular.example", "github.io", "mail.canary.example", "our.example")) {
            assertEquals(Set.of(), promotedBy(shared), shared);
        }
        assertEquals(Set.of("list"), promotedBy("tenant.github.io"));
        assertEquals(Set.of("list"), promotedBy("192.0.2.7"));
    }

    @Test
    void itExpiresWithTheNewestOfItsUrls() throws Exception {
        urls("window", 2, "http://taken.example/a", "http://other.example/a");
        rig.feedOption("window", "retention", Duration.ofDays(5));
        rig.run();
        rig.daysPass(3);
        rig.content("window", "http://taken.example/b", "http://other.example/a");
        rig.run();
        rig.content("window", "http://other.example/a");
        rig.daysPass(4);
        rig.run();
        assertEquals(Set.of("window"), promotedBy("taken.example"), "the older URL is gone, the newer is not");
        rig.daysPass(1);
        rig.run();
        assertEquals(Set.of(), promotedBy("taken.example"));
    }

    @Test
    void hostThatAFeedListsAsAWholeStaysOneKeyOfBoth() throws Exception {
        urls("list", 2, "http://taken.example/", "http://taken.example/a", "http://taken.example/b");
        RebuildReport report = rig.run();
        assertEquals(3, report.kinds().getFirst().keys());
        assertEquals(1, whole("taken.example").size());
    }

    @Test
    void onlyUrlFeedsThatReachBelowTheirUrlsPromote() {
        Feed domains = Feed.of("x", KeyKind.DOMAIN, FeedFormat.LINES, "x.txt");
        Feed urls = Feed.of("x", KeyKind.URL, FeedFormat.LINES, "x.txt");
        assertFalse(RecordCopy.with(domains, "promoteHosts", 2).problems().isEmpty());
        assertFalse(RecordCopy.with(urls, "promoteHosts", 1).problems().isEmpty());
        assertFalse(RecordCopy.with(urls, "promoteHosts", -1).problems().isEmpty());
        assertEquals(List.of(), RecordCopy.with(urls, "promoteHosts", 2).problems());
    }
}
