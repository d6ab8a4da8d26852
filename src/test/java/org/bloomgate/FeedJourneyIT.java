package org.bloomgate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.bloomgate.base.config.ConfigReader;
import org.bloomgate.core.key.FeedKeys;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.decision.evaluation.ValueKeys;
import org.bloomgate.decision.keyjournal.KeyJournalOptions;
import org.bloomgate.lists.fetch.Cadence;
import org.bloomgate.lists.fetch.FeedFetcher;
import org.bloomgate.lists.fetch.Feeds;
import org.bloomgate.lists.format.AllowList;
import org.bloomgate.lists.format.FeedReader;
import org.bloomgate.lists.layer.FilterOptions;
import org.bloomgate.lists.layer.RebuildOptions;
import org.bloomgate.lists.layer.RebuildOutcome;
import org.bloomgate.lists.layer.RebuildProgress;
import org.bloomgate.lists.layer.RebuildReport;
import org.bloomgate.lists.layer.SeedSource;
import org.bloomgate.lists.rebuild.Rebuild;
import org.bloomgate.lists.rebuild.RebuildPlan;
import org.bloomgate.lists.snapshot.LiveSnapshots;
import org.bloomgate.lists.snapshot.SnapshotReader;
import org.bloomgate.lookup.store.SortedStore;
import org.bloomgate.lookup.tier.LayerLease;
import org.bloomgate.lookup.tier.Listing;
import org.bloomgate.lookup.tier.LookupCounts;
import org.bloomgate.lookup.tier.TwoTierLookup;
import org.bloomgate.lookup.tier.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A feed's way from the shipped configuration to a verdict.
class FeedJourneyIT {
    private static final PublicSuffixes SUFFIXES = PublicSuffixes.bundled();

    @TempDir
    private Path folder;

    @Test
    void shippedSamplesBecomeASnapshotThatAnswers() throws Exception {
        Feeds feeds = ConfigReader.read(Path.of("config/feeds.yaml"), Feeds.defaults());
        Rebuild rebuild = new Rebuild(
                new Rebuild.Settings(
                        folder,
                        RebuildOptions.defaults(),
                        FilterOptions.defaults(),
                        new KeyJournalOptions(folder.resolve("keys"), Duration.ofDays(2), 1 << 20)),
                new Rebuild.Tools(
                        new FeedFetcher("test"),
                        new FeedReader(new FeedKeys(SUFFIXES), AllowList.load(feeds.allow())),
                        SUFFIXES,
                        Optional.empty(),
                        InstantSource.system(),
                        new SeedSource.Drawn(new SplittableRandom(1))));
        RebuildReport report = rebuild.run(
                Cadence.NIGHTLY,
                feeds.feeds(),
                new RebuildPlan.FromFeeds(Set.of(), Rebuild.Mode.PUBLISH),
                RebuildProgress.silent());
        assertEquals(RebuildOutcome.PUBLISHED, report.outcome(), report.toString());

        LookupCounts counts = new LookupCounts();
        TwoTierLookup lookup = new TwoTierLookup(Duration.ofMinutes(1), counts);
        try (LiveSnapshots live = new LiveSnapshots(
                        folder,
                        new SnapshotReader(),
                        snapshot -> SortedStore.open(snapshot.exactDirectory()),
                        SUFFIXES,
                        InstantSource.system());
                LayerLease lease = live.lease()) {
            Map.of(
                            "phish.example", "sample-domains",
                            "below.phish.example", "sample-domains",
                            "192.0.2.66", "sample-domains")
                    .forEach((domain, feed) -> assertEquals(
                            Set.of(feed), feedsThatList(judge(lookup, lease, KeyKind.DOMAIN, domain)), domain));
            assertEquals(
                    Set.of("sample-urls"),
                    feedsThatList(judge(
                            lookup, lease, KeyKind.URL, "http://FILES.example/drop/../drop/deeper/invoice.exe#top")));
            assertInstanceOf(Verdict.Listed.class, judge(lookup, lease, KeyKind.ADDRESS, "mallory@mail.example"));
            assertInstanceOf(Verdict.Listed.class, judge(lookup, lease, KeyKind.PASSWORD, "123456"));
            assertInstanceOf(
                    Verdict.Listed.class,
                    judge(
                            lookup,
                            lease,
                            KeyKind.HASH,
                            "275A021BBFB6489E54D471899F7DB9D1663FC695EC2FE2A2C4538AABF651FD0F"));

            long suspects = counts.suspects();
            for (String clean : List.of("files.example", "mail.example", "bank.example", "example.org")) {
                assertInstanceOf(Verdict.Clean.class, judge(lookup, lease, KeyKind.DOMAIN, clean), clean);
            }
            assertInstanceOf(
                    Verdict.Clean.class, judge(lookup, lease, KeyKind.PASSWORD, "a long phrase that nobody leaked"));
            assertEquals(suspects, counts.suspects(), "clean values never reach the exact tier");
        }
    }

    private static Verdict judge(TwoTierLookup lookup, LayerLease lease, KeyKind kind, String value) {
        KeyBatch batch = new KeyBatch();
        new ValueKeys(lease.suffixes(), batch).add(kind, value);
        return lookup.evaluate(batch, lease).verdict();
    }

    private static Set<String> feedsThatList(Verdict verdict) {
        return assertInstanceOf(Verdict.Listed.class, verdict).listings().stream()
                .map(Listing::feed)
                .collect(Collectors.toSet());
    }
}
