package org.bloomgate.lists.rebuild;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.fetch.FeedCounts;
import org.bloomgate.lists.fetch.FeedFormat;
import org.bloomgate.lists.layer.FeedReport;
import org.bloomgate.lists.layer.RebuildOutcome;
import org.bloomgate.lists.layer.RebuildReport;
import org.bloomgate.lookup.tier.Listing;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What becomes of a feed that cannot be taken today.
class FailedFeedTest {
    @TempDir
    private Path folder;

    private RebuildRig rig = new RebuildRig(Path.of(""));

    @BeforeEach
    void newRig() {
        rig = new RebuildRig(folder);
    }

    @Test
    void failedFeedIsReplacedByItsLastGoodCopy() throws Exception {
        rig.feed("steady", KeyKind.DOMAIN, "steady.example").feed("broken", KeyKind.DOMAIN, "kept.example");
        rig.run();
        Files.delete(rig.source("broken"));
        rig.content("steady", "steady.example", "new.example");
        rig.daysPass(1);
        RebuildReport report = rig.run();

        assertEquals(RebuildOutcome.PUBLISHED_WITH_FAILED_FEEDS, report.outcome());
        assertEquals(1, report.outcome().exitStatus());
        FeedReport broken = report.failedFeeds().getFirst();
        assertEquals("broken", broken.name());
        assertEquals(FeedReport.From.LAST_GOOD_COPY, broken.from());
        assertTrue(
                broken.failure().orElseThrow().contains("no file"),
                broken.failure().orElseThrow());
        assertEquals(Set.of("broken"), rig.listedBy("kept.example"));
        assertEquals(Set.of("steady"), rig.listedBy("new.example"));
    }

    @Test
    void failedFeedWithoutACopyIsLeftOutAndNamed() throws Exception {
        rig.feed("good", KeyKind.DOMAIN, "good.example").feed("bad", KeyKind.DOMAIN, "bad.example");
        Files.delete(rig.source("bad"));
        RebuildReport report = rig.run();

        assertEquals(RebuildOutcome.PUBLISHED_WITH_FAILED_FEEDS, report.outcome());
        assertEquals(FeedReport.From.NOTHING, report.failedFeeds().getFirst().from());
        assertEquals(Set.of("good"), rig.listedBy("good.example"));
    }

    @Test
    void feedWithTooManyRejectsGivesNothingOfItself() throws Exception {
        rig.feed("good", KeyKind.DOMAIN, "good.example");
        rig.feed("odd", KeyKind.DOMAIN, "half.example", "/evil[0-9]+/", "fine.example", "not a host at all");
        RebuildReport report = rig.run();

        String failure = report.failedFeeds().getFirst().failure().orElseThrow();
        assertTrue(failure.startsWith("2 of 4 lines rejected"), failure);
        assertEquals(1, report.kinds().getFirst().keys());
        assertEquals(Set.of(), rig.listedBy("half.example"));
    }

    @Test
    void listInAnotherFormatIsToldByItsLines() throws Exception {
        Map<String, String> lines = Map.of(
                "hosts", "127.0.0.1\tevil.example",
                "adblock", "||evil.example^$all",
                "dnsmasq", "address=/evil.example/0.0.0.0",
                "unbound", "local-zone: \"evil.example\" always_nxdomain",
                "bind", "zone \"evil.example\" { type master; file \"null\"; };",
                "rpz", "evil.example CNAME .");
        for (Map.Entry<String, String> list : lines.entrySet()) {
            rig.feed(list.getKey(), KeyKind.DOMAIN, list.getValue());
        }
        rig.feed("good", KeyKind.DOMAIN, "good.example").feed("else", KeyKind.DOMAIN, "no list at all");
        for (FeedReport failed : rig.run().failedFeeds()) {
            String failure = failed.failure().orElseThrow();
            assertEquals(
                    lines.containsKey(failed.name()),
                    failure.contains("the lines look like format " + failed.name() + "; line 1: "),
                    failure);
        }
        assertEquals(lines.size() + 1, rig.run().failedFeeds().size());
    }

