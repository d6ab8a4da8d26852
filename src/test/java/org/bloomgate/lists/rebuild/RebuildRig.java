package org.bloomgate.lists.rebuild;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.bloomgate.RecordCopy;
import org.bloomgate.core.key.FeedKeys;
import org.bloomgate.core.key.Key;
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
import org.bloomgate.lists.layer.RebuildProgress;
import org.bloomgate.lists.layer.RebuildReport;
import org.bloomgate.lists.layer.SeedSource;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.bloomgate.lists.snapshot.SnapshotReader;
import org.bloomgate.lookup.store.ExactPublisher;
import org.bloomgate.lookup.store.SortedStore;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.bloomgate.lookup.tier.Listing;

/// Feeds in files of a temporary folder, a clock that is set by hand, and rebuilds of the nightly layer.
final class RebuildRig {
    static final Instant MONDAY = Instant.parse("2026-03-02T02:00:00Z");
    private static final PublicSuffixes SUFFIXES = PublicSuffixes.bundled();
    private static final FeedFetcher FETCHER = new FeedFetcher("test");
    private static final FeedReader READER =
            new FeedReader(new FeedKeys(SUFFIXES), AllowList.of(List.of("popular.example")));

    final Path snapshots;
    final List<Feed> feeds = new ArrayList<>();
    Instant now = MONDAY;
    RebuildOptions options = RebuildOptions.defaults();
    FilterOptions filters = FilterOptions.defaults();
    RebuildProgress progress = RebuildProgress.silent();
    Optional<ExactPublisher> shared = Optional.empty();
    SeedSource seeds = new SeedSource.Drawn(new SplittableRandom(1));
    private final Path folder;

    RebuildRig(Path folder) {
        this.folder = folder;
        snapshots = folder.resolve("snapshots");
    }

    /// Writes a feed of lines and adds it to the feeds.
    RebuildRig feed(String name, KeyKind kind, String... lines) throws IOException {
        feeds.add(Feed.of(name, kind, FeedFormat.LINES, source(name).toString()));
        return content(name, lines);
    }

    /// Replaces what a feed holds.
    RebuildRig content(String name, String... lines) throws IOException {
        Files.write(source(name), List.of(lines));
        return this;
    }

    Path source(String name) {
        return folder.resolve(name + ".txt");
    }

    RebuildReport run() throws IOException {
        return run(Set.of(), Rebuild.Mode.PUBLISH);
    }

    RebuildReport run(Set<String> only, Rebuild.Mode mode) throws IOException {
        return rebuild().run(Cadence.NIGHTLY, feeds, new RebuildPlan.FromFeeds(only, mode), progress);
    }

    /// What is due, of a layer.
    RebuildReport runDue(Cadence cadence) throws IOException {
        return rebuild().run(cadence, feeds, new RebuildPlan.IfDue(Duration.ZERO), progress);
    }

    RebuildReport runDue() throws IOException {
        return runDue(Cadence.NIGHTLY);
    }

    /// From runs, at the time they say.
    RebuildReport runFrom(Runs runs) throws IOException {
        now = runs.index().createdAt();
        return rebuild().run(Cadence.NIGHTLY, feeds, new RebuildPlan.FromRuns(runs, Rebuild.Mode.PUBLISH), progress);
    }

    /// The current snapshot.
    Path snapshot() throws IOException {
        return layer().resolveGeneration(current().orElseThrow());
    }

    private Rebuild rebuild() {
        return new Rebuild(
                new Rebuild.Settings(snapshots, options, filters, mail()),
                new Rebuild.Tools(FETCHER, READER, SUFFIXES, shared, InstantSource.fixed(now), seeds));
    }

    /// Where the keys of mail are recorded.
    KeyJournalOptions mail() {
        return new KeyJournalOptions(folder.resolve("keys"), Duration.ofDays(2), 1 << 24);
    }

    void pass(Duration time) {
        now = now.plus(time);
    }

    void daysPass(int days) {
        now = now.plus(Duration.ofDays(days));
    }

    /// Sets a key of the section `rebuild`.
    void option(String key, Object value) {
        options = RecordCopy.with(options, key, value);
    }

    /// Sets a key of a feed.
    RebuildRig feedOption(String name, String key, Object value) {
        feeds.replaceAll(feed -> feed.name().equals(name) ? RecordCopy.with(feed, key, value) : feed);
        return this;
    }

    Optional<String> current() throws IOException {
        return layer().readCurrent();
    }

    LayerDirectory layer() {
        return new LayerDirectory(snapshots, "nightly");
    }

    /// What the current snapshot, verified, says of a domain.
    List<Listing> listings(String domain) throws IOException {
        return listings(new Key(KeyKind.DOMAIN, domain));
    }

    List<Listing> listings(Key key) throws IOException {
        String generation = current().orElseThrow();
        new SnapshotReader().verify(layer().resolveGeneration(generation));
        try (SortedStore store = SortedStore.open(layer().resolveExactDirectory(generation))) {
            return switch (store.lookup(List.of(key), Duration.ofMinutes(1)).getFirst()) {
                case ExactAnswer.Listed listed -> listed.listings();
                case ExactAnswer.NotListed notListed -> List.of();
                case ExactAnswer.Unknown unknown -> throw new AssertionError(unknown.reason());
            };
        }
    }

    /// Names of the feeds that list a domain.
    Set<String> listedBy(String domain) throws IOException {
        Set<String> names = new TreeSet<>();
        listings(domain).forEach(listing -> names.add(listing.feed()));
        return names;
    }

    /// Everything below the work folder and unfinished snapshots but lock files.
    List<Path> leftovers() throws IOException {
        try (Stream<Path> files = Files.walk(snapshots)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> file.toString().contains("/.work/")
                            || file.toString().contains("/.building-"))
                    .filter(file -> !file.endsWith("lock"))
                    .toList();
        }
    }

    /// Changes a byte of the first table.
    void damageStore(String generation) throws IOException {
        try (Stream<Path> files = Files.list(layer().resolveExactDirectory(generation))) {
            Path table = files.filter(file -> file.toString().endsWith(".pages"))
                    .findFirst()
                    .orElseThrow();
            byte[] bytes = Files.readAllBytes(table);
            bytes[5] ^= 1;
            Files.write(table, bytes);
        }
    }
}
