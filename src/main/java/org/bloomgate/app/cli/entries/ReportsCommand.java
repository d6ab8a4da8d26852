package org.bloomgate.app.cli.entries;

import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.bloomgate.app.cli.common.CliAudit;
import org.bloomgate.app.cli.common.ConfigurationOptions;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.cli.common.InputException;
import org.bloomgate.app.cli.common.LimitOption;
import org.bloomgate.app.cli.common.Printable;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.wiring.Rebuilding;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.decision.reports.Report;
import org.bloomgate.decision.reports.Report.State;
import org.bloomgate.decision.reports.ReportStore;
import org.bloomgate.decision.reports.Reports;
import org.bloomgate.lookup.local.EntryRefusedException;
import org.bloomgate.lookup.local.EntryText;
import org.bloomgate.lookup.local.ListingPreview;
import org.bloomgate.lookup.tier.Entry;
import org.bloomgate.server.http.AnswerJson;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// The command `reports`: shows the messages that people reported, and decides what becomes of them.
@Command(
        name = "reports",
        description = "Manages the messages that recipients of the site reported.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true)
public final class ReportsCommand {
    private static final String ID = "Identifier of the report, as printed by 'reports list'.";
    private static final String JSON = "Print one JSON object per line.";

    @Spec
    CommandSpec spec;

    @Command(name = "list", description = "Lists the reports, the last changed first.", mixinStandardHelpOptions = true)
    int list(
            @Mixin ConfigurationOptions configuration,
            @Mixin LimitOption limit,
            @Option(names = "--json", description = JSON) boolean json)
            throws ConfigException, InputException, IOException {
        for (Report report : of(configuration.read())
                .store()
                .list(Instant.EPOCH, _ -> true, limit.require(ReportStore.MAX_REPORTS))) {
            print(json ? AnswerJson.line(report) : text(report));
        }
        return ExitStatus.FINE;
    }

    @Command(
            name = "show",
            description = "Shows a report: who reported and received the message, and what a listing would do.",
            mixinStandardHelpOptions = true)
    int show(
            @Mixin ConfigurationOptions configuration,
            @Parameters(paramLabel = "ID", description = ID) String id,
            @Option(names = "--json", description = JSON) boolean json)
            throws ConfigException, InputException, IOException {
        Reports reports = of(configuration.read());
        Report report = find(reports, id);
        print(json ? AnswerJson.line(report) : text(report));
        if (!json) {
            report.voices()
                    .forEach(voice -> print(
                            "  reported by " + Printable.of(voice.reporter().mailbox()) + " at " + voice.time()));
            report.message().recipients().forEach(recipient -> print("  received by " + Printable.of(recipient)));
        }
        for (ListingPreview preview : reports.preview(report, Instant.now())) {
            String force = preview.objections().isEmpty() ? "" : "; needs --force: " + preview.objections();
            print(json ? AnswerJson.line(preview) : "  " + preview.scope() + ": " + preview.effect() + force);
        }
        return ExitStatus.FINE;
    }

    @Command(
            name = "accept",
            description = {
                "Lists an identifier of a report.",
                "Exit status 1, without a listing, if it would affect unrelated parties; --force lists it anyway."
            },
            mixinStandardHelpOptions = true)
    int accept(
            @Mixin ConfigurationOptions configuration,
            @Parameters(index = "0", paramLabel = "ID", description = ID) String id,
            @Parameters(index = "1", paramLabel = "VALUE", description = "Identifier to list, as printed by 'show'.")
                    String value,
            @Mixin EntryOptions.Terms terms,
            @Option(names = "--force", description = "List it even if it is greyed or would have stopped much mail.")
                    boolean force)
            throws ConfigException, EntryRefusedException, InputException, IOException {
        Configuration read = configuration.read();
        Reports reports = of(read);
        Report report = find(reports, id);
        EntryText text = report.message().identifiers().stream()
                .map(identifier -> identifier.key())
                .filter(key -> key.text().equals(value))
                .findFirst()
                .map(key -> terms.addTo(EntryText.of(key.kind(), key.text())))
                .orElseThrow(() -> new InputException("the report does not name " + Printable.of(value)));
        int status = EntryEditor.of(
                        read,
                        Entry.Type.LISTING,
                        spec.commandLine().getOut(),
                        spec.commandLine().getErr())
                .addListing(text, force, reports.gatesOf(report));
        return status == ExitStatus.FINE ? decide(reports, id, State.LISTED) : status;
    }

    @Command(
            name = "harmless",
            description = "Closes reports of messages that are harmless.",
            mixinStandardHelpOptions = true)
    int harmless(
            @Mixin ConfigurationOptions configuration,
            @Parameters(arity = "1..*", paramLabel = "ID", description = ID) List<String> ids)
            throws ConfigException, InputException, IOException {
        Reports reports = of(configuration.read());
        for (String id : ids) {
            decide(reports, id, State.HARMLESS);
        }
        return ExitStatus.FINE;
    }

    private int decide(Reports reports, String id, State state) throws InputException, IOException {
        print(text(reports.decide(CliAudit.user(), id, state, Instant.now()).orElseThrow(() -> unknown(id))));
        return ExitStatus.FINE;
    }

    private static Report find(Reports reports, String id) throws InputException, IOException {
        return reports.store().find(id).orElseThrow(() -> unknown(id));
    }

    private static InputException unknown(String id) {
        return new InputException("no report " + Printable.of(id) + "; 'reports list' shows all");
    }

    private static Reports of(Configuration configuration) throws ConfigException {
        return Rebuilding.reports(configuration, Rebuilding.ownListingGates(configuration));
    }

    private void print(String text) {
        spec.commandLine().getOut().println(text);
    }

    /// `ID  TIME  STATE  N reporters  FROM  SUBJECT`
    private static String text(Report report) {
        return "%s  %s  %-8s  %d reporters  %s  %s"
                .formatted(
                        report.id(),
                        report.lastReported().truncatedTo(ChronoUnit.SECONDS),
                        report.outcome().state().label(),
                        report.voices().size(),
                        Printable.of(report.message().from()),
                        Printable.of(report.message().subject()));
    }
}
