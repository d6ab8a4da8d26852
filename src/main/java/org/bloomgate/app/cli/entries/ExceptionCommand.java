package org.bloomgate.app.cli.entries;

import java.io.IOException;
import java.util.Optional;
import org.bloomgate.app.cli.common.ConfigurationOptions;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.lookup.local.EntryRefusedException;
import org.bloomgate.lookup.local.EntryText;
import org.bloomgate.lookup.tier.Entry;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The command `exception`: adds, removes and shows exceptions, for listings that must not count.
@Command(
        name = "exception",
        description = {
            "Manages exceptions: listings of a value that must not count.",
            "A running gateway applies them within a second. Exceptions take precedence over local "
                    + "listings and over feeds. Without a scope, an exception applies to every listing of the "
                    + "value.",
            "An exception with --sender counts only in mail whose sender is authenticated by DKIM, SPF, a login or a "
                    + "trusted hop."
        },
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true)
public final class ExceptionCommand {
    @Spec
    CommandSpec spec;

    @Command(
            name = "add",
            description = "Adds an exception. It replaces an earlier one for the value with the same scope.",
            mixinStandardHelpOptions = true)
    int add(
            @Mixin ConfigurationOptions configuration,
            @Mixin EntryOptions.OptionalValue value,
            @Mixin EntryOptions.Terms terms,
            @Mixin EntryOptions.Scope scope,
            @Option(
                            names = "--token",
                            paramLabel = "TOKEN",
                            description =
                                    "Token of a wrong decision, instead of KIND and VALUE: makes an exception for what was "
                                            + "listed, for that feed and the domains of the recipients.")
                    Optional<String> token)
            throws ConfigException, EntryRefusedException, IOException {
        EntryEditor editor = editor(configuration);
        boolean senderOnly = value.kind.isEmpty() && !scope.sender.isEmpty();
        if (token.isPresent() ? value.kind.isPresent() || senderOnly : value.isComplete() == senderOnly) {
            throw new ParameterException(spec.subcommands().get("add"), "name KIND and VALUE, --sender, or --token");
        }
        if (token.isPresent()) {
            return editor.exceptDecision(token.get(), terms.addTo(EntryText.EMPTY));
        }
        return editor.addException(scope.addTo(terms.addTo(value.text())));
    }

    @Command(
            name = "remove",
            description = "Removes the exceptions for a value, or those in a scope. Exit status 2 if there are none.",
            mixinStandardHelpOptions = true)
    int remove(
            @Mixin ConfigurationOptions configuration,
            @Mixin EntryOptions.OptionalValue value,
            @Mixin EntryOptions.Scope scope)
            throws ConfigException, EntryRefusedException, IOException {
        boolean senderOnly = value.kind.isEmpty() && !scope.sender.isEmpty();
        if (value.isComplete() == senderOnly) {
            throw new ParameterException(spec.subcommands().get("remove"), "name KIND and VALUE, or --sender");
        }
        return editor(configuration).remove(scope.addTo(value.text()));
    }

    @Command(
            name = "list",
            description = {
                "Prints the exceptions, the oldest first.",
                "With the day on which each last had an effect, and after an exclamation mark the reason why"
                        + " it may no longer be needed.",
                EntryOptions.MARKS
            },
            mixinStandardHelpOptions = true)
    int list(
            @Mixin ConfigurationOptions configuration,
            @Option(names = "--json", description = "Print one JSON object per line.") boolean json)
            throws ConfigException, IOException {
        return editor(configuration).printExceptions(json, false);
    }

    @Command(
            name = "lint",
            description = {
                "Lists exceptions that may no longer be needed, with the reason.",
                "No listing was suppressed for 90 days, the feed does not exist, a wider exception covers"
                        + " it, it makes a local listing ineffective, anybody can write its sender, or that sender"
                        + " was never authenticated.",
                "Exit status 1 if there are any."
            },
            mixinStandardHelpOptions = true)
    int lint(
            @Mixin ConfigurationOptions configuration,
            @Option(names = "--json", description = "Print one JSON object per line.") boolean json)
            throws ConfigException, IOException {
        return editor(configuration).printExceptions(json, true);
    }

    private EntryEditor editor(ConfigurationOptions configuration) throws ConfigException {
        return EntryEditor.of(configuration, Entry.Type.EXCEPTION, spec);
    }
}
