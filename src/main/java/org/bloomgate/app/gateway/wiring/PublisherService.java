package org.bloomgate.app.gateway.wiring;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.options.PublisherOptions;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.io.IoText;
import org.bloomgate.lists.layer.PublishedTree;
import org.bloomgate.lists.mirror.PublisherEntries;
import org.bloomgate.lists.snapshot.PublishedStateWriter;
import org.bloomgate.lists.snapshot.SharedEntries;
import org.bloomgate.lists.snapshot.SharedEntriesWriter;
import org.bloomgate.lists.snapshot.SharedEntriesWriter.Entries;
import org.bloomgate.lists.snapshot.SigningKey;
import org.bloomgate.lists.snapshot.Statement;
import org.bloomgate.lookup.local.LiveEntries;
import org.bloomgate.lookup.local.LocalEntries;
import org.bloomgate.lookup.local.LocalFile;
import org.bloomgate.lookup.local.RemoteEntries;
import org.bloomgate.lookup.local.SharedLines;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Publishes the current generations of this machine's snapshots, and the entries of its operators, for
/// mirrors. A mirror passes on what its own publisher has signed instead.
public final class PublisherService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PublisherService.class);
    private static final Duration ROUND = Duration.ofSeconds(1);
    private static final String CURRENT_KEY = "publisher.currentKey";
    private static final String SIGNING_KEY = "rebuild.signingKey";

    private final Optional<Writers> writers;
    private final LiveEntries entries;
    private final boolean followed;
    private Optional<BackgroundTask> watch = Optional.empty();
    private Optional<Publication> publication = Optional.empty();
    private String fault = "";

    /// The entries of operators, with their published form.
    private record Publication(LocalEntries entries, Entries published) {
        static Publication of(LocalEntries entries) {
            return new Publication(entries, Entries.of(SharedLines.write(entries)));
        }
    }

    /// The writers of both statements, and of the directory for web servers.
    private record Writers(
            PublishedStateWriter current, SharedEntriesWriter entries, Optional<PublishedTree> directory) {
        boolean updateDirectory() throws IOException {
            return directory.isPresent() && directory.get().update();
        }
    }

    private PublisherService(Optional<Writers> writers, LiveEntries entries, boolean followed) {
        this.writers = writers;
        this.followed = followed;
        this.entries = entries;
    }

    /// The publisher of a service. If the key is that of rebuilds and the service may not read it, only
    /// rebuilds publish.
    ///
    /// @param entries of the operators
    /// @throws IOException when `publisher.currentKey` cannot be read
    static PublisherService of(Configuration configuration, LiveEntries entries, InstantSource clock)
            throws IOException {
        try {
            return new PublisherService(writers(configuration, clock), entries, isFollowed(configuration));
        } catch (IOException e) {
            if (configuration.publisher().currentKey().isPresent()) {
                throw e;
            }
            LOG.warn("publisher: only rebuilds publish the current generations: {}", IoText.describe(e));
            return new PublisherService(Optional.empty(), entries, false);
        }
    }

    /// Publishes the current generations at once, after a rebuild or a rollback.
    ///
    /// @throws IOException if it cannot be published; mirrors keep the previous generations
    public static void publishGenerations(Configuration configuration) throws IOException {
        Optional<Writers> writers = writers(configuration, InstantSource.system());
        if (writers.isPresent()) {
            boolean _ = writers.get().current().publish();
            boolean _ = writers.get().updateDirectory();
        }
    }

    /// Publishes the current entries of operators at once, also signed with `rebuild.signingKey` if this
    /// process can read it.
    ///
    /// @throws IOException if it cannot be published here; a running service may still publish it
    public static void publishEntries(Configuration configuration) throws IOException {
        Optional<Writers> writers = writers(configuration, InstantSource.system());
        if (writers.isPresent()) {
            Publication current =
                    Publication.of(new LocalFile(configuration.local(), InstantSource.system()).readAll());
            boolean _ = writers.get().entries().publish(current::published);
            boolean _ = writers.get().updateDirectory();
        }
    }

    /// The entries that this machine has from its publisher, or has published, as its files show them.
    ///
    /// @throws IOException when they cannot be read
    public static RemoteEntries remoteEntries(Configuration configuration, InstantSource clock) throws IOException {
        if (configuration.mirror().isEnabled()) {
            return new RemoteEntries(
                    MirrorService.publisherEntries(configuration, clock)
                            .readStored()
                            .map(PublisherEntries.AcceptedEntries::entries)
                            .orElse(LocalEntries.NONE),
                    LocalEntries.NONE);
        }
        Optional<Statement<SharedEntries>> published =
                isFollowed(configuration) ? SharedEntries.FORM.read(configuration.snapshots()) : Optional.empty();
        return published
                .map(statement ->
                        SharedLines.read(statement.body(), clock.instant()).entries())
                .map(entries -> new RemoteEntries(LocalEntries.NONE, entries))
                .orElse(RemoteEntries.NONE);
    }

    /// Whether mirrors are likely, because there is a key. Without one the statements are published too.
    private static boolean isFollowed(Configuration configuration) {
        PublisherOptions publisher = configuration.publisher();
        return !configuration.mirror().isEnabled()
                && (publisher.currentKey().isPresent()
                        || configuration.rebuild().signingKey().isPresent());
    }

    private static Optional<Writers> writers(Configuration configuration, InstantSource clock) throws IOException {
        if (configuration.mirror().isEnabled()) {
            return Optional.empty();
        }
        Optional<SigningKey> key = key(configuration);
        Duration expires = configuration.publisher().expires();
        return Optional.of(new Writers(
                new PublishedStateWriter(configuration.snapshots(), key, expires, clock),
                new SharedEntriesWriter(configuration.snapshots(), key, owner(configuration), expires, clock),
                configuration
                        .publisher()
                        .directory()
                        .map(directory -> new PublishedTree(configuration.snapshots(), directory, clock))));
    }

    private static Optional<SigningKey> key(Configuration configuration) throws IOException {
        Optional<Path> own = configuration.publisher().currentKey();
        Optional<Path> signing = configuration.rebuild().signingKey();
        if (own.isPresent()) {
            return Optional.of(SigningKey.read(CURRENT_KEY, own.get()));
        }
        return signing.isPresent() ? Optional.of(SigningKey.read(SIGNING_KEY, signing.get())) : Optional.empty();
    }

    /// The key of rebuilds; empty if this process may not read it.
    private static Optional<SigningKey> owner(Configuration configuration) {
        Optional<Path> signing = configuration.rebuild().signingKey();
        try {
            return signing.isPresent() ? Optional.of(SigningKey.read(SIGNING_KEY, signing.get())) : Optional.empty();
        } catch (IOException e) {
            LOG.debug("publisher: entries of operators are published without the signature of {}", SIGNING_KEY, e);
            return Optional.empty();
        }
    }

    /// Publishes what has changed, every second from now on.
    void start() {
        writers.ifPresent(statementWriters ->
                watch = Optional.of(BackgroundTask.every(ROUND, "publisher", () -> publish(statementWriters))));
    }

    private void publish(Writers statementWriters) {
        try {
            if (statementWriters.current().publish()) {
                LOG.info("publisher: published a new statement of the current generations");
            }
            if (statementWriters.entries().publish(this::currentEntries)) {
                LOG.info("publisher: published a new statement of the operators' entries");
            }
            if (statementWriters.updateDirectory()) {
                LOG.info("publisher: updated publisher.directory");
            }
            if (followed) {
                entries.setPublished(publication.map(Publication::entries).orElse(LocalEntries.NONE));
            }
            fault = "";
        } catch (IOException e) {
            String newFault = IoText.describe(e);
            if (!newFault.equals(fault)) {
                LOG.warn("publisher: cannot publish: {}", newFault);
            }
            fault = newFault;
        }
    }

    /// The published form, written again after a change.
    private Entries currentEntries() {
        LocalEntries current = entries.all();
        if (publication.filter(last -> last.entries().equals(current)).isEmpty()) {
            publication = Optional.of(Publication.of(current));
        }
        return publication.get().published();
    }

    @Override
    public void close() {
        watch.ifPresent(BackgroundTask::close);
    }
}
