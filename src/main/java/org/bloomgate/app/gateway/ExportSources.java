package org.bloomgate.app.gateway;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
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

/// The lists that exports are written from, and the checks of the section `exports`.
public final class ExportSources {
    private ExportSources() {}

    /// The lists as they are now.
    ///
    /// @throws ConfigException when the file of feeds cannot be used
    /// @throws IOException if a layer has no generation that can be used: an export without its lists would
    ///     lift what they block
    public static ExportSource of(Configuration configuration, Tiers tiers, ExportOptions options)
            throws ConfigException, IOException {
        LiveStatus status = tiers.snapshots().status();
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
                                        .exactDirectory(layer.generation()),
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
                .filter(one -> !inUse.contains(one.subject()))
                .findFirst();
        if (refused.isPresent()) {
            Condition one = refused.get();
            throw new IOException("snapshot %s/%s: %s".formatted(one.subject(), one.generation(), one.reason()));
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

    /// Problems of the section `exports` that need nothing but the configuration.
    static List<String> problems(Configuration configuration) {
        List<String> problems = new ArrayList<>();
        Map<Path, String> files = new HashMap<>();
        if (!configuration.exports().isEmpty() && configuration.exact().store() != ExactOptions.Store.EMBEDDED) {
            problems.add(
                    "exports: are written from the exact stores of snapshots, which are here only with exact.store:"
                            + " embedded");
        }
        configuration.exports().forEach((name, export) -> {
            export.problem(name).ifPresent(why -> problems.add("exports." + name + ": " + why));
            if (!export.file().isEmpty()) {
                Optional.ofNullable(files.put(
                                Path.of(export.file()).toAbsolutePath().normalize(), name))
                        .ifPresent(other ->
                                problems.add("exports." + name + ".file: is the file of the export " + other + " too"));
            }
        });
        return problems;
    }

    /// Problems of the section `exports` in relation to the feeds, paused ones included, and the disk.
    static List<String> fileProblems(Configuration configuration) throws ConfigException {
        List<Feed> feeds = FeedsFolder.of(configuration).ifThere().feeds();
        List<String> problems = new ArrayList<>();
        configuration.exports().forEach((name, export) -> {
            for (ExportList list : export.lists()) {
                if (feeds.stream().noneMatch(feed -> isIn(list, feed))) {
                    problems.add("exports." + name + ".lists: " + list + ": no feed is in it");
                }
            }
            if (!export.file().isEmpty()) {
                Optional.ofNullable(Path.of(export.file()).toAbsolutePath().getParent())
                        .filter(folder -> !Files.isDirectory(folder))
                        .ifPresent(folder -> problems.add("exports." + name + ".file: " + folder + ": no such folder"));
            }
        });
        return problems;
    }

    private static boolean isIn(ExportList list, Feed feed) {
        return switch (list.type()) {
            case LOCAL -> true;
            case FEED -> feed.name().equals(list.name());
            case CATEGORY -> feed.category().equals(list.name());
        };
    }

    /// The options of an export by name, or of a single list as `feeds export` names it.
    public static Optional<ExportOptions> named(Configuration configuration, String name) {
        ExportOptions options = configuration.exports().get(name);
        if (options != null) {
            return Optional.of(options);
        }
        try {
            ExportOptions plain = ExportOptions.defaults();
            return Optional.of(
                    new ExportOptions(List.of(ExportList.of(name)), plain.format(), plain.file(), plain.actions()));
        } catch (IllegalArgumentException noList) {
            return Optional.empty();
        }
    }
}
