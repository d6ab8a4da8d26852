package org.bloomgate.cli;

import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;
import org.bloomgate.config.Configuration;
import org.bloomgate.config.ExactOptions;
import org.bloomgate.feed.AllowList;
import org.bloomgate.feed.FeedFetcher;
import org.bloomgate.feed.FeedReader;
import org.bloomgate.feed.Feeds;
import org.bloomgate.key.FeedKeys;
import org.bloomgate.key.PublicSuffixes;
import org.bloomgate.rebuild.Rebuild;
import org.bloomgate.redis.RedisPublisher;
import org.bloomgate.snapshot.ExactPublisher;

/// Wires the nightly job.
final class Rebuilding {
    private Rebuilding() {}

    /// @throws InputException when an allow list cannot be read
    static Rebuild of(Configuration configuration, Feeds feeds) throws InputException {
        PublicSuffixes suffixes = PublicSuffixes.bundled();
        return new Rebuild(
                configuration.snapshots(),
                configuration.rebuild(),
                configuration.filters(),
                configuration.journal().keys(),
                new FeedFetcher(Version.text()),
                new FeedReader(new FeedKeys(suffixes), allowList(feeds)),
                suffixes,
                shared(configuration.exact()),
                InstantSource.system());
    }

    /// Where snapshots have to be before they are current, besides the folder of snapshots.
    static Optional<ExactPublisher> shared(ExactOptions exact) {
        return switch (exact.store()) {
            case REDIS -> Optional.of(new RedisPublisher(exact.redis()));
            case EMBEDDED, HTTP -> Optional.empty();
        };
    }

    private static AllowList allowList(Feeds feeds) throws InputException {
        try {
            return AllowList.load(feeds.allow());
        } catch (IOException e) {
            throw new InputException(String.valueOf(e.getMessage()));
        }
    }
}
