package org.bloomgate.app.cli.feeds;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.bloomgate.app.cli.common.ConfiguredCommand;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.cli.common.InputException;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.options.ConfigurationNotes;
import org.bloomgate.app.gateway.options.FeedsFolder;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.lists.catalogue.Catalogue;
import org.bloomgate.lists.catalogue.CatalogueEntry;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedAuth;
import org.bloomgate.lists.fetch.FeedFetcher;
import org.bloomgate.server.http.AnswerJson;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The command `feeds add`: writes a file in `feeds.d` for each list.
@Command(
        name = "add",
        description = {
            "Adds lists from the catalogue, in shadow unless --enforce; \"starter\" adds five.",
            "Writes feeds.d/NAME.yaml beside the feeds file, with the name in the catalogue and what differs. The feeds file"
                    + " is not changed, and nothing is fetched before the next rebuild or 'feeds test'.",
            "In shadow, findings of a list are recorded and no mail is affected. To enforce it later, remove 'shadow: true'"
                    + " from its file and rebuild."
        })
final class FeedsAddCommand extends ConfiguredCommand {
    private static final String STARTER = "starter";

    @Parameters(arity = "1..*", paramLabel = "NAME", description = "Lists of 'feeds catalogue', or starter.")
    List<String> names = List.of();

    @Option(names = "--enforce", description = "Let the listings affect mail with the next rebuild.")
    boolean enforce;

    @Option(
            names = "--auth-env",
            paramLabel = "VAR",
            description = "Environment variable that contains your key, instead of the one in the catalogue.")
    Optional<String> variable = Optional.empty();

    @Option(names = "--source", paramLabel = "FILE", description = "File or URL to read instead of the publisher's.")
    Optional<String> source = Optional.empty();

    @Option(names = "--json", description = "Print one JSON object for each list.")
    boolean json;

    /// A list that was added, as `--json` prints it.
    private record Row(
            String name, String file, boolean shadow, String keyVariable, boolean keySet, Optional<String> note) {}

    @Override
    public Integer call() throws ConfigException, IOException, InputException {
        Configuration read = configuration.read();
        Set<String> existing =
                configuration.allFeeds(read).feeds().stream().map(Feed::name).collect(Collectors.toSet());
        FeedsFolder folder = FeedsFolder.of(read);
        List<CatalogueEntry> lists = lists(existing);
        for (CatalogueEntry list : lists) {
            requireConsistentOptions(list);
        }
        for (CatalogueEntry list : lists) {
            folder.add(list.feed().name(), yaml(list));
        }
        try {
            configuration.allFeeds(read);
        } catch (ConfigException e) {
            for (CatalogueEntry list : lists) {
                folder.remove(list.feed().name());
            }
            throw e;
        }
        for (CatalogueEntry list : lists) {
            Row row = row(list, folder, read);
            out().println(json ? AnswerJson.line(row) : text(list, row));
        }
        if (!json) {
            lists.stream()
                    .filter(list -> list.feed().queriedZone().isEmpty())
                    .forEach(list -> out().println(
                                    "Next: bloomgate feeds test " + list.feed().name()));
        }
        return ExitStatus.FINE;
    }

    private List<CatalogueEntry> lists(Set<String> existing) throws InputException {
        Catalogue catalogue = Catalogue.shipped();
        List<CatalogueEntry> lists = new ArrayList<>();
        for (String name : new LinkedHashSet<>(names)) {
            for (String listName : name.equals(STARTER) ? catalogue.starter() : List.of(name)) {
                CatalogueEntry list = catalogue
                        .list(listName)
                        .orElseThrow(() -> new InputException(
                                "no list '" + listName + "' in the catalogue; 'bloomgate feeds catalogue' shows them"));
                if (!existing.contains(listName)) {
                    lists.add(list);
                } else if (name.equals(STARTER)) {
                    remark(listName + ": a feed of this name exists already");
                } else {
                    throw new InputException(listName + ": a feed of this name exists already; nothing was added");
                }
            }
        }
        return lists;
    }

    private void requireConsistentOptions(CatalogueEntry list) throws InputException {
        String name = list.feed().name();
        if ((variable.isPresent() || source.isPresent()) && names.size() > 1) {
            throw new InputException("--auth-env and --source are for one list");
        }
        if (variable.isPresent() && (list.keyVariable().isEmpty() || isFile())) {
            throw new InputException(name + ": needs no key; leave --auth-env out");
        }
        if (variable.isPresent() && !variable.get().matches("[A-Za-z_][A-Za-z0-9_]*")) {
            throw new InputException("--auth-env: '" + variable.get() + "' is not the name of a variable");
        }
        if (source.isPresent() && list.feed().queriedZone().isPresent()) {
            throw new InputException(name + ": exists only in DNS; leave --source out");
        }
    }

    private boolean isFile() {
        return source.isPresent() && !FeedFetcher.isWeb(source.get());
    }

    private String yaml(CatalogueEntry list) {
        List<String> lines = new ArrayList<>();
        lines.add("# What differs from the catalogue ('bloomgate feeds catalogue'); the keys are those of feeds.yaml.");
        lines.add("catalogue: " + list.feed().name());
        if (!enforce) {
            lines.add("shadow: true");
        }
        source.ifPresent(location -> lines.add("source: " + AnswerJson.line(location)));
        boolean sendsKey = list.feed().transfer().auth().scheme() != FeedAuth.Scheme.NONE;
        if (sendsKey && isFile()) {
            lines.add("auth: { scheme: none, env: \"\", header: \"\" }");
        }
        variable.ifPresent(name -> lines.add(sendsKey ? "auth: { env: " + name + " }" : "keyEnv: " + name));
        return String.join("\n", lines) + "\n";
    }

    private Row row(CatalogueEntry list, FeedsFolder folder, Configuration read) {
        String keyVariable = isFile() ? "" : variable.orElse(list.keyVariable());
        Path file = folder.file(list.feed().name());
        return new Row(
                list.feed().name(),
                file.toString(),
                !enforce,
                keyVariable,
                !System.getenv().getOrDefault(keyVariable, "").isBlank(),
                ConfigurationNotes.wait(list.feed()).or(() -> ConfigurationNotes.timer(list.feed(), read)));
    }

    private static String text(CatalogueEntry list, Row row) {
        List<String> lines = new ArrayList<>();
        lines.add(row.name() + ": " + list.description() + ", " + list.publisher()
                + (list.size() == 0
                        ? ", in DNS"
                        : ", about %,d entries, %s"
                                .formatted(list.size(), list.feed().cadence().layer())));
        if (!list.check().isEmpty()) {
            lines.add("  not confirmed: " + list.check());
        }
        if (!row.keyVariable().isEmpty()) {
            lines.add("  set " + row.keyVariable() + " for the service: it is "
                    + (row.keySet() ? "set in this shell" : "not set in this shell"));
        }
        row.note().ifPresent(note -> lines.add("  " + note));
        lines.add("  wrote " + row.file()
                + (row.shadow() ? " (shadow: findings are recorded, no mail is affected)" : " (enforced)"));
        return String.join("\n", lines);
    }
}
