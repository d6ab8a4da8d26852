package org.bloomgate.app.gateway;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.io.IoText;
import org.bloomgate.lists.mirror.PublisherEntries;
import org.bloomgate.lists.snapshot.SharedEntries;
import org.bloomgate.lists.snapshot.SharedEntriesWriter;
import org.bloomgate.lists.snapshot.SharedEntriesWriter.Entries;
import org.bloomgate.lists.snapshot.SigningKey;
import org.bloomgate.lists.snapshot.SnapshotReader;
import org.bloomgate.lists.snapshot.StatementWriter;
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
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final String CURRENT_KEY = "publisher.currentKey";
    private static final String SIGNING_KEY = "rebuild.signingKey";

    private final Optional<Writers> said;
    private final LiveEntries entries;
    private final boolean followed;
    private Optional<BackgroundTask> watch = Optional.empty();
    private Optional<ExplicitSetting> written = Optional.empty();
    private String fault = "";

    /// The entries of operators, with their published form.
    private record ExplicitSetting(LocalEntries of, Entries said) {
        static ExplicitSetting of(LocalEntries entries) {
            return new ExplicitSetting(entries, Entries.of(SharedLines.write(entries)));
        }
    }

    /// The writers of both statements.
    private record Writers(StatementWriter current, SharedEntriesWriter entries) {}

    private PublisherService(Optional<Writers> said, LiveEntries entries, boolean followed) {
        this.said = said;
        this.followed = followed;
        this.entries = entries;
    }

    /// For a service. If the key is that of rebuilds and a service may not read it, only rebuilds publish.
    ///
    /// @param entries of the operators
    /// @throws IOException when `publisher.currentKey` cannot be read
    static PublisherService of(Configuration configuration, LiveEntries entries, InstantSource clock)
            throws IOException {
        try {
            return new PublisherService(said(configuration, clock), entries, isFollowed(configuration));
        } catch (IOException unreadable) {
            if (configuration.publisher().currentKey().isPresent()) {
                throw unreadable;
            }
            LOG.warn("publisher: only rebuilds publish the current generations: {}", IoText.describe(unreadable));
            return new PublisherService(Optional.empty(), entries, false);
        }
    }

    /// Publishes the current generations at once, after a rebuild or a rollback.
    ///
    /// @throws IOException if it cannot be published; mirrors keep the previous generations
    public static void now(Configuration configuration) throws IOException {
        Optional<Writers> said = said(configuration, InstantSource.system());
        if (said.isPresent()) {
            boolean _ = said.get().current().publish();
        }
    }

    /// Says at once what operators list now, and vouches for it where the key for manifests is.
    ///
    /// @throws IOException if it cannot be published here; a running service may still publish it
    public static void entriesNow(Configuration configuration) throws IOException {
        Optional<Writers> said = said(configuration, InstantSource.system());
        if (said.isPresent()) {
            ExplicitSetting now =
                    ExplicitSetting.of(new LocalFile(configuration.local(), InstantSource.system()).readAll());
            boolean _ = said.get().entries().publish(now::said);
        }
    }

    /// Where operators' entries are known beyond this machine, by its files.
    ///
    /// @throws IOException when they cannot be read
    public static RemoteEntries remoteEntries(Configuration configuration, InstantSource clock) throws IOException {
        if (configuration.mirror().enabled()) {
            return new RemoteEntries(
                    MirrorService.lastSeen(configuration, clock)
                            .stored()
                            .map(PublisherEntries.Accepted::entries)
                            .orElse(LocalEntries.NONE),
                    LocalEntries.NONE);
        }
        Optional<byte[]> bytes =
                isFollowed(configuration) ? SharedEntries.bytes(configuration.snapshots()) : Optional.empty();
        return bytes.isPresent()
                ? new RemoteEntries(
                        LocalEntries.NONE,
                        SharedLines.read(
                                        new SnapshotReader()
                                                .sharedBefore(bytes.get())
                                                .entries(),
                                        clock.instant())
                                .entries())
                : RemoteEntries.NONE;
    }

    /// Whether there is a sign of mirrors. A machine for itself says what it has all the same.
    private static boolean isFollowed(Configuration configuration) {
        PublisherOptions publisher = configuration.publisher();
        return !configuration.mirror().enabled()
                && (publisher.currentKey().isPresent()
                        || configuration.rebuild().signingKey().isPresent());
    }

    private static Optional<Writers> said(Configuration configuration, InstantSource clock) throws IOException {
        if (configuration.mirror().enabled()) {
            return Optional.empty();
        }
        Optional<SigningKey> key = key(configuration);
        Duration expires = configuration.publisher().expires();
        return Optional.of(new Writers(
                new StatementWriter(configuration.snapshots(), key, expires, clock),
                new SharedEntriesWriter(configuration.snapshots(), key, owner(configuration), expires, clock)));
    }

    private static Optional<SigningKey> key(Configuration configuration) throws IOException {
        Optional<Path> own = configuration.publisher().currentKey();
        Optional<Path> signing = configuration.rebuild().signingKey();
        if (own.isPresent()) {
            return Optional.of(SigningKey.read(CURRENT_KEY, own.get()));
        }
        return signing.isPresent() ? Optional.of(SigningKey.read(SIGNING_KEY, signing.get())) : Optional.empty();
    }

    /// Empty where the key for manifests is not for this process to read.
    private static Optional<SigningKey> owner(Configuration configuration) {
        Optional<Path> signing = configuration.rebuild().signingKey();
        try {
            return signing.isPresent() ? Optional.of(SigningKey.read(SIGNING_KEY, signing.get())) : Optional.empty();
        } catch (IOException kept) {
            LOG.debug("publisher: nobody vouches here for what operators list", kept);
            return Optional.empty();
        }
    }

    /// Looks from now on whether there is something to say.
    void start() {
        said.ifPresent(says -> watch = Optional.of(BackgroundTask.every(LOOK, "announce", () -> look(says))));
    }

    private void look(Writers says) {
        try {
            if (says.current().publish()) {
                LOG.info("publisher: published a new statement of the current generations");
            }
            if (says.entries().publish(this::written)) {
                LOG.info("publisher: published a new statement of the operators' entries");
            }
            if (followed) {
                entries.published(written.map(ExplicitSetting::of).orElse(LocalEntries.NONE));
            }
            fault = "";
        } catch (IOException e) {
            String now = IoText.describe(e);
            if (!now.equals(fault)) {
                LOG.warn("publisher: cannot publish the statement of the current generations: {}", IoText.describe(e));
            }
            fault = now;
        }
    }

    /// Written again when it changed.
    private Entries written() {
        LocalEntries now = entries.all();
        if (written.filter(last -> last.of().equals(now)).isEmpty()) {
            written = Optional.of(ExplicitSetting.of(now));
        }
        return written.get().said();
    }

    @Override
    public void close() {
        watch.ifPresent(BackgroundTask::close);
    }
}
