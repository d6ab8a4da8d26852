package org.bloomgate.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import org.bloomgate.app.cli.common.ConfiguredCommand;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.cli.common.InputException;
import org.bloomgate.app.cli.common.Printable;
import org.bloomgate.base.config.ConfigException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The command `seen`: shows what the running gateway remembers of a name.
@Command(
        name = "seen",
        description = {
            "Shows when the site saw a link domain or a sender first, in how many messages, and who else knows it.",
            "The gateway is queried at http.listen, with http.adminToken if that is not a digest.",
            "Exit status: 0 an answer, also if the name was never seen; 2 not a name; 3 unknown: the gateway or a peer"
                    + " did not answer, or the memory is off or still learning."
        })
final class SeenCommand extends ConfiguredCommand {
    @Parameters(paramLabel = "NAME", description = "A domain, a mail address or an IP address.")
    String name = "";

    @Option(names = "--json", description = "Print one JSON object.")
    boolean json;

    @Override
    public Integer call() throws ConfigException, InputException, IOException, InterruptedException {
        try (GatewayClient client = new GatewayClient(configuration.read().http())) {
            JsonNode seen = client.getAsAdmin("/v1/seen/" + URLEncoder.encode(name, StandardCharsets.UTF_8))
                    .content();
            if (json) {
                out().println(seen);
            } else {
                seen.properties()
                        .forEach(fact ->
                                out().printf("%-10s %s%n", fact.getKey(), Printable.of(describe(fact.getValue()))));
            }
            boolean isSeen = seen.has("link")
                    || seen.has("sender")
                    || !seen.path("gateways").isEmpty();
            boolean isCertain =
                    seen.path("uncertain").isEmpty() && seen.path("unanswered").isEmpty();
            return isSeen || isCertain ? ExitStatus.FINE : ExitStatus.UNKNOWN;
        }
    }

    private static String describe(JsonNode fact) {
        if (fact.isArray()) {
            return fact.isEmpty()
                    ? "none"
                    : fact.valueStream().map(SeenCommand::describe).collect(Collectors.joining("; "));
        }
        return fact.isObject()
                ? fact.propertyStream()
                        .map(member -> member.getKey() + " " + member.getValue().asText())
                        .collect(Collectors.joining(", "))
                : fact.asText();
    }
}
