package org.bloomgate.app.cli;

import java.io.IOException;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.lookup.local.Entry;
import org.bloomgate.lookup.local.EntryRefusedException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `listing`: what operators list themselves, at once and without a rebuild.
@Command(
        name = "listing",
        description = {
            "Lists values at once, without a rebuild: a running gateway refuses them within a second.",
            "Exceptions go before these listings, these before the feeds."
        },
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true)
final class ListingCommand {
    @Spec
    CommandSpec spec;

    @Command(
            name = "add",
            description = {
                "Lists a value, in place of an earlier listing of it, and says what it would have stopped lately.",
                "Status 1, and nothing is listed, when it would list strangers; --force does so all the same."
            },
            mixinStandardHelpOptions = true)
    int add(
            @Mixin ConfigurationOptions configuration,
            @Mixin EntryOptions.Value value,
            @Mixin EntryOptions.Terms terms,
            @Option(
                            names = "--category",
                            paramLabel = "CATEGORY",
                            defaultValue = "",
                            description = "As the categories of feeds; local when not given.")
                    String category,
            @Option(
                            names = "--force",
                            description =
                                    "List it although it is a canary, an allowed name or a host that strangers share.")
                    boolean force)
            throws ConfigException, EntryRefusedException, IOException {
        return file(configuration).list(terms.entry(value, new EntryOptions.Scope("", category, "")), force);
    }

    @Command(
            name = "remove",
            description = "Takes a listing of a value back. Status 2 when there is none.",
            mixinStandardHelpOptions = true)
    int remove(@Mixin ConfigurationOptions configuration, @Mixin EntryOptions.Value value)
            throws ConfigException, EntryRefusedException, IOException {
        EntryFile file = file(configuration);
        return file.remove(file.read(EntryOptions.Terms.NONE.entry(value, EntryOptions.Scope.ANY)));
    }

    @Command(
            name = "list",
            description = {
                "Prints what is listed here, the oldest first, then what the publisher's operators list.",
                EntryOptions.MARKS
            },
            mixinStandardHelpOptions = true)
    int list(
            @Mixin ConfigurationOptions configuration,
            @Option(names = "--json", description = "One object a line.") boolean json)
            throws ConfigException, IOException {
        return file(configuration).list(json);
    }

    private EntryFile file(ConfigurationOptions configuration) throws ConfigException {
        return EntryFile.of(configuration, Entry.Type.LISTING, spec);
    }
}
