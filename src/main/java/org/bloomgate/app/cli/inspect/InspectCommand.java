package org.bloomgate.app.cli.inspect;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bloomgate.app.cli.common.ConfiguredCommand;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.cli.common.InputException;
import org.bloomgate.app.cli.common.Printable;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.wiring.Rebuilding;
import org.bloomgate.app.gateway.wiring.SnapshotReading;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.bloomgate.lists.snapshot.Snapshot;
import org.bloomgate.lists.snapshot.SnapshotManifest;
import org.bloomgate.lists.snapshot.SnapshotReader;
import org.bloomgate.server.http.AnswerJson;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The command `inspect`: verifies snapshots and prints their filters and feeds.
@Command(
        name = "inspect",
        description = {
            "Verifies snapshots and prints their filters and feeds (default: the current snapshot of " + "each layer).",
            "Exit status 2 if one does not verify."
        })
public final class InspectCommand extends ConfiguredCommand {
    @Parameters(
            arity = "0..1",
            paramLabel = "SNAPSHOT",
            description = "A directory, a layer (nightly) or a layer with a generation (nightly/20260102T...).")
    Optional<String> snapshot = Optional.empty();

    @Option(
            names = "--measure",
            paramLabel = "N",
            description = "Probe each filter with N random absent keys and print the false positive rate.")
    long probes;

    @Option(
            names = "--digest",
            description = "Print KIND ENTRIES SHA256 only: a digest of the listings, independent of store and "
                    + "generation.")
    boolean digest;

    @Option(names = "--json", description = "Print one JSON object for each snapshot.")
    boolean json;

    @Override
    public Integer call() throws ConfigException, IOException, InputException {
        if (probes < 0) {
            throw new InputException("--measure takes a number of keys");
        }
        if (digest && (json || probes > 0)) {
            throw new InputException("--digest cannot be combined with --json or --measure");
        }
        Configuration read = configuration.read();
        SnapshotReader reader = SnapshotReading.of(read);
        for (Path directory : directories(read)) {
            try (Snapshot opened = reader.open(directory)) {
                if (digest) {
                    printDigest(opened);
                } else {
                    print(opened);
                }
            }
        }
        return ExitStatus.FINE;
    }

    private List<Path> directories(Configuration read) throws IOException, InputException {
        Path root = read.snapshots();
        if (snapshot.isPresent() && Files.exists(Path.of(snapshot.get(), SnapshotManifest.FILE_NAME))) {
            return List.of(Path.of(snapshot.get()));
        }
        List<Path> directories = new ArrayList<>();
        for (LayerDirectory layer : LayerDirectory.listAll(root)) {
            for (String generation : layer.listGenerations()) {
                boolean current = layer.readCurrent().equals(Optional.of(generation));
                boolean selected = snapshot.map(name ->
                                name.equals(layer.name() + "/" + generation) || (current && name.equals(layer.name())))
                        .orElse(current);
                if (selected) {
                    directories.add(layer.resolveGeneration(generation));
                }
            }
        }
        if (directories.isEmpty()) {
            throw new InputException(snapshot.map(name -> "no snapshot " + Printable.of(name) + " in " + root)
                    .orElse("no snapshot in " + root + " yet: "
                            + (read.mirror().isEnabled()
                                    ? "'bloomgate mirror' fetches one"
                                    : "'bloomgate rebuild' makes one")));
        }
        return directories;
    }

    private void printDigest(Snapshot opened) throws IOException, InputException {
        if (!Files.isDirectory(opened.exactDirectory())) {
            throw new InputException(
                    "--digest reads the exact store, which " + opened.manifest().generation() + " does not have");
        }
        Rebuilding.digest(opened.exactDirectory()).forEach(line -> out().println(line));
    }

    private void print(Snapshot opened) {
        SnapshotView view =
                SnapshotView.of(opened, Duration.between(opened.manifest().createdAt(), Instant.now()), probes);
        out().print(json ? AnswerJson.line(view) + "\n" : view.text());
    }
}
