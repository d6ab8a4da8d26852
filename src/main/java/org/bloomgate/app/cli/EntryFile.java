package org.bloomgate.app.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.bloomgate.app.gateway.Configuration;
import org.bloomgate.app.gateway.PublisherService;
import org.bloomgate.app.gateway.Rebuilding;
import org.bloomgate.base.audit.Actor;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.base.io.IoText;
import org.bloomgate.decision.evaluation.FalsePositive;
import org.bloomgate.decision.journal.JsonDecisionJournal;
import org.bloomgate.lookup.local.EntryLine;
import org.bloomgate.lookup.local.EntryRefusedException;
import org.bloomgate.lookup.local.EntryService;
import org.bloomgate.lookup.local.EntryText;
import org.bloomgate.lookup.local.ExceptionHits;
import org.bloomgate.lookup.local.ExceptionLine;
import org.bloomgate.lookup.local.ListingLine;
import org.bloomgate.lookup.local.LocalEntries;
import org.bloomgate.lookup.local.LocalFile;
import org.bloomgate.lookup.local.RemoteEntries;
import org.bloomgate.lookup.tier.Entry;
import org.bloomgate.server.http.AnswerJson;
import picocli.CommandLine.Model.CommandSpec;

/// The changes of local entries that the commands `listing` and `exception` share, and their output.
record EntryFile(
        LocalFile file, Actor by, Configuration configuration, Entry.Type type, PrintWriter out, PrintWriter err) {

    static EntryFile of(ConfigurationOptions configuration, Entry.Type type, CommandSpec spec) throws ConfigException {
        return of(
                configuration.read(),
                type,
                spec.commandLine().getOut(),
                spec.commandLine().getErr());
    }

    static EntryFile of(Configuration read, Entry.Type type, PrintWriter out, PrintWriter err) {
        LocalFile file = new LocalFile(read.local(), InstantSource.system());
        return new EntryFile(file, CliAudit.user(), read, type, out, err);
    }

    private EntryService service() {
        return new EntryService(file::change, configuration::phones, InstantSource.system());
    }

    /// Lists a value if the gates of feeds have no objection, or if it is forced.
    int list(EntryText text, boolean force) throws EntryRefusedException, IOException, ConfigException {
        EntryService.Added added = service().list(by, text, force, Rebuilding.ownListingGates(configuration));
        added.impact().objections().forEach(this::tell);
        tell(added.impact().stopped());
        if (added.entries().isEmpty()) {
            tell("not listed; use --force to list it anyway");
            return ExitStatus.LISTED;
        }
        return changed("listed", added.entries());
    }

    int except(EntryText text) throws EntryRefusedException, IOException, ConfigException {
        return changed("excepted", service().except(by, text, Rebuilding.ownListingGates(configuration)));
    }

    /// Excepts the listing that decided a message.
    int takeBack(String token, EntryText terms) throws EntryRefusedException, IOException {
        try (JsonDecisionJournal journal = new JsonDecisionJournal(configuration.journal(), InstantSource.system())) {
            return changed(
                    "excepted", service().add(by, FalsePositive.exceptions(token, journal, terms, Instant.now())));
        }
    }

    private int changed(String done, List<Entry> entries) {
        entries.forEach(entry -> out.println(done + "  " + EntryOptions.text(EntryLine.shown(entry))));
        publish();
        return ExitStatus.FINE;
    }

    /// A failure is only reported: the change is made, and a running service publishes it too.
    private void publish() {
        try {
            PublisherService.entriesNow(configuration);
        } catch (IOException e) {
            tell("this command could not notify mirrors: " + IoText.describe(e));
        }
    }

    private void tell(String remark) {
        err.println("bloomgate: " + Printable.of(remark));
    }

    /// @throws EntryRefusedException when nothing was removed
    int remove(EntryText text) throws EntryRefusedException, IOException {
        List<Entry> removed = service().remove(by, type, text);
        if (removed.isEmpty()) {
            String what = type.label();
            throw new EntryRefusedException("no such " + what + "; '" + what + " list' shows what there is");
        }
        return changed("removed", removed);
    }

    /// Listings of this machine, and of the publisher that it follows.
    int list(boolean json) throws IOException {
        LocalEntries here = file.read();
        RemoteEntries beyond = remoteEntries();
        Stream.concat(ListingLine.ours(here, beyond).stream(), ListingLine.theirs(here, beyond).stream())
                .forEach(line -> out.println(json ? AnswerJson.line(line) : EntryOptions.text(line)));
        return ExitStatus.FINE;
    }

    /// The entries here are shown even if those of the publisher cannot be read.
    private RemoteEntries remoteEntries() {
        try {
            return PublisherService.remoteEntries(configuration, InstantSource.system());
        } catch (IOException unreadable) {
            tell("publisher entries not shown: " + IoText.describe(unreadable));
            return RemoteEntries.NONE;
        }
    }

    /// Exceptions with the times of their hits.
    ///
    /// @param remarkable true: only entries with a remark; exit status 1 if there is one
    int exceptions(boolean json, boolean remarkable) throws IOException, ConfigException {
        ExceptionHits hits = new ExceptionHits(configuration.local().directory(), InstantSource.system());
        LocalEntries here = file.read();
        RemoteEntries beyond = remoteEntries();
        Set<String> feeds = Rebuilding.ownListingGates(configuration).feeds();
        List<ExceptionLine> lines = Stream.concat(
                        ExceptionLine.ours(here, beyond, hits, feeds).stream(),
                        ExceptionLine.theirs(here, beyond, hits).stream())
                .filter(line -> !remarkable || !line.remarks().isEmpty())
                .toList();
        lines.forEach(line -> out.println(json ? AnswerJson.line(line) : EntryOptions.text(line)));
        return remarkable && !lines.isEmpty() ? ExitStatus.LISTED : ExitStatus.FINE;
    }
}
