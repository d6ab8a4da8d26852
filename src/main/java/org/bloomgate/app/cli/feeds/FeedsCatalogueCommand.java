package org.bloomgate.app.cli.feeds;

import static org.bloomgate.app.cli.common.TextTable.Column.word;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bloomgate.app.cli.common.ConfiguredCommand;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.cli.common.InputException;
import org.bloomgate.app.cli.common.TextTable;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.options.FeedsFolder;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.lists.catalogue.Catalogue;
import org.bloomgate.lists.catalogue.CatalogueEntry;
import org.bloomgate.lists.fetch.Feeds;
import org.bloomgate.server.http.AnswerJson;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `feeds catalogue`: the lists that `feeds add` knows.
@Command(
        name = "catalogue",
        description = {
            "Shows known lists: what they contain, licence, size, key needed, added or not.",
            "With WORD, only lists that contain it in name, description, publisher, licence, category, kind or what they"
                    + " affect. The catalogue is part of the program; nothing is fetched."
        })
final class FeedsCatalogueCommand extends ConfiguredCommand {
    private static final List<TextTable.Column<Row>> COLUMNS = List.of(
            word("list", Row::name),
            word("kind", Row::kind),
            word("category", Row::category),
            word("entries", row -> row.size() == 0 ? "in DNS" : "%,d".formatted(row.size())),
            word("key", row -> row.keyVariable().isEmpty() ? "-" : row.keyVariable()),
            word("added", row -> row.added() ? "yes" : row.starter() ? "- (starter)" : "-"),
            word("licence", Row::licence),
            word("contains", Row::description));

    @Parameters(arity = "0..1", paramLabel = "WORD", description = "Only lists that mention it.")
    String word = "";

    @Option(names = "--json", description = "Print one JSON object for each list.")
    boolean json;

    /// A list, as `--json` prints it.
    private record Row(
            String name,
            String description,
            String publisher,
            String kind,
            String category,
            List<String> affects,
            long size,
            String licence,
            String attribution,
            boolean redistribute,
            String keyVariable,
            boolean starter,
            boolean added,
            String check) {}

    @Override
    public Integer call() throws ConfigException, InputException {
        Configuration read = configuration.read();
        Feeds feeds = FeedsFolder.of(read).ifThere();
        Set<String> added = feeds.feeds().stream()
                .flatMap(feed -> Stream.of(feed.name(), feed.catalogue()))
                .collect(Collectors.toSet());
        Catalogue catalogue = Catalogue.shipped();
        List<Row> rows = catalogue.lists().stream()
                .filter(list -> list.mentions(word))
                .map(list -> row(list, catalogue, added))
                .toList();
        if (rows.isEmpty()) {
            throw new InputException("no list of the catalogue mentions '" + word + "'");
        }
        (json ? rows.stream().map(AnswerJson::line).toList() : TextTable.list(rows, COLUMNS)).forEach(out()::println);
        return ExitStatus.FINE;
    }

    private static Row row(CatalogueEntry list, Catalogue catalogue, Set<String> added) {
        return new Row(
                list.feed().name(),
                list.description(),
                list.publisher(),
                list.feed().kind().label(),
                list.feed().category(),
                list.affects(),
                list.size(),
                list.licence(),
                list.attribution(),
                list.feed().effect().redistribute(),
                list.keyVariable(),
                catalogue.starter().contains(list.feed().name()),
                added.contains(list.feed().name()),
                list.check());
    }
}
