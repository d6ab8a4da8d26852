package org.bloomgate.gateway;

import java.nio.file.Files;
import java.util.List;
import org.bloomgate.config.ConfigException;
import org.bloomgate.config.ConfigReader;
import org.bloomgate.feed.Confirmation;
import org.bloomgate.feed.Feeds;
import org.bloomgate.remote.ConfirmedFeed;

/// The feeds whose listings a zone confirms, as the file of feeds has them.
final class ConfirmedFeeds {
    private ConfirmedFeeds() {}

    /// None when there is no such file: who has only copies of snapshots needs no feeds.
    ///
    /// @throws ConfigException with every error found in the file
    static List<ConfirmedFeed> read(Configuration configuration) throws ConfigException {
        if (!Files.exists(configuration.feeds())) {
            return List.of();
        }
        return ConfigReader.read(configuration.feeds(), Feeds.defaults()).feeds().stream()
                .filter(feed -> feed.confirming().confirm() == Confirmation.DNS)
                .map(feed -> new ConfirmedFeed(
                        feed.name(),
                        feed.category(),
                        feed.confirming().zone(),
                        feed.confirming().answers()))
                .toList();
    }
}
