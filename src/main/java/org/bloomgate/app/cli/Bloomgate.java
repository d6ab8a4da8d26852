package org.bloomgate.app.cli;

import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.cli.common.Version;
import org.bloomgate.app.cli.entries.ExceptionCommand;
import org.bloomgate.app.cli.entries.ListingCommand;
import org.bloomgate.app.cli.entries.ReportsCommand;
import org.bloomgate.app.cli.feeds.FeedsCommand;
import org.bloomgate.app.cli.inspect.CanonicalizeCommand;
import org.bloomgate.app.cli.inspect.CheckCommand;
import org.bloomgate.app.cli.inspect.DecisionsCommand;
import org.bloomgate.app.cli.inspect.ExplainCommand;
import org.bloomgate.app.cli.inspect.InspectCommand;
import org.bloomgate.app.cli.inspect.LookalikeCommand;
import org.bloomgate.app.cli.inspect.RetroCommand;
import org.bloomgate.app.cli.inspect.ScanCommand;
import org.bloomgate.app.cli.inspect.ShadowCommand;
import org.bloomgate.app.cli.quarantine.QuarantineCommand;
import org.bloomgate.app.cli.rebuild.HistoryCommand;
import org.bloomgate.app.cli.rebuild.MirrorCommand;
import org.bloomgate.app.cli.rebuild.RebuildCommand;
import org.bloomgate.app.cli.rebuild.RollbackCommand;
import org.bloomgate.app.cli.rebuild.SparkCommand;
import org.bloomgate.base.io.PrintableText;
import org.bloomgate.core.key.KeyKind;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// The program. Each command is a class. Data goes to stdout, everything else to stderr.
@Command(
        name = "bloomgate",
        description =
                "A mail and security gateway: a Bloom filter answers \"surely not listed\", an exact lookup the rest.",
        subcommands = {
            GatewayCommand.class,
            LookupCommand.class,
            RebuildCommand.class,
            SparkCommand.class,
            RollbackCommand.class,
            HistoryCommand.class,
            MirrorCommand.class,
            RetroCommand.class,
            CheckCommand.class,
            ScanCommand.class,
            CanonicalizeCommand.class,
            LookalikeCommand.class,
            ExplainCommand.class,
            DecisionsCommand.class,
            SeenCommand.class,
            MemoryCommand.class,
            ShadowCommand.class,
            InspectCommand.class,
            FeedsCommand.class,
            ListingCommand.class,
            ExceptionCommand.class,
            QuarantineCommand.class,
            ReportsCommand.class,
            AuditCommand.class,
            OperatorCommand.class,
            StatusCommand.class,
            ConfigCommand.class,
            HelpCommand.class,
        },
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:fine",
            "1:the answer is \"listed\" or \"weak\", or a gate closed",
            "2:usage, configuration or input error",
            "3:undecided (no snapshot, or a lookup was not answered)",
        },
        resourceBundle = "org.bloomgate.app.cli.examples",
        footer = {
            "",
            "'bloomgate help COMMAND' explains a command.",
            "'bloomgate train' creates the AOT cache for faster starts again; the launcher does so by itself."
        })
public final class Bloomgate {
    /// The width of help texts in columns.
    static final int HELP_WIDTH = 100;

    private static final List<String> HELP = List.of("-h", "--help");

    @Spec
    CommandSpec spec;

    private Bloomgate() {}

    public static void main(String[] arguments) {
        System.exit(run(
                new PrintWriter(
                        PrintableText.writer(new OutputStreamWriter(System.out, StandardCharsets.UTF_8)), false),
                new PrintWriter(PrintableText.writer(new OutputStreamWriter(System.err, StandardCharsets.UTF_8)), true),
                arguments));
    }

    /// Runs one command and returns its exit status.
    static int run(PrintWriter out, PrintWriter err, String... arguments) {
        CommandLine commands = commandsFor(arguments);
        int status = commands.setOut(out)
                .setErr(err)
                .setUsageHelpWidth(HELP_WIDTH)
                .setExpandAtFiles(false)
                .setParameterExceptionHandler(
                        (e, args) -> mayContainPassword(args) ? ExitStatus.ofWithheld(e) : ExitStatus.ofUsage(e))
                .setExecutionExceptionHandler(ExitStatus::of)
                .execute(arguments);
        out.flush();
        return status;
    }

    /// Only the command that the arguments name, because reading the options of all commands doubles the time
    /// of a start. Help needs all commands, because the examples belong to the whole program.
    private static CommandLine commandsFor(String... arguments) {
        if (!Collections.disjoint(HELP, List.of(arguments))) {
            return commands();
        }
        return Stream.of(arguments)
                .limit(1)
                .flatMap(first -> Stream.of(
                                Bloomgate.class.getAnnotation(Command.class).subcommands())
                        .filter(command ->
                                command.getAnnotation(Command.class).name().equals(first)))
                .findFirst()
                .map(command -> configured(new CommandLine(new OneCommand()).addSubcommand(command)))
                .orElseGet(Bloomgate::commands);
    }

    /// All commands.
    static CommandLine commands() {
        return configured(new CommandLine(new Bloomgate()));
    }

    private static CommandLine configured(CommandLine commands) {
        return commands.setCaseInsensitiveEnumValuesAllowed(true);
    }

    /// The program with only the command that is run.
    @Command(name = "bloomgate")
    private static final class OneCommand {}

    private static boolean mayContainPassword(String... arguments) {
        return List.of(arguments).contains(KeyKind.PASSWORD.label());
    }
}
