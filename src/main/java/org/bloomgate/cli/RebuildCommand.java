package org.bloomgate.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.bloomgate.config.ConfigException;
import org.bloomgate.feed.Cadence;
import org.bloomgate.feed.Feed;
import org.bloomgate.feed.Feeds;
import org.bloomgate.feed.SourceFiles;
import org.bloomgate.gateway.Configuration;
import org.bloomgate.gateway.Rebuilding;
import org.bloomgate.rebuild.Rebuild;
import org.bloomgate.rebuild.RebuildReport;
import org.bloomgate.rebuild.ReportJson;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `rebuild`: the nightly job.
@Command(
        name = "rebuild",
        description = {
            "Turns the feeds into a new snapshot and publishes it; running gateways adopt it within seconds.",
            "A feed that fails is replaced by its last good copy. Status 1 when a gate closed or a feed failed."
        })
final class RebuildCommand extends ConfiguredCommand {
    @Option(
            names = "--layer",
            paramLabel = "LAYER",
            description = "nightly, hourly or minutes; by default every layer that has feeds.")
    List<Cadence> layers = List.of();

    @Option(
            names = "--feed",
            paramLabel = "NAME",
            description = "Fetch only this feed, the others come from their last good copies. May be repeated.")
    Set<String> only = Set.of();

    @Option(names = "--dry-run", description = "Build and prove, publish nothing, tell what would change.")
    boolean dryRun;

    @Option(
            names = "--force",
            description =
                    "Publish although bounds are exceeded; the report names them. Not for a failed proof or a canary.")
    boolean force;

    @Option(names = "--json", description = "The report as one object a layer.")
    boolean json;

    @Override
    public Integer call() throws ConfigException, IOException, InputException {
        Configuration read = configuration.read();
        Feeds feeds = configuration.feeds(read);
        requireKnown(feeds);
        if (dryRun && force) {
            throw new InputException("--dry-run tells which gates would close; --force is for publishing");
        }
        Rebuild rebuild = Rebuilding.of(read, feeds, Version.text());
        int status = ExitStatus.FINE;
        for (Cadence cadence : wanted(rebuild, feeds)) {
            status = Math.max(status, run(rebuild, cadence, feeds));
        }
        return status;
    }

    private int run(Rebuild rebuild, Cadence cadence, Feeds feeds) throws IOException {
        RebuildReport report;
        try (ProgressLine progress = ProgressLine.on(err(), cadence.layer())) {
            report = rebuild.run(cadence, feeds.feeds(), only, mode(), progress);
        } catch (IOException e) {
            throw new IOException("layer " + cadence.layer() + " is not rebuilt: " + ExitStatus.describe(e), e);
        }
        out().println(json ? ReportJson.of(report) : RebuildText.of(report));
        return report.outcome().exitStatus();
    }

    private Rebuild.Mode mode() {
        if (dryRun) {
            return Rebuild.Mode.DRY_RUN;
        }
        return force ? Rebuild.Mode.FORCE : Rebuild.Mode.PUBLISH;
    }

    private List<Cadence> wanted(Rebuild rebuild, Feeds feeds) throws InputException {
        List<Cadence> wanted = new ArrayList<>();
        for (Cadence cadence : Cadence.values()) {
            boolean asked = layers.isEmpty() || layers.contains(cadence);
            if (asked && concerns(rebuild, cadence, feeds)) {
                wanted.add(cadence);
            }
        }
        if (wanted.isEmpty()) {
            throw new InputException("no feed of that layer is configured: nothing to rebuild");
        }
        return wanted;
    }

    private boolean concerns(Rebuild rebuild, Cadence cadence, Feeds feeds) {
        return only.isEmpty()
                ? rebuild.isDue(cadence, feeds.feeds())
                : feeds.feeds().stream()
                        .anyMatch(
                                feed -> feed.cadence() == cadence && names(feed).anyMatch(only::contains));
    }

    /// Its own, and those of its files.
    private static Stream<String> names(Feed feed) {
        return Stream.concat(
                Stream.of(feed.name()), SourceFiles.of(feed).stream().map(Feed::name));
    }

    private void requireKnown(Feeds feeds) throws InputException {
        Set<String> unknown = new TreeSet<>(only);
        feeds.feeds().stream().flatMap(RebuildCommand::names).forEach(unknown::remove);
        if (!unknown.isEmpty()) {
            throw new InputException("no such feed: " + String.join(", ", unknown) + "; configured are "
                    + String.join(", ", feeds.feeds().stream().map(Feed::name).toList()));
        }
    }
}
