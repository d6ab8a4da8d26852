package org.bloomgate.app.cli;

import java.io.IOException;
import java.util.Optional;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.lookup.local.Entry;
import org.bloomgate.lookup.local.EntryRefusedException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `exception`: what operators let through although it is listed.
@Command(
        name = "exception",
        description = {
            "Lets values through although they are listed: a running gateway does so within a second.",
            "Exceptions go before local listings and before the feeds. Without a scope one holds whoever lists the"
                    + " value."
        },
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true)
final class ExceptionCommand {
    @Spec
    CommandSpec spec;

    @Command(
            name = "add",
            description = "Makes an exception, in place of an earlier one of the value with the same scope.",
            mixinStandardHelpOptions = true)
    int add(
            @Mixin ConfigurationOptions configuration,
            @Mixin EntryOptions.Given given,
            @Mixin EntryOptions.Terms terms,
            @Mixin EntryOptions.Scope scope,
            @Option(
                            names = "--token",
                            paramLabel = "TOKEN",
                            description = "Of a decision that was wrong, in place of KIND and VALUE: excepts what was"
                                    + " listed, for the feed that lists it and the domains of the recipients.")
                    Optional<String> token)
            throws ConfigException, EntryRefusedException, IOException {
        EntryFile file = file(configuration);
        boolean alone = given.kind.isEmpty() && !scope.sender.isEmpty();
        if (token.isPresent() ? given.kind.isPresent() || alone : given.isComplete() == alone) {
            throw new ParameterException(spec.subcommands().get("add"), "name KIND and VALUE, --sender, or --token");
        }
        if (token.isPresent()) {
            return file.takeBack(token.get(), terms.entry());
        }
        return file.except(alone ? terms.entry(scope) : terms.entry(given.value(), scope));
    }

    @Command(
            name = "remove",
            description = "Ends the exceptions of a value, or those in a scope. Status 2 when there is none.",
            mixinStandardHelpOptions = true)
    int remove(
            @Mixin ConfigurationOptions configuration, @Mixin EntryOptions.Given given, @Mixin EntryOptions.Scope scope)
            throws ConfigException, EntryRefusedException, IOException {
        boolean alone = given.kind.isEmpty() && !scope.sender.isEmpty();
        if (given.isComplete() == alone) {
            throw new ParameterException(spec.subcommands().get("remove"), "name KIND and VALUE, or --sender");
        }
        EntryOptions.Terms none = EntryOptions.Terms.NONE;
        EntryFile file = file(configuration);
        return file.remove(file.read(alone ? none.entry(scope) : none.entry(given.value(), scope)));
    }

    @Command(
            name = "list",
            description = {
                "Prints the exceptions, the oldest first.",
                "With the day on which each last kept a listing from counting, and behind an exclamation mark why"
                        + " nobody may need it any more.",
                EntryOptions.MARKS
            },
            mixinStandardHelpOptions = true)
    int list(
            @Mixin ConfigurationOptions configuration,
            @Option(names = "--json", description = "One object a line.") boolean json)
            throws ConfigException, IOException {
        return file(configuration).exceptions(json, false);
    }

    @Command(
            name = "lint",
            description = {
                "Prints the exceptions that nobody may need any more, and why.",
                "They were never hit in 90 days, are of a feed that there is not, covered by a wider one, or above a"
                        + " local listing that so never counts.",
                "Status 1 when there is one."
            },
            mixinStandardHelpOptions = true)
    int lint(
            @Mixin ConfigurationOptions configuration,
            @Option(names = "--json", description = "One object a line.") boolean json)
            throws ConfigException, IOException {
        return file(configuration).exceptions(json, true);
    }

    private EntryFile file(ConfigurationOptions configuration) throws ConfigException {
        return EntryFile.of(configuration, Entry.Type.EXCEPTION, spec);
    }
}
