package org.bloomgate.app.gateway;

import java.util.List;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.fetch.Confirmation;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lookup.dnsbl.ConfirmedFeed;
import org.bloomgate.lookup.dnsbl.QueriedFeed;
import org.bloomgate.lookup.lookup.ListingSource;

/// The feeds that query zones, from the feeds file.
///
/// @param confirmed whose listings a zone confirms
/// @param lists that are a zone and nothing else
record ZoneUse(List<ConfirmedFeed> confirmed, List<QueriedFeed> lists) {

    /// Empty without a feeds file: a machine that only has copies of snapshots needs no feeds.
    ///
    /// @throws ConfigException with every error found in the file
    static ZoneUse read(Configuration configuration) throws ConfigException {
        List<Feed> feeds = ConfigurationSource.feedsIfThere(configuration).feeds();
        return new ZoneUse(
                feeds.stream()
                        .filter(feed -> feed.confirming().confirm() == Confirmation.DNS)
                        .map(feed -> says(feed, feed.confirming().zone()))
                        .toList(),
                feeds.stream()
                        .flatMap(feed -> feed.askedZone().stream().map(zone -> queried(feed, zone)))
                        .toList());
    }

    private static ConfirmedFeed says(Feed feed, String zone) {
        return new ConfirmedFeed(
                feed.name(), feed.category(), zone, feed.confirming().answers());
    }

    private static QueriedFeed queried(Feed feed, String zone) {
        return new QueriedFeed(
                says(feed, zone),
                feed.kind() == FeedKind.NETWORK ? KeyKind.NETWORK : KeyKind.DOMAIN,
                feed.match(),
                feed.use(),
                new ListingSource.OfFeed(feed.effect().action(), feed.effect().shadow()),
                feed.confirming().budget());
    }
}
