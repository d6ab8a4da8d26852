package org.bloomgate.gateway;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.bloomgate.background.Background;
import org.bloomgate.snapshot.Announcer;
import org.bloomgate.snapshot.SigningKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Says to mirrors what is current in this machine's snapshots, as long as they are made here: a mirror hands on
/// what its publisher says.
public final class Announcing implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Announcing.class);
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final String CURRENT_KEY = "publisher.currentKey";

    private final Optional<Announcer> announcer;
    private Optional<Background> watch = Optional.empty();
    private String fault = "";

    private Announcing(Optional<Announcer> announcer) {
        this.announcer = announcer;
    }

    /// For a service. Where the key is that of rebuilds and not for this service to read, they say it alone.
    ///
    /// @throws IOException when `publisher.currentKey` cannot be read
    static Announcing of(Configuration configuration, InstantSource clock) throws IOException {
        try {
            return new Announcing(announcer(configuration, clock));
        } catch (IOException unreadable) {
            if (configuration.publisher().currentKey().isPresent()) {
                throw unreadable;
            }
            LOG.warn("publisher: only rebuilds say what is current: {}", unreadable.getMessage());
            return new Announcing(Optional.empty());
        }
    }

    /// Says at once what is current now, after a rebuild or a rollback.
    ///
    /// @throws IOException when it cannot be said; mirrors stay with what was current
    public static void now(Configuration configuration) throws IOException {
        Optional<Announcer> announcer = announcer(configuration, InstantSource.system());
        if (announcer.isPresent()) {
            boolean _ = announcer.get().announce();
        }
    }

    private static Optional<Announcer> announcer(Configuration configuration, InstantSource clock) throws IOException {
        if (configuration.mirror().enabled()) {
            return Optional.empty();
        }
        return Optional.of(new Announcer(
                configuration.snapshots(),
                keys(configuration),
                configuration.publisher().expires(),
                clock));
    }

    private static List<SigningKey> keys(Configuration configuration) throws IOException {
        Optional<Path> own = configuration.publisher().currentKey();
        Optional<Path> signing = configuration.rebuild().signingKey();
        if (own.isPresent()) {
            return SigningKey.readAll(CURRENT_KEY, own.get());
        }
        return signing.isPresent() ? SigningKey.readAll("rebuild.signingKey", signing.get()) : List.of();
    }

    /// Looks from now on whether there is something to say.
    void start() {
        announcer.ifPresent(says -> watch = Optional.of(Background.every(LOOK, "announce", () -> look(says))));
    }

    private void look(Announcer says) {
        try {
            if (says.announce()) {
                LOG.info("publisher: what is current was said anew");
            }
            fault = "";
        } catch (IOException e) {
            String now = String.valueOf(e.getMessage());
            if (!now.equals(fault)) {
                LOG.warn("publisher: what is current cannot be said: {}", e.toString());
            }
            fault = now;
        }
    }

    @Override
    public void close() {
        watch.ifPresent(Background::close);
    }
}
