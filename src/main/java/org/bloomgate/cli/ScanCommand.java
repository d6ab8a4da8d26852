package org.bloomgate.cli;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.bloomgate.config.ConfigException;
import org.bloomgate.http.MessageScan;
import org.bloomgate.http.ScanResult;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `scan`: what the gateway would make of whole messages.
@Command(
        name = "scan",
        description = {
            "Judges whole messages as the gateway would: identifiers found, verdict, action.",
            "Status 1 when any is listed, 3 when any could not be found out."
        },
        mixinStandardHelpOptions = true)
final class ScanCommand implements Callable<Integer> {
    @Parameters(arity = "1..*", paramLabel = "FILE", description = "Messages; '-' for one on stdin.")
    List<String> files = List.of();

    @Option(names = "--mail-from", paramLabel = "ADDRESS", description = "Reverse-path of the envelope.")
    Optional<String> mailFrom = Optional.empty();

    @Option(names = "--rcpt-to", paramLabel = "ADDRESS", description = "Forward-path. May be repeated.")
    List<String> recipients = List.of();

    @Option(names = "--json", description = "One object a line.")
    boolean json;

    @Mixin
    ConfigurationOptions configuration;

    @Spec
    CommandSpec spec;

    private int status = ExitStatus.FINE;

    @Override
    public Integer call() throws ConfigException, IOException {
        MessageScan.Envelope envelope = new MessageScan.Envelope(mailFrom, recipients);
        try (Tiers tiers = Tiers.open(configuration.read())) {
            MessageScan scan = new MessageScan(tiers.layers(), tiers.lookup(), tiers.policy(), tiers.reader());
            for (String file : files) {
                try (InputStream message = open(file)) {
                    print(scan.scan(file, message, envelope));
                }
            }
        }
        return status;
    }

    private static InputStream open(String file) throws IOException {
        return new BufferedInputStream(file.equals("-") ? System.in : Files.newInputStream(Path.of(file)));
    }

    private void print(ScanResult result) {
        switch (result.verdict()) {
            case "listed" -> status = ExitStatus.LISTED;
            case "unresolved" -> status = status == ExitStatus.FINE ? ExitStatus.UNKNOWN : status;
            default -> {}
        }
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(Json.line(result));
            return;
        }
        out.println(result.file() + ": " + result.verdict() + ", " + result.action() + " ("
                + Printable.of(result.ruling().reason()) + ")");
        result.identifiers()
                .forEach(found -> out.printf(
                        "  %-10s %-8s %s  [%s]%n",
                        found.verdict(), found.kind(), Printable.of(found.value()), Printable.of(found.where())));
    }
}
