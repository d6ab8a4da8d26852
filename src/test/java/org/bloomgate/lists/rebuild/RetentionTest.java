package org.bloomgate.lists.rebuild;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.layer.RebuildOutcome;
import org.bloomgate.lists.layer.RebuildReport;
import org.bloomgate.lists.layer.RebuildReport.FeedChange;
import org.bloomgate.lookup.tier.Listing;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What lives on although its feed holds it no longer.
class RetentionTest {
    @TempDir
    private Path folder;

    private RebuildRig rig = new RebuildRig(Path.of(""));

    @BeforeEach
    void newRig() {
        rig = new RebuildRig(folder);
    }

    @Test
    void removedListing_expiresAfterItsRetention() throws Exception {
        rig.feed("window", KeyKind.DOMAIN, "old.example", "both.example");
        rig.feedOption("window", "retention", Duration.ofDays(3));
        rig.run();
        rig.content("window", "both.example", "new.example");
        for (int day = 1; day <= 2; day++) {
            rig.daysPass(1);
            RebuildReport report = rig.run();
            Listing kept = rig.listings("old.example").getFirst();
            assertEquals(List.of(RebuildRig.MONDAY, RebuildRig.MONDAY), List.of(kept.firstSeen(), kept.lastSeen()));
            assertEquals(rig.now, rig.listings("both.example").getFirst().lastSeen());
            assertEquals(1, report.changes().getFirst().retained());
            assertEquals(0, report.changes().getFirst().removed());
        }
        rig.daysPass(1);
        FeedChange change = rig.run().changes().getFirst();
        assertEquals(Set.of(), rig.listedBy("old.example"));
        assertEquals(List.of("old.example"), change.removedKeys());
        assertEquals(0, change.retained());
    }

    @Test
    void removalWithoutRetention_takesEffectAtOnce() throws Exception {
        rig.feed("steady", KeyKind.DOMAIN, "gone.example", "stays.example");
        rig.run();
        rig.content("steady", "stays.example");
        rig.daysPass(1);
        FeedChange change = rig.run().changes().getFirst();
        assertEquals(Set.of(), rig.listedBy("gone.example"));
        assertEquals(new FeedChange("steady", 2, 0, 1, 0, List.of(), List.of("gone.example")), change);
    }

    @Test
    void listingThatReturns_keepsFirstSeen() throws Exception {
        rig.feed("window", KeyKind.DOMAIN, "comes.example", "other.example");
        rig.feedOption("window", "retention", Duration.ofDays(9));
        rig.run();
        rig.content("window", "other.example");
        rig.daysPass(5);
        rig.run();
        rig.content("window", "other.example", "comes.example");
        rig.daysPass(5);
        rig.run();
        Listing back = rig.listings("comes.example").getFirst();
        assertEquals(List.of(RebuildRig.MONDAY, rig.now), List.of(back.firstSeen(), back.lastSeen()));
    }

    @Test
    void retention_appliesToItsFeedOnly() throws Exception {
        rig.feed("window", KeyKind.DOMAIN, "both.example", "w.example");
        rig.feed("steady", KeyKind.DOMAIN, "both.example", "s.example");
        rig.feedOption("window", "retention", Duration.ofDays(30));
        rig.run();
        rig.content("window", "w.example").content("steady", "s.example");
        rig.daysPass(1);
        RebuildReport report = rig.run();
        assertEquals(Set.of("window"), rig.listedBy("both.example"));
        assertEquals(
                List.of(1L, 0L),
                report.changes().stream().map(FeedChange::removed).toList());
        assertEquals(
                List.of("steady", "window"),
                report.changes().stream().map(FeedChange::feed).toList());
    }

    @Test
    void passwordCount_isRetained() throws Exception {
        rig.feed("weak", KeyKind.PASSWORD, "123456", "password");
        rig.feedOption("weak", "retention", Duration.ofDays(30));
        rig.run();
        rig.content("weak", "password");
        rig.daysPass(1);
        FeedChange change = rig.run().changes().getFirst();
        Key key = new Key(KeyKind.PASSWORD, "7C4A8D09CA3762AF61E59520943DC26494F8941B");
        assertEquals(RebuildRig.MONDAY, rig.listings(key).getFirst().lastSeen());
        assertEquals(1, change.retained());
    }

    @Test
    void allowList_endsRetention() throws Exception {
        rig.feed("window", KeyKind.DOMAIN, "popular.example", "other.example");
        rig.feedOption("window", "retention", Duration.ofDays(30)).feedOption("window", "trusted", true);
        rig.run();
        assertEquals(Set.of("window"), rig.listedBy("popular.example"));
        rig.content("window", "other.example").feedOption("window", "trusted", false);
        rig.daysPass(1);
        rig.run();
        assertEquals(Set.of(), rig.listedBy("popular.example"));
    }

    @Test
    void failedFeedWithoutACopy_keepsRetainedListings() throws Exception {
        rig.feed("good", KeyKind.DOMAIN, "good.example").feed("window", KeyKind.DOMAIN, "kept.example");
        rig.feedOption("window", "retention", Duration.ofDays(30));
        rig.run();
        Files.delete(rig.source("window"));
        try (Stream<Path> copies = Files.list(rig.snapshots.resolve(".feeds"))) {
            for (Path copy : copies.toList()) {
                Files.delete(copy);
            }
        }
        rig.daysPass(1);
        RebuildReport report = rig.run();
        assertEquals(RebuildOutcome.PUBLISHED_WITH_FAILED_FEEDS, report.outcome());
        assertEquals(Set.of("window"), rig.listedBy("kept.example"));
        assertEquals(1, report.changes().getLast().retained());
    }

    @Test
    void damagedPreviousSnapshot_isAWarning() throws Exception {
        rig.feed("window", KeyKind.DOMAIN, "a.example", "b.example");
        rig.feedOption("window", "retention", Duration.ofDays(30));
        rig.damageStore(rig.run().generation().orElseThrow());
        rig.content("window", "b.example");
        rig.daysPass(1);
        RebuildReport report = rig.run();
        assertEquals(RebuildOutcome.PUBLISHED, report.outcome());
        assertTrue(report.warnings().getFirst().contains("retained"), report.warnings()::toString);
        assertEquals(Set.of("window"), rig.listedBy("b.example"));
    }
}
