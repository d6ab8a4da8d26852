package org.bloomgate.app.cli;

import java.util.List;
import java.util.concurrent.Callable;
import org.bloomgate.app.cli.common.ExitStatus;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// The command `help`: prints the help of a command.
@Command(name = "help", description = "Prints the help of a command.", mixinStandardHelpOptions = true)
final class HelpCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    @Parameters(arity = "0..2", paramLabel = "COMMAND", description = "A command, or two words such as feeds add.")
    List<String> names = List.of();

    @Override
    public Integer call() {
        CommandLine command = Bloomgate.commands();
        for (String name : names) {
            CommandLine subcommand = command.getSubcommands().get(name);
            if (subcommand == null) {
                throw new ParameterException(
                        spec.commandLine(), "there is no command '" + String.join(" ", names) + "'");
            }
            command = subcommand;
        }
        command.setUsageHelpWidth(Bloomgate.HELP_WIDTH);
        command.usage(spec.commandLine().getOut());
        return ExitStatus.FINE;
    }
}
