package org.bloomgate.app.gateway.wiring;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.options.ConfigurationSource;
import org.bloomgate.app.gateway.options.ExactOptions;
import org.bloomgate.base.audit.AuditLog;
import org.bloomgate.base.config.ConfigError;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.base.io.IoText;
import org.bloomgate.core.key.FeedKeys;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.decision.reports.ReportStore;
import org.bloomgate.decision.reports.Reports;
import org.bloomgate.lists.fetch.FeedFetcher;
import org.bloomgate.lists.fetch.Feeds;
import org.bloomgate.lists.format.AllowList;
import org.bloomgate.lists.format.EntryGates;
import org.bloomgate.lists.format.FeedReader;
import org.bloomgate.lists.format.SharedHosts;
import org.bloomgate.lists.layer.SeedSource;
import org.bloomgate.lists.rebuild.OwnListingGates;
import org.bloomgate.lists.rebuild.Rebuild;
import org.bloomgate.lists.report.FeedsReport;
import org.bloomgate.lists.report.Retro;
import org.bloomgate.lookup.local.ListingGates;
import org.bloomgate.lookup.local.ListingPreview;
import org.bloomgate.lookup.local.LocalEntries;
import org.bloomgate.lookup.local.LocalFile;
import org.bloomgate.lookup.redis.RedisPublisher;
import org.bloomgate.lookup.store.ExactPublisher;
import org.bloomgate.lookup.store.SortedStore;
import org.bloomgate.lookup.store.StoreDigest;
import org.bloomgate.lookup.tier.Entry;

/// Creates the parts that write the exact stores of snapshots and those that read all of their keys: rebuild,
/// retro search and reports.
public final class Rebuilding {

    /// How long gates are used before the feeds are read again.
    private static final Duration GATES_AGE = Duration.ofSeconds(2);

    private Rebuilding() {}

    /// @param version of this program, sent to servers of feeds
    /// @throws ConfigException when an allow list cannot be read
    public static Rebuild of(Configuration configuration, Feeds feeds, String version) throws ConfigException {
        return of(configuration, feeds, version, InstantSource.system(), new SeedSource.Drawn(new SecureRandom()));
    }

    /// The same with a clock and seeds other than those of the machine.
    ///
    /// @throws ConfigException when an allow list cannot be read
    public static Rebuild of(
            Configuration configuration, Feeds feeds, String version, InstantSource clock, SeedSource seeds)
            throws ConfigException {
        PublicSuffixes suffixes = PublicSuffixes.bundled();
        return new Rebuild(
                new Rebuild.Settings(
                        configuration.snapshots(),
                        configuration.rebuild().withDeltas(isPublisher(configuration)),
                        configuration.filters(),
                        configuration.journal().keys()),
                new Rebuild.Tools(
                        new FeedFetcher(version),
                        reader(configuration, feeds),
                        suffixes,
                        shared(configuration.exact()),
                        clock,
                        seeds));
    }

    /// Whether mirrors are likely, for which deltas are worth their cost: if there is a key.
    private static boolean isPublisher(Configuration configuration) {
        return configuration.rebuild().signingKey().isPresent()
                || configuration.publisher().currentKey().isPresent();
    }

    /// The reader of feeds, with the public suffix list that ships with the product.
    ///
    /// @throws ConfigException when an allow list cannot be read
    public static FeedReader reader(Configuration configuration, Feeds feeds) throws ConfigException {
        return new FeedReader(keys(configuration, PublicSuffixes.bundled()), entryGates(configuration, feeds));
    }

    /// The digest of the listings in the exact store of a snapshot: for each kind a line `KIND ENTRIES SHA256`.
    ///
    /// @throws IOException if there is no exact store, or it is damaged
    public static List<String> digest(Path exact) throws IOException {
        try (SortedStore store = SortedStore.open(exact)) {
            return StoreDigest.computeLines(store);
        }
    }

    /// The shared exact store to which snapshots must be published before they are current.
    public static Optional<ExactPublisher> shared(ExactOptions exact) {
        return switch (exact.store()) {
            case REDIS -> Optional.of(new RedisPublisher(exact.redis()));
            case EMBEDDED, STORAGE, HTTP -> Optional.empty();
        };
    }

    /// Searches for messages that were delivered before their keys were listed.
    ///
    /// @throws IOException when the listings of operators cannot be read
    public static Retro retro(Configuration configuration) throws IOException {
        LocalFile local = new LocalFile(configuration.local(), InstantSource.system());
        return new Retro(
                configuration.snapshots(), configuration.journal(), local.read().of(Entry.Type.LISTING));
    }

    /// The report of each feed's use since a time.
    public static FeedsReport report(Configuration configuration, Instant since) throws IOException {
        LocalEntries local = new LocalFile(configuration.local(), InstantSource.system()).read();
        return FeedsReport.since(
                since,
                configuration.journal().directory(),
                configuration.snapshots(),
                new FeedsReport.Known(local.errors(since), Rebuild.costs(configuration.snapshots())));
    }

    /// Converts entries of feeds into keys.
    static FeedKeys keys(Configuration configuration, PublicSuffixes suffixes) {
        return new FeedKeys(suffixes, configuration.phones());
    }

    /// The gates that hold back single entries, of feeds and of operators.
    ///
    /// @throws ConfigException when an allow list cannot be read
    public static EntryGates entryGates(Configuration configuration, Feeds feeds) throws ConfigException {
        return new EntryGates(
                allowList(feeds, configuration.feeds())
                        .withNetworks(configuration.smtp().access().clientNetworks()),
                SharedHosts.with(configuration.rebuild().bounds().sharedHosts()));
    }

    /// The gates for listings and exceptions of operators.
    ///
    /// @throws ConfigException when the feeds or an allow list cannot be read
    public static OwnListingGates ownListingGates(Configuration configuration) throws ConfigException {
        Feeds feeds = ConfigurationSource.feedsIfThere(configuration);
        return new OwnListingGates(
                entryGates(configuration, feeds),
                configuration.rebuild(),
                configuration.journal().keys(),
                feeds.feeds(),
                configuration.snapshots(),
                InstantSource.system());
    }

    /// The same for a running gateway, which uses the current feeds: they are read again after [#GATES_AGE].
    static ListingGates createCurrentGates(Configuration configuration) {
        return new ListingGates() {
            private Optional<OwnListingGates> last = Optional.empty();
            private long readNanos;

            @Override
            public List<ListingPreview> preview(List<Entry> listings) throws IOException {
                return read().preview(listings);
            }

            @Override
            public List<String> objections(Entry listing) throws IOException {
                return read().objections(listing);
            }

            @Override
            public Set<String> feeds() throws IOException {
                return read().feeds();
            }

            private synchronized OwnListingGates read() throws IOException {
                try {
                    if (last.isEmpty() || System.nanoTime() - readNanos > GATES_AGE.toNanos()) {
                        last = Optional.of(ownListingGates(configuration));
                        readNanos = System.nanoTime();
                    }
                    return last.get();
                } catch (ConfigException e) {
                    throw new IOException(e.getMessage(), e);
                }
            }
        };
    }

    /// The reports of the site and the decisions about them.
    public static Reports reports(Configuration configuration, ListingGates gates) {
        return new Reports(
                new ReportStore(configuration.reports().folder()),
                gates,
                new AuditLog(configuration.local().directory()));
    }

    static AllowList allowList(Feeds feeds, Path file) throws ConfigException {
        try {
            return AllowList.load(feeds.allow());
        } catch (IOException e) {
            throw new ConfigException(List.of(new ConfigError(file.toString(), IoText.describe(e))));
        }
    }
}
