package org.bloomgate.app.cli.inspect;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bloomgate.app.cli.common.ConfiguredCommand;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.cli.common.InputException;
import org.bloomgate.app.cli.common.LimitOption;
import org.bloomgate.app.cli.common.Printable;
import org.bloomgate.app.cli.common.SinceOptions;
import org.bloomgate.app.cli.common.TextTable;
import org.bloomgate.app.cli.common.TextTable.Column;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.decision.journal.JournalOptions;
import org.bloomgate.decision.journal.ShadowScan;
import org.bloomgate.lists.report.ShadowReport;
import org.bloomgate.lists.report.ShadowReport.Row;
import org.bloomgate.lists.report.ShadowReport.Sender;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.server.http.AnswerJson;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// The command `shadow`: shows what shadow mode and feeds in shadow would have done.
@Command(
        name = "shadow",
        description = {
            "Shows what shadow mode (policy.shadow) and feeds with shadow: true would have done.",
            "By feed, by category, by domain of the sender, and senders that look honest: with at"
                    + " least ten clean messages, more than would have been stopped. '-' stands for no feed, no"
                    + " category, and the null sender.",
            "Reads the journal of this machine; changes nothing."
        })
public final class ShadowCommand extends ConfiguredCommand {
    private static final int MAX_LIMIT = 10_000;

    /// No time limit: the journal is a local file, and the user may interrupt the search.
    private static final Duration SEARCH_TIMEOUT = Duration.ofDays(1);

    @Mixin
    SinceOptions options;

    @Mixin
    LimitOption limit;

    @Override
    public Integer call() throws ConfigException, InputException, IOException {
        JournalOptions journal = configuration.read().journal();
        Instant since = options.since();
        ShadowReport report = ShadowReport.of(
                since,
                limit.require(MAX_LIMIT),
                reader -> ShadowScan.since(since, journal.directory(), SEARCH_TIMEOUT, reader));
        if (options.json) {
            out().println(AnswerJson.line(report));
        } else {
            text(report).forEach(out()::println);
        }
        remark("%,d messages since then".formatted(report.mails()));
        if (report.unreadable() > 0) {
            remark("%,d lines of the journal cannot be read".formatted(report.unreadable()));
        }
        if (report.uncounted() > 0) {
            remark("%,d messages had too many different senders to count".formatted(report.uncounted()));
        }
        return ExitStatus.FINE;
    }

    private static List<String> text(ShadowReport report) {
        if (report.messages().isEmpty()) {
            return List.of("nothing would have been done");
        }
        List<String> lines = new ArrayList<>(List.of("would have: " + words(report.messages()), ""));
        lines.addAll(table("feed", report.feeds(), Row::name, Row::messages, List.of()));
        lines.addAll(table("category", report.categories(), Row::name, Row::messages, List.of()));
        lines.addAll(senders("sender", report.senders()));
        if (!report.honest().isEmpty()) {
            lines.addAll(senders("looks honest", report.honest()));
            report.honest().stream()
                    .flatMap(sender -> sender.newest().stream())
                    .map(DecisionsCommand::text)
                    .forEach(lines::add);
        }
        return lines;
    }

    private static String words(Map<String, Long> messages) {
        return messages.entrySet().stream()
                .map(action -> "%s %,d".formatted(action.getKey(), action.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static List<String> senders(String heading, List<Sender> senders) {
        return table(
                heading,
                senders,
                Sender::domain,
                Sender::messages,
                List.of(Column.count("messages", Sender::mails), Column.count("clean", Sender::clean)));
    }

    /// A table with a column for the name, one for each action that occurs, and more columns; then an empty
    /// line.
    private static <T> List<String> table(
            String heading,
            List<T> rows,
            Function<T, String> name,
            Function<T, Map<String, Long>> messages,
            List<Column<T>> more) {
        List<Column<T>> columns = new ArrayList<>();
        columns.add(Column.word(heading, row -> name.apply(row).isEmpty() ? "-" : Printable.of(name.apply(row))));
        Stream.of(Action.values())
                .map(Action::label)
                .filter(action ->
                        rows.stream().anyMatch(row -> messages.apply(row).containsKey(action)))
                .map(action ->
                        Column.<T>count(action, row -> messages.apply(row).getOrDefault(action, 0L)))
                .forEach(columns::add);
        columns.addAll(more);
        return Stream.concat(TextTable.lines(rows, columns).stream(), Stream.of(""))
                .toList();
    }
}
