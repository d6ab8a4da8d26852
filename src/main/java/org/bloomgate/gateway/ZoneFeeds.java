package org.bloomgate.gateway;

import static java.util.stream.Collectors.toSet;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.bloomgate.config.ConfigError;
import org.bloomgate.config.ConfigException;
import org.bloomgate.config.ConfigReader;
import org.bloomgate.dns.ZoneName;
import org.bloomgate.dns.ZoneOptions;
import org.bloomgate.feed.Feed;
import org.bloomgate.feed.Feeds;

/// Compares the feeds that DNS zones name with those there are.
public final class ZoneFeeds {
    private ZoneFeeds() {}

    /// @param file the configuration was read from
    /// @throws ConfigException with every zone that names a feed there is not
    public static void check(Path file, Configuration configuration, Feeds feeds) throws ConfigException {
        Set<String> known = feeds.feeds().stream().map(Feed::name).collect(toSet());
        List<ConfigError> errors = new ArrayList<>();
        Map<String, ZoneOptions> zones = new TreeMap<>();
        for (Map.Entry<ZoneName, ZoneOptions> zone : configuration.dns().zones().entrySet()) {
            zones.put(zone.getKey().text(), zone.getValue());
        }
        for (Map.Entry<String, ZoneOptions> zone : zones.entrySet()) {
            for (String feed : zone.getValue().feeds()) {
                if (!known.contains(feed)) {
                    String where = ConfigReader.where(file, List.of("dns", "zones", zone.getKey(), "feeds"));
                    errors.add(new ConfigError(
                            where,
                            "dns.zones." + zone.getKey() + ".feeds: there is no feed '" + feed + "' in "
                                    + configuration.feeds()));
                }
            }
        }
        if (!errors.isEmpty()) {
            throw new ConfigException(errors);
        }
    }
}
