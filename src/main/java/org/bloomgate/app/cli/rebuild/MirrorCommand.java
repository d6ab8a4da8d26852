package org.bloomgate.app.cli.rebuild;

import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;
import org.bloomgate.app.cli.common.ConfiguredCommand;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.cli.common.InputException;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.wiring.MirrorService;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.lists.mirror.Mirror;
import org.bloomgate.lists.mirror.SharedEntriesFollower;
import org.bloomgate.lists.snapshot.LayerDirectory;
import picocli.CommandLine.Command;

/// The command `mirror`: follows the publisher once, as a gateway does every `mirror.interval`.
@Command(
        name = "mirror",
        description = {
            "Fetches the current snapshots of the publisher (mirror.url) once.",
            "Prints the generation of each layer. Running gateways load them within seconds. Exit "
                    + "status 3 if not all of them could be fetched."
        })
public final class MirrorCommand extends ConfiguredCommand {
    @Override
    public Integer call() throws ConfigException, InputException, IOException, InterruptedException {
        Configuration read = configuration.read();
        if (!read.mirror().isEnabled()) {
            throw new InputException("mirror.url is empty: set it to the URL of the publisher");
        }
        boolean all;
        try (Mirror mirror = MirrorService.mirror(read, InstantSource.system())) {
            all = mirror.runRound();
        }
        try (SharedEntriesFollower entries = MirrorService.entries(read, _ -> {}, InstantSource.system())) {
            all &= entries.runRound();
        }
        for (LayerDirectory layer : LayerDirectory.listAll(read.snapshots())) {
            Optional<String> current = layer.readCurrent();
            current.ifPresent(generation -> out().println(layer.name() + " " + generation));
        }
        return all ? ExitStatus.FINE : ExitStatus.UNKNOWN;
    }
}
