package org.bloomgate.cli;

import java.io.IOException;
import java.time.InstantSource;
import org.bloomgate.config.Configuration;
import org.bloomgate.feed.AllowList;
import org.bloomgate.feed.FeedFetcher;
import org.bloomgate.feed.FeedReader;
import org.bloomgate.feed.Feeds;
import org.bloomgate.key.FeedKeys;
import org.bloomgate.key.PublicSuffixes;
import org.bloomgate.rebuild.Rebuild;

/// Wires the nightly job.
final class Rebuilding {
    private Rebuilding() {}

    static Rebuild of(Configuration configuration, Feeds feeds) throws IOException {
        PublicSuffixes suffixes = PublicSuffixes.bundled();
        return new Rebuild(
                configuration.snapshots(),
                configuration.rebuild(),
                new FeedFetcher(Version.text()),
                new FeedReader(new FeedKeys(suffixes), AllowList.load(feeds.allow())),
                suffixes,
                InstantSource.system());
    }
}
