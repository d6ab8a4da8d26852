package org.bloomgate.app.gateway.options;

import static java.util.stream.Collectors.toUnmodifiableSet;

import java.util.Set;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.lists.fetch.Feed;

/// The feeds whose listed clients are rejected at connect, from the feeds file.
public final class AtConnectFeeds {
    private AtConnectFeeds() {}

    /// Empty without a feeds file: a machine that only has copies of snapshots needs no feeds.
    ///
    /// @throws ConfigException with every error found in the file
    public static Set<String> read(Configuration configuration) throws ConfigException {
        return ConfigurationSource.feedsIfThere(configuration).feeds().stream()
                .filter(Feed::atConnect)
                .map(Feed::name)
                .collect(toUnmodifiableSet());
    }
}
