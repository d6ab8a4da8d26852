package org.bloomgate.app.cli.quarantine;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.bloomgate.app.cli.common.CliAudit;
import org.bloomgate.app.cli.common.ConfiguredCommand;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.cli.common.InputException;
import org.bloomgate.app.cli.common.Printable;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.base.audit.AuditEvent.What;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.server.http.AnswerJson;
import org.bloomgate.server.quarantine.QuarantineSummary;
import org.bloomgate.server.quarantine.QuarantinedMessage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The command `quarantine show`.
@Command(
        name = "show",
        description = {
            "Shows a message in quarantine: its envelope, the reason, its header.",
            "Exit status 2 if there is no such message."
        })
final class QuarantineShowCommand extends ConfiguredCommand {
    private static final int MAX_HEADER_BYTES = 64 * 1024;

    @Parameters(paramLabel = "TOKEN", description = "Token, as printed by 'quarantine list'.")
    String token;

    @Option(names = "--raw", description = "Print the whole message, unchanged.")
    boolean raw;

    @Option(names = "--json", description = "Print one JSON object.")
    boolean json;

    /// A message, as `--json` prints it.
    ///
    /// @param header lines of the header, still folded
    record MessageView(QuarantineSummary message, List<String> header) {}

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
        MessageView view = new MessageView(QuarantineSummary.of(message), header(message));
        if (json) {
            out().println(AnswerJson.line(view));
        } else {
            out().println(QuarantineCommand.text(view.message()));
            view.header().forEach(line -> out().println("  " + Printable.of(line.replace('\t', ' '))));
        }
        return ExitStatus.FINE;
    }

    /// Copies the message to stdout as bytes; the writer of the command would decode them.
    private static void copy(QuarantinedMessage message) throws IOException {
        try (InputStream bytes = message.open()) {
            bytes.transferTo(System.out);
        }
        System.out.flush();
        if (System.out.checkError()) {
            throw new IOException("stdout: not everything could be written");
        }
    }

    private static List<String> header(QuarantinedMessage message) throws IOException {
        try (InputStream bytes = message.open()) {
            String start = new String(bytes.readNBytes(MAX_HEADER_BYTES), StandardCharsets.UTF_8);
            return start.lines().takeWhile(line -> !line.isEmpty()).toList();
        }
    }
}
