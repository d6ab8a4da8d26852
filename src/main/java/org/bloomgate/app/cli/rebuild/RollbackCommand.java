package org.bloomgate.app.cli.rebuild;

import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.app.cli.common.CliAudit;
import org.bloomgate.app.cli.common.ConfiguredCommand;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.cli.common.History;
import org.bloomgate.app.cli.common.InputException;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.wiring.PublisherService;
import org.bloomgate.app.gateway.wiring.Rebuilding;
import org.bloomgate.app.gateway.wiring.Rebuilds;
import org.bloomgate.app.gateway.wiring.SnapshotReading;
import org.bloomgate.base.audit.AuditEvent.What;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.base.io.IoText;
import org.bloomgate.lists.fetch.Cadence;
import org.bloomgate.lists.snapshot.LayerBusyException;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.bloomgate.lists.snapshot.PastRebuild;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The command `rollback`: makes an earlier generation current.
@Command(
        name = "rollback",
        description = {
            "Makes an earlier generation of a layer current (default: the one before the current " + "one).",
            "It is verified first, and published again to a shared exact store. Running gateways load"
                    + " it within seconds. On a mirror (mirror.url) it is refused with exit status 2: roll back"
                    + " on the publisher."
        })
public final class RollbackCommand extends ConfiguredCommand {
    @Parameters(
            arity = "0..1",
            paramLabel = "GENERATION",
            description = "Name of a generation, as 'inspect' prints it.")
    Optional<String> generation = Optional.empty();

    @Option(
            names = "--layer",
            paramLabel = "LAYER",
            defaultValue = "nightly",
            description = "nightly, hourly or minutes (default: ${DEFAULT-VALUE}).")
    Cadence layer = Cadence.NIGHTLY;

    /// Whether a gateway runs this command. The gateway has recorded the operator already.
    @Option(names = RebuildChild.OPTION, hidden = true)
    boolean child;

    @Override
    public Integer call() throws ConfigException, InputException, IOException {
        Configuration read = configuration.read();
        Optional<String> mirrored = read.mirrored("roll back");
        if (mirrored.isPresent()) {
            throw new InputException(mirrored.get() + "; the publisher's rollback is followed");
        }
        LayerDirectory directory = new LayerDirectory(read.snapshots(), layer.layer());
        String before = directory.readCurrent().orElse("");
        String now;
        try {
            now = directory.rollback(generation, SnapshotReading.of(read), Rebuilding.shared(read.exact()));
        } catch (LayerBusyException e) {
            if (child) {
                remark(IoText.describe(e));
                return Rebuilds.LAYER_BUSY;
            }
            throw e;
        }
        History.of(read, err()).add(PastRebuild.ofRollback(Instant.now(), layer.layer(), now, before));
        PublisherService.publishGenerations(read);
        if (!child) {
            CliAudit.recordIfPossible(read, What.ROLLBACK, layer.layer(), Map.of("generation", now))
                    .ifPresent(this::remark);
        }
        out().println(layer.layer() + " " + now);
        return ExitStatus.FINE;
    }
}
