package org.bloomgate.app.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.bloomgate.app.gateway.Configuration;
import org.bloomgate.base.audit.AuditEvent.What;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.server.http.AnswerJson;
import org.bloomgate.server.quarantine.QuarantineSummary;
import org.bloomgate.server.quarantine.QuarantinedMessage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `quarantine show`.
@Command(
        name = "show",
        description = {
            "Shows a message in quarantine: its envelope, the reason, its header.",
            "Exit status 2 if there is no such message."
        })
final class QuarantineShowCommand extends ConfiguredCommand {
    private static final int MAX_HEADER_BYTES = 64 * 1024;

    @Parameters(paramLabel = "TOKEN", description = "As 'quarantine list' has it.")
    String token;

    @Option(names = "--raw", description = "Print the whole message, unchanged.")
    boolean raw;

    @Option(names = "--json", description = "One object.")
    boolean json;

    /// @param header its lines, as they are folded
    record Shown(QuarantineSummary message, List<String> header) {}

    @Override
    public Integer call() throws ConfigException, InputException, IOException {
        Configuration read = configuration.read();
        QuarantinedMessage message =
                QuarantineCommand.find(List.of(token), read).getFirst();
        CliAudit.record(read, message, What.QUARANTINE_SHOW);
        if (raw) {
            copy(message);
            return ExitStatus.FINE;
        }
        Shown shown = new Shown(QuarantineSummary.of(message), header(message));
        if (json) {
            out().println(AnswerJson.line(shown));
        } else {
            out().println(QuarantineCommand.text(shown.message()));
            shown.header().forEach(line -> out().println("  " + Printable.of(line.replace('\t', ' '))));
        }
        return ExitStatus.FINE;
    }

    /// Past the writer of text, which would turn bytes into characters.
    private static void copy(QuarantinedMessage message) throws IOException {
        try (InputStream bytes = message.open()) {
            bytes.transferTo(System.out);
        }
        System.out.flush();
        if (System.out.checkError()) {
            throw new IOException("the message could not be written to the end");
        }
    }

    private static List<String> header(QuarantinedMessage message) throws IOException {
        try (InputStream bytes = message.open()) {
            String start = new String(bytes.readNBytes(MAX_HEADER_BYTES), StandardCharsets.UTF_8);
            return start.lines().takeWhile(line -> !line.isEmpty()).toList();
        }
    }
}
