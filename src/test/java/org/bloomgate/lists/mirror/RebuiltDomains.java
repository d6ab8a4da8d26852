package org.bloomgate.lists.mirror;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.bloomgate.core.key.FeedKeys;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.decision.keyjournal.KeyJournalOptions;
import org.bloomgate.lists.fetch.Cadence;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedFetcher;
import org.bloomgate.lists.fetch.FeedFormat;
import org.bloomgate.lists.format.AllowList;
import org.bloomgate.lists.format.FeedReader;
import org.bloomgate.lists.layer.FilterOptions;
import org.bloomgate.lists.layer.RebuildOptions;
import org.bloomgate.lists.layer.RebuildOutcome;
import org.bloomgate.lists.layer.RebuildProgress;
import org.bloomgate.lists.layer.SeedSource;
import org.bloomgate.lists.rebuild.Rebuild;
import org.bloomgate.lists.rebuild.RebuildPlan;

/// A publisher's nightly layer of domains, which change and are rebuilt.
final class RebuiltDomains {
    static final Instant BEGIN = Instant.parse("2026-03-02T02:00:00Z");

    SeedSource seeds = new SeedSource.Given(1);
    private final SplittableRandom random = new SplittableRandom(20);
    private final Set<String> listed = new TreeSet<>();
    private final Path folder;
    private Instant now = BEGIN;

    /// @param folder for the feed
    RebuiltDomains(Path folder, int count) {
        this.folder = folder;
        addDomains(count);
    }

    private void addDomains(int count) {
        for (int i = 0; i < count; i++) {
            listed.add("host" + random.nextInt() + ".example");
        }
    }

    /// Removes a twentieth and adds 100, a twentieth of 2,000.
    void change() {
        listed.removeIf(_ -> random.nextInt(20) == 0);
        addDomains(100);
    }

    /// Rebuilds a minute after the last time.
    ///
    /// @param root of all layers
    RebuildOutcome rebuild(Path root) throws IOException {
        Path feed = Files.write(folder.resolve("domains.txt"), listed);
        now = now.plus(Duration.ofMinutes(1));
        PublicSuffixes suffixes = PublicSuffixes.bundled();
        Rebuild rebuild = new Rebuild(
                new Rebuild.Settings(
                        root,
                        RebuildOptions.defaults(),
                        FilterOptions.defaults(),
                        new KeyJournalOptions(folder.resolve("keys"), Duration.ofDays(2), 1 << 20)),
                new Rebuild.Tools(
                        new FeedFetcher("test"),
                        new FeedReader(new FeedKeys(suffixes), AllowList.of(List.of())),
                        suffixes,
                        Optional.empty(),
                        InstantSource.fixed(now),
                        seeds));
        return rebuild.run(
                        Cadence.NIGHTLY,
                        List.of(Feed.of("domains", KeyKind.DOMAIN, FeedFormat.LINES, feed.toString())),
                        new RebuildPlan.FromFeeds(Set.of(), Rebuild.Mode.FORCE),
                        RebuildProgress.silent())
                .outcome();
    }
}
