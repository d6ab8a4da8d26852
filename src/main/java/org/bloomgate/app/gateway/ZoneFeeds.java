package org.bloomgate.app.gateway;

import static java.util.stream.Collectors.toCollection;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.Feeds;

/// Compares the feeds that DNS zones name with those there are.
public final class ZoneFeeds {
    private ZoneFeeds() {}

    /// Every zone that names a feed there is not, by its key. A paused feed is one.
    static List<String> problems(Configuration configuration, Feeds feeds) throws ConfigException {
        Set<String> known = feeds.feeds().stream().map(Feed::name).collect(toCollection(HashSet::new));
        known.addAll(FeedsFolder.of(configuration).paused());
        List<String> problems = new ArrayList<>();
        configuration
                .dns()
                .zones()
                .forEach((zone, options) -> options.feeds().stream()
                        .filter(feed -> !known.contains(feed))
                        .forEach(feed -> problems.add("dns.zones." + zone.text() + ".feeds: there is no feed '" + feed
                                + "' in " + configuration.feeds())));
        return problems.stream().sorted().toList();
    }

    /// @throws ConfigException with every zone that names a feed there is not
    public static void check(ConfigurationSource source, Configuration configuration, Feeds feeds)
            throws ConfigException {
        source.refuse(problems(configuration, feeds));
    }
}
