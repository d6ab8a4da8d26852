package org.bloomgate.app.gateway.options;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.lists.fetch.ConfirmationMethod;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lookup.dnsbl.ConfirmedFeed;
import org.bloomgate.lookup.dnsbl.QueriedFeed;
import org.bloomgate.lookup.dnsbl.ZoneAnswers;
import org.bloomgate.lookup.dnsbl.ZoneKeys;
import org.bloomgate.lookup.dnsbl.ZoneName;
import org.bloomgate.lookup.dnsbl.ZoneSettings;
import org.bloomgate.lookup.tier.ListingSource;

/// The feeds that query zones, from the feeds file.
///
/// @param confirmed feeds whose listings a zone confirms
/// @param lists feeds that exist only as a zone
public record ZoneUse(List<ConfirmedFeed> confirmed, List<QueriedFeed> lists) {

    private static final int MAX_KEY_CHARS = 1024;

    /// Empty without a feeds file: a machine that only has copies of snapshots needs no feeds.
    ///
    /// @throws ConfigException with every error found in the file
    public static ZoneUse read(Configuration configuration) throws ConfigException {
        List<Feed> feeds = ConfigurationSource.feedsIfThere(configuration).feeds();
        return new ZoneUse(
                feeds.stream()
                        .filter(feed -> feed.confirming().confirm() == ConfirmationMethod.DNS)
                        .map(feed -> confirmed(feed, feed.confirming().zone()))
                        .toList(),
                feeds.stream()
                        .flatMap(feed -> feed.queriedZone().stream().map(zone -> queried(feed, zone)))
                        .toList());
    }

    private static ConfirmedFeed confirmed(Feed feed, String zone) {
        Feed.Confirming settings = feed.confirming();
        Map<Integer, String> bits = settings.bits().entrySet().stream()
                .collect(Collectors.toMap(bit -> Integer.valueOf(bit.getKey()), Map.Entry::getValue));
        return new ConfirmedFeed(
                feed.name(),
                new ZoneSettings(
                        name(settings, zone),
                        settings.refusals(),
                        settings.testPoint().isEmpty() ? Optional.empty() : Optional.of(settings.testPoint()),
                        keys(feed)),
                new ZoneAnswers(feed.category(), settings.categories(), bits));
    }

    private static ZoneKeys keys(Feed feed) {
        return switch (feed.position().digest()) {
            case NONE -> feed.kind() == FeedKind.NETWORK ? ZoneKeys.NETWORKS : ZoneKeys.NAMES;
            case SHA1 -> feed.queriedZone().isPresent() ? ZoneKeys.SHA1 : ZoneKeys.NAMES;
            case SHA256 -> ZoneKeys.SHA256;
        };
    }

    /// If the key cannot be read, the zone is off, with the reason in its status; other lists work without it.
    private static ZoneName name(Feed.Confirming settings, String zone) {
        if (!settings.keyEnv().isEmpty()) {
            String secret = System.getenv().getOrDefault(settings.keyEnv(), "").strip();
            return ZoneName.of(zone, secret, "environment variable " + settings.keyEnv());
        }
        if (settings.keyFile().isEmpty()) {
            return ZoneName.of(zone);
        }
        try (BufferedReader file = Files.newBufferedReader(Path.of(settings.keyFile()))) {
            char[] head = new char[MAX_KEY_CHARS];
            int chars = file.read(head);
            String first =
                    new String(head, 0, Math.max(0, chars)).lines().findFirst().orElse("");
            return ZoneName.of(zone, first.strip(), settings.keyFile());
        } catch (IOException | InvalidPathException e) {
            return ZoneName.withoutKey(zone, "no key: " + settings.keyFile() + " cannot be read");
        }
    }

    private static QueriedFeed queried(Feed feed, String zone) {
        return new QueriedFeed(
                confirmed(feed, zone),
                feed.kind().kinds().getFirst(),
                feed.match(),
                feed.use(),
                new ListingSource.OfFeed(feed.effect().action(), feed.effect().shadow()),
                feed.confirming().budget());
    }
}
