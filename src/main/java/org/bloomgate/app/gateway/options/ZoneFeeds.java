package org.bloomgate.app.gateway.options;

import static java.util.stream.Collectors.toCollection;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.Feeds;

/// Checks that the feeds named by DNS zones exist.
public final class ZoneFeeds {
    private ZoneFeeds() {}

    /// Every zone that names an unknown feed, by its key. A paused feed is known.
    public static List<String> problems(Configuration configuration, Feeds feeds) throws ConfigException {
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

    /// @throws ConfigException with every zone that names an unknown feed
    public static void check(ConfigurationSource source, Configuration configuration, Feeds feeds)
            throws ConfigException {
        source.requireNone(problems(configuration, feeds));
    }
}
