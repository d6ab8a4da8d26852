package org.bloomgate.smtp;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.Timer;
import java.util.TimerTask;
import java.util.TreeMap;
import org.bloomgate.journal.DecisionJournal;
import org.bloomgate.lookup.LayerSource;
import org.bloomgate.lookup.TwoTierLookup;
import org.bloomgate.message.MessageReader;
import org.bloomgate.policy.Policy;

/// The SMTP relay: several listeners over one next hop. SubEthaSMTP accepts connections and runs a thread for each;
/// what is said on them is ours.
///
/// ```
///   ClientListener -> ClientSocket -> SubEthaSMTP's session -> LibraryCommand -> ClientSession
///                                                                                    | MAIL
///                     ClientConnection <- Intake <- DATA <- MailTransaction <--------+
///                                           |                     |
///                                      MessageSpool ------> judged, then NextHopTransaction
/// ```
public final class Relay implements AutoCloseable {
    private static final long CHECK_MILLIS = 1_000;

    private final LayerSource layers;
    private final DecisionJournal journal;
    private final RelayMetrics metrics;
    private final InstantSource clock;
    private final SessionRegistry sessions;
    private final MemoryBudget memory;
    private final List<Listener> listeners = new ArrayList<>();
    private final Timer watch = new Timer("smtp-watch", true);
    private volatile RelayOptions options;

    /// @throws IOException when a certificate cannot be used, a directory not made, or a host has no address
    public Relay(
            RelayOptions options,
            NextHop nextHop,
            TwoTierLookup lookup,
            LayerSource layers,
            Policy policy,
            MessageReader reader,
            DecisionJournal journal,
            MeterRegistry registry,
            InstantSource clock)
            throws IOException {
        this.options = options;
        this.layers = layers;
        this.journal = journal;
        this.metrics = new RelayMetrics(registry);
        this.clock = clock;
        memory = new MemoryBudget(options.memoryBytesTotal());
        sessions = new SessionRegistry(options, metrics);
        for (ListenerSection section : options.sections()) {
            Collaborators with = collaborators(section, nextHop, lookup, policy, reader);
            listeners.add(new Listener(section.name(), with, sessions));
        }
    }

    private Collaborators collaborators(
            ListenerSection section, NextHop nextHop, TwoTierLookup lookup, Policy policy, MessageReader reader)
            throws IOException {
        RelayOptions own = section.options();
        Files.createDirectories(own.temporary());
        MessageSpool.removeLeftovers(own.temporary());
        return new Collaborators(
                own,
                new RelayControl(own),
                networks(own),
                tls(section),
                nextHop,
                lookup,
                layers,
                policy.overriddenBy(section.policy()),
                reader,
                journal,
                new Quarantine(own.quarantine()),
                memory,
                metrics,
                clock);
    }

    private static List<Network> networks(RelayOptions options) {
        return options.trusted().stream()
                .map(text -> Network.parse("smtp.trusted", text))
                .toList();
    }

    private static Optional<ServerTls> tls(ListenerSection section) throws IOException {
        RelayOptions.Tls tls = section.options().tls();
        return tls.enabled() ? Optional.of(ServerTls.open(section.name() + ".tls", tls)) : Optional.empty();
    }

    /// Listens from now on.
    ///
    /// @throws IOException when an address is taken or not ours
    public void start() throws IOException {
        for (Listener listener : listeners) {
            listener.start();
        }
        watch.schedule(new Watch(), CHECK_MILLIS, CHECK_MILLIS);
    }

    /// The port of the first listener; of interest when port 0 was asked for.
    public int port() {
        return listeners.getFirst().port();
    }

    /// Address and port in use of every listener: `smtp` for the first, `smtp.NAME` for the others.
    public SortedMap<String, String> addresses() {
        SortedMap<String, String> addresses = new TreeMap<>();
        for (Listener listener : listeners) {
            addresses.put(
                    listener.section().replace(".listeners.", "."),
                    listener.address().text(listener.port()));
        }
        return addresses;
    }

    /// What keeps options from being used that contradict nothing in themselves: files that are not what they should
    /// be. Nothing is changed.
    public static List<String> problems(RelayOptions options) {
        List<String> problems = new ArrayList<>();
        for (ListenerSection section : options.sections()) {
            try {
                Optional<ServerTls> _ = tls(section);
            } catch (IOException e) {
                problems.add(String.valueOf(e.getMessage()));
            }
        }
        return problems;
    }

    /// Takes no new session, answers 421 4.3.2 between transactions, lets messages finish within the drain time, then
    /// stops listening.
    @Override
    public void close() {
        sessions.drain(options.timeouts().drain());
        listeners.forEach(Listener::stop);
        watch.cancel();
    }

    private final class Watch extends TimerTask {
        @Override
        public void run() {
            sessions.abortStalled(options.timeouts().write());
            listeners.forEach(listener -> listener.inForce().tls().ifPresent(ServerTls::reloadIfChanged));
        }
    }
}
