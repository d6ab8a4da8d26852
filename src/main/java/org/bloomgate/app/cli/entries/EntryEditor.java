package org.bloomgate.app.cli.entries;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.bloomgate.app.cli.common.CliAudit;
import org.bloomgate.app.cli.common.ConfigurationOptions;
import org.bloomgate.app.cli.common.ExitStatus;
import org.bloomgate.app.cli.common.Printable;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.wiring.PublisherService;
import org.bloomgate.app.gateway.wiring.Rebuilding;
import org.bloomgate.base.audit.Actor;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.base.io.IoText;
import org.bloomgate.decision.evaluation.FalsePositive;
import org.bloomgate.decision.journal.JsonDecisionJournal;
import org.bloomgate.lookup.local.EntryRefusedException;
import org.bloomgate.lookup.local.EntryService;
import org.bloomgate.lookup.local.EntryStatus;
import org.bloomgate.lookup.local.EntryText;
import org.bloomgate.lookup.local.ExceptionHits;
import org.bloomgate.lookup.local.ListingGates;
import org.bloomgate.lookup.local.LocalEntries;
import org.bloomgate.lookup.local.LocalFile;
import org.bloomgate.lookup.local.RemoteEntries;
import org.bloomgate.lookup.tier.Entry;
import org.bloomgate.server.http.AnswerJson;
import picocli.CommandLine.Model.CommandSpec;

/// The changes of local entries that the commands `listing` and `exception` share, and their output.
public record EntryEditor(
        LocalFile file, Actor by, Configuration configuration, Entry.Type type, PrintWriter out, PrintWriter err) {

    public static EntryEditor of(ConfigurationOptions configuration, Entry.Type type, CommandSpec spec)
            throws ConfigException {
        return of(
                configuration.read(),
                type,
                spec.commandLine().getOut(),
                spec.commandLine().getErr());
    }

    public static EntryEditor of(Configuration read, Entry.Type type, PrintWriter out, PrintWriter err) {
        LocalFile file = new LocalFile(read.local(), InstantSource.system());
        return new EntryEditor(file, CliAudit.user(), read, type, out, err);
    }

    private EntryService service() {
        return new EntryService(file::change, configuration::phones, InstantSource.system());
    }

    /// Lists a value if the gates of feeds have no objection, or if it is forced.
    int addListing(EntryText text, boolean force) throws EntryRefusedException, IOException, ConfigException {
        return addListing(text, force, Rebuilding.ownListingGates(configuration));
    }

    /// The same with these gates.
    int addListing(EntryText text, boolean force, ListingGates gates) throws EntryRefusedException, IOException {
        EntryService.Added added = service().addListing(by, text, force, gates);
        remark(added.preview().scope());
        added.preview().objections().forEach(this::remark);
        remark(added.preview().effect());
        if (added.entries().isEmpty()) {
            remark("not listed; use --force to list it anyway");
            return ExitStatus.LISTED;
        }
        return printAndPublish("listed", added.entries());
    }

    int addException(EntryText text) throws EntryRefusedException, IOException, ConfigException {
        return printAndPublish("excepted", service().addException(by, text, Rebuilding.ownListingGates(configuration)));
    }

    /// Excepts the listing that decided a message.
    public int exceptDecision(String token, EntryText terms) throws EntryRefusedException, IOException {
        try (JsonDecisionJournal journal = new JsonDecisionJournal(configuration.journal(), InstantSource.system())) {
            return printAndPublish("excepted", service().takeBack(by, FalsePositive.find(token, journal), terms));
        }
    }

    private int printAndPublish(String change, List<Entry> entries) {
        entries.forEach(entry -> out.println(change + "  " + EntryOptions.text(EntryText.masked(entry))));
        publish();
        return ExitStatus.FINE;
    }

    /// A failure is only reported: the entry is changed already, and a running service publishes it too.
    private void publish() {
        try {
            PublisherService.publishEntries(configuration);
        } catch (IOException e) {
            remark("this command could not notify mirrors: " + IoText.describe(e));
        }
    }

    private void remark(String text) {
        err.println("bloomgate: " + Printable.of(text));
    }

    /// @throws EntryRefusedException when nothing was removed
    int remove(EntryText text) throws EntryRefusedException, IOException {
        List<Entry> removed = service().remove(by, type, text);
        if (removed.isEmpty()) {
            String label = type.label();
            throw new EntryRefusedException("no such " + label + "; '" + label + " list' shows all");
        }
        return printAndPublish("removed", removed);
    }

    /// Prints the listings of this machine, and those of the publisher that it follows.
    int printListings(boolean json) throws IOException {
        LocalEntries localEntries = file.read();
        RemoteEntries remoteEntries = remoteEntries();
        Stream.concat(
                        EntryStatus.listings(localEntries, remoteEntries).stream(),
                        EntryStatus.publisherListings(localEntries, remoteEntries).stream())
                .forEach(listing -> print(listing, json));
        return ExitStatus.FINE;
    }

    private void print(EntryStatus status, boolean json) {
        out.println(json ? AnswerJson.line(status) : EntryOptions.text(status));
    }

    /// The entries of the publisher; none if they cannot be read, so that the local ones are shown in any case.
    private RemoteEntries remoteEntries() {
        try {
            return PublisherService.remoteEntries(configuration, InstantSource.system());
        } catch (IOException e) {
            remark("publisher entries not shown: " + IoText.describe(e));
            return RemoteEntries.NONE;
        }
    }

    /// Prints exceptions with the times of their hits.
    ///
    /// @param remarkedOnly whether only entries with a remark are printed; then the exit status is 1 if there
    ///     is one
    int printExceptions(boolean json, boolean remarkedOnly) throws IOException, ConfigException {
        ExceptionHits hits = new ExceptionHits(configuration.local().directory(), InstantSource.system());
        LocalEntries localEntries = file.read();
        RemoteEntries remoteEntries = remoteEntries();
        Set<String> feeds = Rebuilding.ownListingGates(configuration).feeds();
        List<EntryStatus> exceptions = Stream.concat(
                        EntryStatus.exceptions(localEntries, remoteEntries, hits, feeds).stream(),
                        EntryStatus.publisherExceptions(localEntries, remoteEntries, hits).stream())
                .filter(exception -> !remarkedOnly || !exception.remarks().isEmpty())
                .toList();
        exceptions.forEach(exception -> print(exception, json));
        return remarkedOnly && !exceptions.isEmpty() ? ExitStatus.LISTED : ExitStatus.FINE;
    }
}
