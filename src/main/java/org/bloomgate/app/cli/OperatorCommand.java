package org.bloomgate.app.cli;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.base.net.BearerToken;
import org.bloomgate.server.http.AnswerJson;
import org.bloomgate.server.http.Operator;
import org.bloomgate.server.http.Role;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `operator`: who may use the HTTP API and the page.
@Command(
        name = "operator",
        description = {
            "Manages the operators of the HTTP API and the page (http.operators).",
            "Roles: client checks values, passwords and messages; fleet is for mirrors, gateways and Prometheus; reader"
                    + " sees everything but quarantined messages; quarantine opens and releases them; admin may do"
                    + " everything."
        },
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true)
final class OperatorCommand {
    /// 128 random bits, 32 characters.
    private static final int TOKEN_BYTES = 16;

    @Spec
    CommandSpec spec;

    @Command(
            name = "add",
            description = {
                "Makes a token for a new operator and prints the lines for the configuration.",
                "The token is printed once, on stderr; the configuration contains its digest. SIGHUP or 'systemctl"
                        + " reload bloomgate' applies it."
            },
            mixinStandardHelpOptions = true)
    int add(
            @Mixin ConfigurationOptions configuration,
            @Parameters(paramLabel = "NAME", description = "The name in the audit log.") String name,
            @Option(
                            names = "--role",
                            paramLabel = "ROLE",
                            required = true,
                            description = "client, fleet, reader, quarantine or admin.")
                    Role role)
            throws ConfigException, InputException {
        try {
            Operator.requireName(name);
        } catch (IllegalArgumentException wrong) {
            throw new InputException("NAME: " + wrong.getMessage());
        }
        if (role == Role.NONE) {
            throw new InputException("--role: write client, fleet, reader, quarantine or admin");
        }
        if (operators(configuration).containsKey(name)) {
            throw new InputException("http.operators." + name + " exists already; choose another name, or remove it");
        }
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        String token = HexFormat.of().formatHex(random);
        spec.commandLine().getErr().println("token of " + name + ", not shown again: " + token);
        spec.commandLine().getOut().print("""
                http:
                  operators:
                    %s: { role: %s, token: "%s" }
                """.formatted(name, role.label(), BearerToken.configured(token)));
        return ExitStatus.FINE;
    }

    record Line(String name, String role, int checksPerSecond) {}

    @Command(
            name = "list",
            description = "Prints name, role and quota of each operator.",
            mixinStandardHelpOptions = true)
    int list(
            @Mixin ConfigurationOptions configuration,
            @Option(names = "--json", description = "One object a line.") boolean json)
            throws ConfigException {
        List<Line> lines = operators(configuration).entrySet().stream()
                .map(one -> new Line(
                        one.getKey(),
                        one.getValue().role().label(),
                        one.getValue().checksPerSecond()))
                .toList();
        List<String> shown = json
                ? lines.stream().map(AnswerJson::line).toList()
                : TextTable.lines(
                        lines,
                        List.of(
                                TextTable.Column.word("operator", Line::name),
                                TextTable.Column.word("role", Line::role),
                                TextTable.Column.word(
                                        "checks per second",
                                        line -> line.checksPerSecond() == 0 ? "" : line.checksPerSecond())));
        shown.forEach(spec.commandLine().getOut()::println);
        return ExitStatus.FINE;
    }

    /// Read by root too: the command writes no state.
    private static Map<String, Operator> operators(ConfigurationOptions configuration) throws ConfigException {
        return new TreeMap<>(configuration.source().read().http().operators());
    }
}
