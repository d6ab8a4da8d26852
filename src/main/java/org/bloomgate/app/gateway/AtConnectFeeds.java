package org.bloomgate.app.gateway;

import static java.util.stream.Collectors.toUnmodifiableSet;

import java.nio.file.Files;
import java.util.Set;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.base.config.ConfigReader;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.Feeds;

/// The feeds whose clients are refused at the greeting, as the file of feeds has them.
final class AtConnectFeeds {
    private AtConnectFeeds() {}

    /// Empty without a feeds file: a machine that only has copies of snapshots needs no feeds.
    ///
    /// @throws ConfigException with every error found in the file
    static Set<String> read(Configuration configuration) throws ConfigException {
        if (!Files.exists(configuration.feeds())) {
            return Set.of();
        }
        return ConfigReader.read(configuration.feeds(), Feeds.defaults()).feeds().stream()
                .filter(Feed::atConnect)
                .map(Feed::name)
                .collect(toUnmodifiableSet());
    }
}
