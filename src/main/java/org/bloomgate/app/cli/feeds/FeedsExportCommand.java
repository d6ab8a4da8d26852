package org.bloomgate.app.cli.feeds;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.app.cli.common.ConfiguredCommand;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.cli.common.InputException;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.wiring.ExportSources;
import org.bloomgate.app.gateway.wiring.Tiers;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.lists.export.Export;
import org.bloomgate.lists.export.ExportFile;
import org.bloomgate.lists.export.ExportFormat;
import org.bloomgate.lists.export.ExportOptions;
import org.bloomgate.lists.export.ExportReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The command `feeds export`: writes a list for a resolver, proxy or firewall.
@Command(
        name = "export",
        description = {
            "Writes an export to stdout, or replaces FILE if its content changed.",
            "NAME is a key of the section exports, feed:NAME, category:NAME, or local for the entries of operators.",
            "Exit status: 0 written or unchanged; 2 no such list; 3 the snapshot cannot be read."
        })
final class FeedsExportCommand extends ConfiguredCommand {
    @Parameters(paramLabel = "NAME", description = "Name of the export or list.")
    String name;

    @Option(names = "--format", description = "Format: ${COMPLETION-CANDIDATES} (default: as configured, or rpz).")
    Optional<ExportFormat> format = Optional.empty();

    @Option(names = "--output", paramLabel = "FILE", description = "File to replace (default: stdout).")
    Optional<Path> output = Optional.empty();

    @Override
    public Integer call() throws ConfigException, InputException, IOException {
        Configuration read = configuration.read();
        ExportOptions configured = ExportSources.named(read, name)
                .orElseThrow(
                        () -> new InputException(name + ": no such export, nor feed:NAME, category:NAME or local"));
        ExportFormat chosenFormat = format.orElse(configured.format());
        ExportOptions options = new ExportOptions(
                configured.lists(),
                chosenFormat,
                configured.file(),
                chosenFormat == ExportFormat.RPZ ? configured.actions() : Map.of());
        try (Tiers tiers = Tiers.open(read)) {
            Export export = new Export(name, options, ExportSources.of(read, tiers, options), false);
            if (!export.findUnknownLists().isEmpty()) {
                throw new InputException(export.findUnknownLists().getFirst() + ": no such list in the snapshots here");
            }
            remark(write(export, chosenFormat, Files.createTempDirectory("bloomgate-export"))
                    .toString());
        }
        return ExitStatus.FINE;
    }

    private ExportReport write(Export export, ExportFormat chosenFormat, Path work) throws IOException {
        String zone = name.replace(':', '.');
        if (output.isEmpty()) {
            ExportReport report = ExportFile.print(System.out, zone, chosenFormat, export, work, Instant.now());
            if (System.out.checkError()) {
                throw new IOException("stdout: not everything could be written");
            }
            return report;
        }
        ExportFile.Outcome outcome = ExportFile.replace(output.get(), zone, chosenFormat, export, work, Instant.now());
        if (!outcome.changed()) {
            remark(output.get() + ": unchanged");
        }
        return outcome.report();
    }
}
