package org.bloomgate.app.cli.entries;

import java.io.IOException;
import org.bloomgate.app.cli.common.ConfigurationOptions;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.lookup.local.EntryRefusedException;
import org.bloomgate.lookup.local.EntryText.Field;
import org.bloomgate.lookup.tier.Entry;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// The command `listing`: adds, removes and shows listings of operators, which apply at once without a rebuild.
@Command(
        name = "listing",
        description = {
            "Manages local listings. They need no rebuild: a running gateway applies them within a " + "second.",
            "Exceptions take precedence over local listings, and local listings over feeds."
        },
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true)
public final class ListingCommand {
    @Spec
    CommandSpec spec;

    @Command(
            name = "add",
            description = {
                "Lists a value, and prints its scope and how much recent mail it would have stopped.",
                "It replaces an earlier listing of the value. Exit status 1, without a listing, if it "
                        + "would affect unrelated parties or would have stopped much mail; --force lists it anyway."
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
                            description = "Category, as for feeds (default: local).")
                    String category,
            @Option(
                            names = "--force",
                            description =
                                    "List it even if it is a canary, an allowed name or a host that unrelated parties share, or "
                                            + "would have stopped much mail.")
                    boolean force)
            throws ConfigException, EntryRefusedException, IOException {
        return editor(configuration).addListing(terms.addTo(value.text()).with(Field.CATEGORY, category), force);
    }

    @Command(
            name = "remove",
            description = "Removes the listing of a value. Exit status 2 if there is none.",
            mixinStandardHelpOptions = true)
    int remove(@Mixin ConfigurationOptions configuration, @Mixin EntryOptions.Value value)
            throws ConfigException, EntryRefusedException, IOException {
        return editor(configuration).remove(value.text());
    }

    @Command(
            name = "list",
            description = {
                "Prints the listings made here, oldest first, then those of the operators of the " + "publisher.",
                EntryOptions.MARKS
            },
            mixinStandardHelpOptions = true)
    int list(
            @Mixin ConfigurationOptions configuration,
            @Option(names = "--json", description = "Print one JSON object per line.") boolean json)
            throws ConfigException, IOException {
        return editor(configuration).printListings(json);
    }

    private EntryEditor editor(ConfigurationOptions configuration) throws ConfigException {
        return EntryEditor.of(configuration, Entry.Type.LISTING, spec);
    }
}
