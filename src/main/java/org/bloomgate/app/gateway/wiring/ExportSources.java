package org.bloomgate.app.gateway.wiring;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.options.FeedsFolder;
import org.bloomgate.app.gateway.options.ZoneUse;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.decision.policy.Policy;
import org.bloomgate.lists.catalogue.Catalogue;
import org.bloomgate.lists.catalogue.CatalogueEntry;
import org.bloomgate.lists.export.ExportList;
import org.bloomgate.lists.export.ExportOptions;
import org.bloomgate.lists.export.ExportSource;
import org.bloomgate.lists.export.ExportSource.ExportLayer;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.snapshot.Condition;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.bloomgate.lists.snapshot.LiveStatus;
import org.bloomgate.lookup.dnsbl.ConfirmedFeed;
import org.bloomgate.lookup.tier.LayerLease;
import org.bloomgate.lookup.tier.LocalRules;

/// The lists that exports are written from.
public final class ExportSources {
    private ExportSources() {}

    /// The lists as they are now.
    ///
    /// @throws ConfigException when the file of feeds cannot be used
    /// @throws IOException if a layer has no generation that can be used: an export without its lists would
    ///     lift what they block
    public static ExportSource of(Configuration configuration, Tiers tiers, ExportOptions options)
            throws ConfigException, IOException {
        LiveStatus status = tiers.snapshots().readStatus();
        if (options.hasFeeds()) {
            requireLayers(configuration.snapshots(), status);
        }
        Policy policy = new Policy(configuration.policy(), configuration.exact().onUnknown());
        Set<String> confirmed = ZoneUse.read(configuration).confirmed().stream()
                .map(ConfirmedFeed::feed)
                .collect(Collectors.toSet());
        return new ExportSource(
                status.layers().stream()
                        .map(layer -> new ExportLayer(
                                new LayerDirectory(configuration.snapshots(), layer.layer())
                                        .resolveExactDirectory(layer.generation()),
                                layer.feeds()))
                        .toList(),
                local(tiers),
                policy::refuses,
                confirmed,
                attributions(configuration));
    }

    /// The attributions that publishers of catalogue lists require, by feed.
    private static Map<String, String> attributions(Configuration configuration) throws ConfigException {
        Catalogue catalogue = Catalogue.shipped();
        Map<String, String> attributions = new HashMap<>();
        for (Feed feed : FeedsFolder.of(configuration).ifThere().feeds()) {
            catalogue
                    .list(feed.catalogue())
                    .map(CatalogueEntry::attribution)
                    .filter(text -> !text.isEmpty())
                    .ifPresent(text -> attributions.put(feed.name(), text));
        }
        return attributions;
    }

    private static void requireLayers(Path snapshots, LiveStatus status) throws IOException {
        Set<String> inUse =
                status.layers().stream().map(LiveStatus.LayerStatus::layer).collect(Collectors.toSet());
        Optional<Condition> refused = status.conditions().stream()
                .filter(condition -> !inUse.contains(condition.layer()))
                .findFirst();
        if (refused.isPresent()) {
            Condition condition = refused.get();
            throw new IOException(
                    "snapshot %s/%s: %s".formatted(condition.subject(), condition.generation(), condition.reason()));
        }
        if (inUse.isEmpty()) {
            throw new IOException(snapshots + ": no snapshot is in force");
        }
    }

    static LocalRules local(Tiers tiers) {
        try (LayerLease lease = tiers.layers().lease()) {
            return lease.local();
        }
    }

    /// The options of an export by name, or of a single list as `feeds export` names it.
    public static Optional<ExportOptions> named(Configuration configuration, String name) {
        ExportOptions options = configuration.exports().get(name);
        if (options != null) {
            return Optional.of(options);
        }
        try {
            ExportOptions defaults = ExportOptions.defaults();
            return Optional.of(new ExportOptions(
                    List.of(ExportList.of(name)), defaults.format(), defaults.file(), defaults.actions()));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