    @Test
    void rulesThatNoListingCanCarrySayNothingAgainstTheirList() throws Exception {
        rig.feed("rules", KeyKind.DOMAIN, "||evil.example^", "shop.example##.ad", "@@||fine.example^", "||ad*.example^")
                .feedOption("rules", "format", FeedFormat.ADBLOCK);
        RebuildReport report = rig.run();
        assertEquals(RebuildOutcome.PUBLISHED, report.outcome());
        assertEquals(
                new FeedCounts(4, 1, 1, 2, 2, 0, 1), report.feeds().getFirst().counts());

        rig.content("rules", "||evil.example^", "shop.example##.ad", "other");
        assertTrue(rig.run().failedFeeds().getFirst().failure().orElseThrow().startsWith("1 of 3 lines rejected"));
    }

    @Test
    void copyThatFailsItsGateIsNotKept() throws Exception {
        rig.feed("good", KeyKind.DOMAIN, "good.example").feed("odd", KeyKind.DOMAIN, "first.example");
        rig.run();
        rig.content("odd", "<html>", "<title>Service unavailable</title>", "</html>");
        rig.run();
        rig.run();
        assertEquals(Set.of("odd"), rig.listedBy("first.example"));
    }

    @Test
    void feedOfCommentsAloneIsReplacedByItsLastGoodCopy() throws Exception {
        for (String empty : List.of("", "\n", "# nothing today\n", "\uFEFF# nothing\r\n\r\n", "popular.example\n")) {
            rig = new RebuildRig(Files.createTempDirectory(folder, "rig"));
            rig.feed("good", KeyKind.DOMAIN, "good.example").feed("list", KeyKind.DOMAIN, "kept.example");
            rig.run();
            Files.writeString(rig.source("list"), empty);
            RebuildReport report = rig.run();
            assertEquals(RebuildOutcome.PUBLISHED_WITH_FAILED_FEEDS, report.outcome());
            FeedReport failed = report.failedFeeds().getFirst();
            assertEquals(FeedReport.From.LAST_GOOD_COPY, failed.from());
            assertEquals(Set.of("list"), rig.listedBy("kept.example"));
            assertEquals(RebuildOutcome.PUBLISHED_WITH_FAILED_FEEDS, rig.run().outcome(), "the copy was not replaced");
        }
    }

    @Test
    void listingOfALastGoodCopyWasLastSeenWhenThatWasFetched() throws Exception {
        rig.feed("steady", KeyKind.DOMAIN, "steady.example").feed("broken", KeyKind.DOMAIN, "kept.example");
        rig.run();
        Files.delete(rig.source("broken"));
        for (int day = 1; day <= 2; day++) {
            rig.daysPass(1);
            assertEquals(RebuildOutcome.PUBLISHED_WITH_FAILED_FEEDS, rig.run().outcome());
            Listing kept = rig.listings("kept.example").getFirst();
            assertEquals(List.of(RebuildRig.MONDAY, RebuildRig.MONDAY), List.of(kept.firstSeen(), kept.lastSeen()));
            assertEquals(rig.now, rig.listings("steady.example").getFirst().lastSeen());
        }
    }

    @Test
    void feedsThatAreNotNamedComeFromTheirLastGoodCopies() throws Exception {
        rig.feed("one", KeyKind.DOMAIN, "one.example").feed("two", KeyKind.DOMAIN, "two.example");
        rig.run();
        rig.content("one", "one-new.example").content("two", "two-new.example");
        RebuildReport report = rig.run(Set.of("one"), Rebuild.Mode.PUBLISH);

        assertEquals(RebuildOutcome.PUBLISHED, report.outcome());
        assertEquals(Set.of("one"), rig.listedBy("one-new.example"));
        assertEquals(Set.of("two"), rig.listedBy("two.example"));
        assertEquals(Set.of(), rig.listedBy("two-new.example"));
    }
}
