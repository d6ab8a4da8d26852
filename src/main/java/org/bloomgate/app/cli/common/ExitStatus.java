package org.bloomgate.app.cli.common;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.CancellationException;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.base.io.IoText;
import org.bloomgate.base.net.CannotListenException;
import org.bloomgate.lists.snapshot.SnapshotRefusedException;
import org.bloomgate.lookup.local.DamagedFileException;
import org.bloomgate.lookup.local.EntryRefusedException;
import org.bloomgate.lookup.tier.Verdict;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/// The exit statuses of commands. Scripts rely on these numbers.
public final class ExitStatus {
    private static final Logger LOG = LoggerFactory.getLogger(ExitStatus.class);

    public static final int FINE = 0;

    /// The answer is "listed" or "weak", or a gate closed.
    public static final int LISTED = 1;

    /// An error in usage, configuration or input.
    public static final int MISTAKE = 2;

    /// The answer is unknown: no snapshot, or a failed lookup.
    public static final int UNKNOWN = 3;

    private ExitStatus() {}

    public static int of(Verdict.Kind verdict) {
        return switch (verdict) {
            case CLEAN -> FINE;
            case LISTED -> LISTED;
            case UNRESOLVED -> UNKNOWN;
        };
    }

    /// Turns an exception of a command into a message and a status. Only an unexpected one is shown with its
    /// stack trace.
    public static int of(Exception fault, CommandLine command, ParseResult result) {
        switch (fault) {
            case ConfigException e -> command.getErr().println(e.getMessage());
            case InputException _,
                    EntryRefusedException _,
                    SnapshotRefusedException _,
                    CancellationException _,
                    CannotListenException _,
                    DamagedFileException _ -> command.getErr().println("bloomgate: " + fault.getMessage());
            case IOException e -> command.getErr().println("bloomgate: " + IoText.describe(e));
            default -> LOG.error("unexpected error", fault);
        }
        return switch (fault) {
            case ConfigException _, InputException _, CannotListenException _ -> MISTAKE;
            case EntryRefusedException _, DamagedFileException _, SnapshotRefusedException _ -> MISTAKE;
            default -> UNKNOWN;
        };
    }

    /// Prints a mistake in the arguments: the error, the usage in one line, and how to get help.
    public static int ofUsage(ParameterException e) {
        CommandLine command = e.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("bloomgate: " + e.getMessage());
        UnmatchedArgumentException.printSuggestions(e, err);
        err.print("Usage: " + command.getHelp().abbreviatedSynopsis());
        if (command.getParent() != null && !command.getSubcommands().isEmpty()) {
            err.println(
                    "Commands: " + String.join(", ", command.getSubcommands().keySet()));
        }
        err.println("Help: bloomgate help"
                + command.getCommandSpec().qualifiedName().substring("bloomgate".length()));
        return MISTAKE;
    }

    /// Prints that the arguments are wrong without repeating them, because one of them may be a password.
    public static int ofWithheld(ParameterException e) {
        e.getCommandLine()
                .getErr()
                .println("bloomgate: the arguments are wrong, and not repeated because one may be a password;"
                        + " write 'check password -- VALUE', or '-' and the values on stdin");
        return MISTAKE;
    }
}
