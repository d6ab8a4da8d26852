package org.bloomgate.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bloomgate.app.cli.common.ConfigurationOptions;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.cli.common.InputException;
import org.bloomgate.app.cli.common.Printable;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.decision.memory.MemoryGroup;
import org.bloomgate.lists.mirror.MemoryExchange;
import org.bloomgate.server.http.AnswerJson;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// The command `memory`: manages what the gateways of a group have seen.
@Command(
        name = "memory",
        description = "Manages what the gateways of memory.groups have seen.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true)
final class MemoryCommand {
    @Spec
    CommandSpec spec;

    @Command(
            name = "list",
            description = {
                "Lists the filter files of the running gateway: gateway, set, first day and estimated number of keys.",
                "Exit status: 0 listed; 3 the gateway does not answer or has no group."
            },
            mixinStandardHelpOptions = true)
    int list(
            @Mixin ConfigurationOptions configuration,
            @Option(names = "--json", description = "Print one JSON object per line.") boolean json)
            throws ConfigException, InputException, IOException, InterruptedException {
        try (GatewayClient client = new GatewayClient(configuration.read().http())) {
            for (JsonNode file :
                    client.getAsAdmin(MemoryExchange.PATH).content().path("files")) {
                print(
                        json
                                ? file.toString()
                                : Stream.of("origin", "set", "day", "keys")
                                        .map(member -> file.path(member).asText())
                                        .collect(Collectors.joining(" ")));
            }
            return ExitStatus.FINE;
        }
    }

    @Command(
            name = "join",
            description = {
                "Fetches the files of all days from another gateway of the group, once.",
                "Without it, files of earlier days that were not listed on their day are not fetched, so that a peer"
                        + " cannot make a new name look old.",
                "Exit status: 0 fetched; 3 the gateway does not answer, has no group, or got no answer."
            },
            mixinStandardHelpOptions = true)
    int join(
            @Mixin ConfigurationOptions configuration,
            @Parameters(
                            paramLabel = "URL",
                            description = "HTTP listener of that gateway, for example https://mx2.corp.example:8080.")
                    String url)
            throws ConfigException, InputException, IOException, InterruptedException {
        try (GatewayClient client = new GatewayClient(configuration.read().http())) {
            JsonNode joined = client.postAsAdmin(MemoryExchange.PATH + "/join", AnswerJson.line(Map.of("url", url)))
                    .content();
            print("accepted " + joined.path("accepted").asText() + " files");
            return ExitStatus.FINE;
        }
    }

    @Command(
            name = "forget",
            description = {
                "Deletes what a gateway has seen, and keeps its files away. Run it at every gateway of the group.",
                "The rest is united again within 10 minutes. Exit status 2 if there is nothing of such a gateway."
            },
            mixinStandardHelpOptions = true)
    int forget(
            @Mixin ConfigurationOptions configuration,
            @Parameters(paramLabel = "ORIGIN", description = "The name of the gateway, as printed by 'list'.")
                    String origin)
            throws ConfigException, IOException {
        boolean isForgotten = MemoryGroup.forget(configuration.read().memory().folder(), origin);
        remark((isForgotten ? "forgot " : "nothing of ") + Printable.of(origin));
        return isForgotten ? ExitStatus.FINE : ExitStatus.MISTAKE;
    }

    private void print(String line) {
        spec.commandLine().getOut().println(Printable.of(line));
    }

    private void remark(String text) {
        spec.commandLine().getErr().println("bloomgate: " + text);
    }
}
