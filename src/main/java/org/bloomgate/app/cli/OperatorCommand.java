package org.bloomgate.app.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bloomgate.app.cli.common.ConfigurationOptions;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.cli.common.InputException;
import org.bloomgate.app.cli.common.TextTable;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.base.config.ExplicitSetting;
import org.bloomgate.base.io.IoText;
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

/// The command `operator`: manages the operators of the HTTP API and the page. It may also run as root, because
/// the file that it writes is not part of the state.
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

    private static final String RELOAD = "systemctl reload bloomgate, or send SIGHUP to the gateway";

    @Spec
    CommandSpec spec;

    @Command(
            name = "add",
            description = {
                "Creates a token for a new operator and prints it once, on stdout.",
                "Its digest is written to conf.d/operators.yaml beside the configuration file. SIGHUP or 'systemctl"
                        + " reload bloomgate' applies the change."
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
                    Role role,
            @Option(
                            names = "--print",
                            description = "Write nothing: print the lines for a configuration file, and the token on"
                                    + " stderr.")
                    boolean print)
            throws ConfigException, InputException {
        try {
            Operator.requireName(name);
        } catch (IllegalArgumentException e) {
            throw new InputException("NAME: " + e.getMessage());
        }
        if (role == Role.NONE) {
            throw new InputException("--role: write client, fleet, reader, quarantine or admin");
        }
        Configuration read = configuration.source().read();
        if (read.http().operators().containsKey(name)) {
            throw new InputException("http.operators." + name + " exists already; choose another name, or remove it");
        }
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        String token = HexFormat.of().formatHex(random);
        Operator operator = new Operator(role, BearerToken.toConfigured(token), 0);
        if (print) {
            remark("token of " + name + ", not shown again: " + token);
            out().print(OperatorsFile.yaml(Map.of(name, operator)));
            return ExitStatus.FINE;
        }
        OperatorsFile file = OperatorsFile.beside(configuration.file, read);
        Map<String, Operator> operators = file.read();
        operators.put(name, operator);
        write(file, operators, "; 'operator add --print' prints the lines for a file of your own");
        out().println(token);
        remark("this token of " + name + " is not shown again; apply it: " + RELOAD);
        return ExitStatus.FINE;
    }

    @Command(
            name = "remove",
            description = {
                "Removes an operator from conf.d/operators.yaml beside the configuration file.",
                "SIGHUP or 'systemctl reload bloomgate' applies the change: from then on the token is not accepted."
            },
            mixinStandardHelpOptions = true)
    int remove(
            @Mixin ConfigurationOptions configuration,
            @Parameters(paramLabel = "NAME", description = "Name of an operator.") String name)
            throws ConfigException, InputException {
        Configuration read = configuration.source().read();
        if (!read.http().operators().containsKey(name)) {
            throw new InputException("no such operator: " + name + "; 'bloomgate operator list' shows all");
        }
        OperatorsFile file = OperatorsFile.beside(configuration.file, read);
        Map<String, Operator> operators = file.read();
        if (operators.remove(name) == null) {
            throw new InputException(place(configuration, name) + " contains " + name + "; remove it there");
        }
        write(file, operators, "");
        remark("removed " + name + "; apply it: " + RELOAD);
        return ExitStatus.FINE;
    }

    private static void write(OperatorsFile file, Map<String, Operator> operators, String hint) throws InputException {
        try {
            file.write(operators);
        } catch (IOException e) {
            throw new InputException("cannot write " + file.path() + ": " + IoText.describe(e) + hint);
        }
    }

    /// The places where the configuration sets an operator.
    private static String place(ConfigurationOptions configuration, String name) throws ConfigException {
        return configuration.source().explicitSettings().stream()
                .filter(setting -> setting.key().startsWith("http.operators." + name + "."))
                .findFirst()
                .map(ExplicitSetting::where)
                .orElse(configuration.file.toString());
    }

    record Line(String name, String role, int checksPerSecond) {}

    @Command(
            name = "list",
            description = "Prints name, role and quota of each operator.",
            mixinStandardHelpOptions = true)
    int list(
            @Mixin ConfigurationOptions configuration,
            @Option(names = "--json", description = "Print one JSON object per line.") boolean json)
            throws ConfigException {
        List<Line> lines = new TreeMap<>(configuration.source().read().http().operators())
                .entrySet().stream()
                        .map(operator -> new Line(
                                operator.getKey(),
                                operator.getValue().role().label(),
                                operator.getValue().checksPerSecond()))
                        .toList();
        List<String> rows = json
                ? lines.stream().map(AnswerJson::line).toList()
                : TextTable.list(
                        lines,
                        List.of(
                                TextTable.Column.word("operator", Line::name),
                                TextTable.Column.word("role", Line::role),
                                TextTable.Column.word(
                                        "checks per second",
                                        line -> line.checksPerSecond() == 0 ? "" : line.checksPerSecond())));
        rows.forEach(out()::println);
        return ExitStatus.FINE;
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    private void remark(String text) {
        spec.commandLine().getErr().println("bloomgate: " + text);
    }
}
