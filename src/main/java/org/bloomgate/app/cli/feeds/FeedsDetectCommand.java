package org.bloomgate.app.cli.feeds;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.bloomgate.app.cli.common.ConfiguredCommand;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.cli.common.InputException;
import org.bloomgate.app.cli.common.Printable;
import org.bloomgate.app.cli.common.Version;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.wiring.Rebuilding;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedFetcher;
import org.bloomgate.lists.fetch.FeedFormat;
import org.bloomgate.lists.fetch.FeedRefusedException;
import org.bloomgate.lists.fetch.Feeds;
import org.bloomgate.lists.fetch.Validators;
import org.bloomgate.lists.format.FormatDetection;
import org.bloomgate.server.http.AnswerJson;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The command `feeds detect`: guesses the format of a list.
@Command(
        name = "detect",
        description = {
            "Guesses kind, format and column of a list, and prints the line for feeds.yaml.",
            "Reads 1,000 lines in each format. The best one is chosen if it can read at least 95 %% of them; otherwise, and"
                    + " for keywords, which any text can be, the two best are printed, and the exit status is 1. Exit status 2: no such file; 3: not reachable."
        })
final class FeedsDetectCommand extends ConfiguredCommand {
    @Parameters(paramLabel = "FILE|URL", description = "The list; it may be compressed.")
    String source = "";

    @Option(names = "--json", description = "Print one JSON object for each guess.")
    boolean json;

    /// A guess, as `--json` prints it.
    private record Row(
            boolean certain,
            String kind,
            String format,
            Optional<String> column,
            Optional<String> path,
            double share,
            List<String> examples) {}

    @Override
    public Integer call() throws ConfigException, IOException, InputException {
        Configuration read = configuration.read();
        Feed list = Feed.of(name(), KeyKind.DOMAIN, FeedFormat.LINES, source);
        List<FormatDetection.Guess> guesses = guesses(read, list);
        boolean certain = guesses.size() == 1 && guesses.getFirst().certain();
        for (FormatDetection.Guess guess : guesses) {
            out().println(json ? AnswerJson.line(row(guess)) : text(guess));
        }
        if (!certain) {
            remark(source + ": not certain which kind and format this is; look at the file");
        }
        return certain ? ExitStatus.FINE : ExitStatus.LISTED;
    }

    private List<FormatDetection.Guess> guesses(Configuration read, Feed list)
            throws ConfigException, IOException, InputException {
        Path folder = Files.createTempDirectory("bloomgate-detect");
        try {
            Path file = Path.of(source);
            if (FeedFetcher.isWeb(source)) {
                file = folder.resolve("list");
                new FeedFetcher(Version.text()).fetch(list, file, Validators.NONE);
            } else if (!Files.isRegularFile(file)) {
                throw new InputException(source + ": no such file");
            }
            Path content = file;
            try {
                return FormatDetection.guess(
                        Rebuilding.reader(read, Feeds.defaults()), list, () -> Files.newInputStream(content));
            } catch (FeedRefusedException e) {
                remark(String.valueOf(e.getMessage()));
                return List.of();
            }
        } finally {
            DurableFiles.deleteTree(folder);
        }
    }

    /// A name for the feed, from that of the file.
    private String name() {
        String last = source.substring(source.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
        String name =
                last.replaceFirst("\\..*", "").replaceAll("[^a-z0-9_-]+", "-").replaceAll("^[_-]+|[_-]+$", "");
        return name.isEmpty() ? "list" : name.substring(0, Math.min(name.length(), 64));
    }

    private static Row row(FormatDetection.Guess guess) {
        Feed feed = guess.feed();
        return new Row(
                guess.certain(),
                feed.kind().label(),
                feed.format().label(),
                feed.position().column(),
                feed.position().path(),
                guess.share(),
                guess.examples());
    }

    private String text(FormatDetection.Guess guess) {
        Feed feed = guess.feed();
        StringBuilder text = new StringBuilder("%s, format %s: %.1f %% of the lines are readable"
                .formatted(feed.kind().label(), feed.format().label(), 100 * guess.share()));
        guess.examples().forEach(entry -> text.append("\n  ").append(Printable.of(entry)));
        String position = feed.position()
                .column()
                .map(name -> ", column: " + AnswerJson.line(name))
                .or(() -> feed.position().path().map(path -> ", path: " + AnswerJson.line(path)))
                .orElse("");
        return guess.certain()
                ? text.append("\n- { name: %s, kind: %s, format: %s%s, category: listed, shadow: true, source: %s }"
                                .formatted(
                                        feed.name(),
                                        feed.kind().label(),
                                        feed.format().label(),
                                        position,
                                        AnswerJson.line(source)))
                        .toString()
                : text + position;
    }
}
