package org.bloomgate.app.cli.feeds;

import static org.bloomgate.app.cli.common.TextTable.Column.count;
import static org.bloomgate.app.cli.common.TextTable.Column.word;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.app.cli.common.ConfiguredCommand;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.cli.common.TextTable;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.options.FeedsFolder;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.lists.catalogue.Catalogue;
import org.bloomgate.lists.catalogue.CatalogueEntry;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.layer.Staleness;
import org.bloomgate.lists.layer.Staleness.BuiltLayer;
import org.bloomgate.lists.report.FeedsReport;
import org.bloomgate.lists.snapshot.ManifestFeed;
import org.bloomgate.server.http.AnswerJson;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// The command `feeds list`: shows the feeds of this site.
@Command(
        name = "list",
        description = {
            "Shows each list: state, age, entries, held, hits, licence.",
            "State: current; shadow (recorded, not enforced); paused (not in the next generation); held (the last good copy"
                    + " is in use); stale (not from its source for three cadences); never built; in DNS; off (a list"
                    + " in DNS without its key, as seen from this shell). Hits are identifiers in mail of the last 30 days. Column 'leaves site': whether HTTP"
                    + " exports contain the list (redistribute).",
            "Reads the snapshots and the journal of this machine; changes nothing."
        })
final class FeedsListCommand extends ConfiguredCommand {
    private static final Duration HITS_PERIOD = Duration.ofDays(30);

    private static final List<TextTable.Column<Row>> COLUMNS = List.of(
            word("list", Row::name),
            word(
                    "state",
                    row -> row.state() + row.reason().map(why -> ": " + why).orElse("")),
            word("age", row -> row.ageHours().map(hours -> hours + " h").orElse("-")),
            count("entries", Row::entries),
            count("held", Row::held),
            count("hits", Row::hits),
            word("leaves site", row -> row.redistribute() ? "yes" : "no"),
            word("licence", row -> row.licence().orElse("-")),
            word("attribution", row -> row.attribution().orElse("-")));

    @Option(names = "--json", description = "Print one JSON object for each list.")
    boolean json;

    /// A list, as `--json` prints it.
    private record Row(
            String name,
            String state,
            Optional<String> reason,
            Optional<Long> ageHours,
            long entries,
            long held,
            long hits,
            boolean redistribute,
            Optional<String> licence,
            Optional<String> attribution) {}

    @Override
    public Integer call() throws ConfigException, IOException {
        Configuration read = configuration.read();
        FeedsFolder folder = FeedsFolder.of(read);
        Set<String> paused = folder.paused();
        Map<String, BuiltLayer> layers = BuiltLayer.readAll(read.snapshots());
        Instant now = Instant.now();
        Map<String, Long> hits =
                FeedsReport.countHits(now.minus(HITS_PERIOD), read.journal().directory());
        Catalogue catalogue = Catalogue.shipped();
        List<Row> rows = folder.ifThere().feeds().stream()
                .map(feed -> row(feed, paused.contains(feed.name()), layers, hits, catalogue, now))
                .toList();
        (json ? rows.stream().map(AnswerJson::line).toList() : TextTable.list(rows, COLUMNS)).forEach(out()::println);
        return ExitStatus.FINE;
    }

    private static Row row(
            Feed feed,
            boolean paused,
            Map<String, BuiltLayer> layers,
            Map<String, Long> hits,
            Catalogue catalogue,
            Instant now) {
        List<ManifestFeed> files = Optional.ofNullable(layers.get(feed.cadence().layer()))
                .map(layer -> layer.findFiles(feed))
                .orElse(List.of());
        Optional<Instant> seen =
                files.stream().flatMap(file -> file.seen().stream()).min(Comparator.naturalOrder());
        Optional<CatalogueEntry> catalogueEntry = catalogue.list(feed.catalogue());
        String variable = feed.confirming().keyEnv();
        boolean lacksKey = !variable.isEmpty()
                && System.getenv().getOrDefault(variable, "").isBlank();
        return new Row(
                feed.name(),
                state(
                        feed,
                        paused,
                        lacksKey,
                        files,
                        seen.stream().anyMatch(at -> Staleness.isOld(feed.cadence(), at, now))),
                lacksKey && !paused ? Optional.of(variable + " is not set in this shell") : Optional.empty(),
                seen.map(at -> Duration.between(at, now).toHours()),
                files.stream().mapToLong(ManifestFeed::entries).sum(),
                files.stream().mapToLong(ManifestFeed::held).sum(),
                hits.getOrDefault(feed.name(), 0L)
                        + files.stream()
                                .filter(file -> !file.name().equals(feed.name()))
                                .mapToLong(file -> hits.getOrDefault(file.name(), 0L))
                                .sum(),
                feed.effect().redistribute(),
                catalogueEntry.map(CatalogueEntry::licence),
                catalogueEntry.map(CatalogueEntry::attribution).filter(text -> !text.isEmpty()));
    }

    private static String state(Feed feed, boolean paused, boolean lacksKey, List<ManifestFeed> files, boolean stale) {
        if (paused) {
            return "paused";
        }
        if (lacksKey) {
            return "off";
        }
        if (feed.queriedZone().isEmpty() && files.isEmpty()) {
            return "never built";
        }
        if (stale) {
            return "stale";
        }
        if (files.stream().anyMatch(file -> !file.cameFromSource())) {
            return "held";
        }
        String shadow = feed.effect().shadow() ? "shadow" : "current";
        return feed.queriedZone().isEmpty() ? shadow : feed.effect().shadow() ? "in DNS, shadow" : "in DNS";
    }
}
