package org.bloomgate.server.smtp;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.io.IoText;
import org.bloomgate.base.net.ClientShares;
import org.bloomgate.base.tls.ServerTls;
import org.bloomgate.decision.evaluation.MessageEvaluator;
import org.bloomgate.lookup.lookup.LayerSource;
import org.bloomgate.server.nexthop.NextHop;
import org.bloomgate.server.spool.MailRecords;
import org.bloomgate.server.spool.MemoryBudget;
import org.bloomgate.server.spool.MessageSpool;

/// The SMTP relay: several listeners over one next hop. SubEthaSMTP accepts connections and runs a thread for
/// each; the protocol itself is implemented here.
///
/// ```
///   ClientListener -> ClientSocket -> SubEthaSMTP's session -> SessionRegistry -> ClientSession
///                                                                                     | MAIL
///                     ClientConnection <- Intake <- DATA <- MailTransaction <---------+
///                                           |                     |
///                                      MessageSpool ------> judged, then NextHopTransaction
/// ```
public final class Relay implements AutoCloseable {
    private static final Duration CHECK = Duration.ofSeconds(1);

    private final LayerSource layers;
    private final MailRecords records;
    private final RelayMetrics metrics;
    private final SessionRegistry sessions;
    private final MemoryBudget memory;
    private final ClientRates rates;
    private final ClientShares transactions = new ClientShares();
    private final List<Listener> listeners = new ArrayList<>();
    private volatile Optional<BackgroundTask> watch = Optional.empty();
    private final NextHop nextHop;
    private volatile RelayOptions options;

    /// @throws IOException when a certificate cannot be used, a directory not made, or a host has no address
    public Relay(
            RelayOptions options,
            NextHop nextHop,
            LayerSource layers,
            MessageEvaluator evaluator,
            MailRecords records,
            MeterRegistry registry)
            throws IOException {
        this.options = options;
        this.nextHop = nextHop;
        this.layers = layers;
        this.records = records;
        this.metrics = new RelayMetrics(registry);
        this.metrics.nextHop(nextHop);
        memory = new MemoryBudget(options.memory().memoryBytesTotal());
        rates = new ClientRates(options.rates());
        sessions = new SessionRegistry(options, metrics);
        for (ListenerSection section : options.sections()) {
            SessionContext with = context(section, evaluator);
            listeners.add(new Listener(section, with, sessions));
            MessageSpool.removeLeftovers(section.options().memory().temporary());
        }
    }

    private SessionContext context(ListenerSection section, MessageEvaluator evaluator) throws IOException {
        RelayOptions own = section.options();
        Files.createDirectories(own.memory().temporary());
        MessageEvaluator there = section.submission() ? evaluator.submitting() : evaluator;
        return new SessionContext(
                own,
                new RelayControl(own.access()),
                own.access().trusted(),
                tls(section),
                nextHop,
                layers,
                there.overriddenBy(section.policy(), own.maxSnapshotAge())
                        .at(own.ownNames(), own.access().clientNetworks()),
                records,
                memory,
                rates,
                transactions,
                metrics);
    }

    /// The collaborators of sessions at the first listener.
    SessionContext context() {
        return listeners.getFirst().inForce();
    }

    private static Optional<ServerTls> tls(ListenerSection section) throws IOException {
        RelayOptions.Tls tls = section.options().access().tls();
        return tls.enabled() ? Optional.of(ServerTls.open(section.name() + ".tls", tls.files())) : Optional.empty();
    }

    /// Listens from now on.
    ///
    /// @throws IOException when an address is taken or not ours
    public void start() throws IOException {
        for (Listener listener : listeners) {
            listener.start();
        }
        watch = Optional.of(BackgroundTask.every(CHECK, "smtp-watch", this::check));
    }

    /// The memory for messages, which another listener may share.
    public MemoryBudget memory() {
        return memory;
    }

    /// The port of the first listener, if port 0 was configured.
    public int port() {
        return listeners.getFirst().port();
    }

    /// Address and port in use of every listener: `smtp` for the first, `smtp.NAME` for the others.
    public SortedMap<String, String> addresses() {
        SortedMap<String, String> addresses = new TreeMap<>();
        for (Listener listener : listeners) {
            addresses.put(
                    listener.section().name().replace(".listeners.", "."),
                    listener.address().at(listener.port()).toString());
        }
        return addresses;
    }

    /// Problems of files that options name. Nothing is changed.
    public static List<String> fileProblems(RelayOptions options) {
        List<String> problems = new ArrayList<>();
        for (ListenerSection section : options.sections()) {
            try {
                Optional<ServerTls> _ = tls(section);
            } catch (IOException e) {
                problems.add(IoText.describe(e));
            }
        }
        return problems;
    }

    /// The reasons why [#reload] cannot apply the options. Nothing is changed.
    public synchronized List<String> problems(RelayOptions next) {
        List<String> problems = new ArrayList<>(fileProblems(next));
        for (Listener listener : listeners) {
            RelayOptions.Access own = sectionIn(next, listener).options().access();
            try {
                // the address stays, so that another one in the options must not open it to everybody
                RelayControl.check(listener.address(), own.relayDomains(), own.clientNetworks());
            } catch (IllegalArgumentException e) {
                problems.add(listener.section().name() + ": " + e.getMessage());
            }
        }
        return problems;
    }

    /// Takes over other options and another evaluator, without a restart: for sessions to come at once, for
    /// those under way from their next transaction on. No connection is closed for it.
    ///
    /// @throws IOException as from the constructor; then nothing was taken over
    public synchronized void reload(RelayOptions next, MessageEvaluator evaluator) throws IOException {
        List<SessionContext> made = new ArrayList<>();
        for (Listener listener : listeners) {
            made.add(context(sectionIn(next, listener), evaluator));
        }
        for (int i = 0; i < made.size(); i++) {
            listeners.get(i).use(sectionIn(next, listeners.get(i)), made.get(i));
        }
        sessions.bound(next);
        rates.bound(next.rates());
        options = next;
    }

    /// A listener that the options no longer contain keeps its section.
    private static ListenerSection sectionIn(RelayOptions next, Listener listener) {
        String name = listener.section().name();
        return next.sections().stream()
                .filter(section -> section.name().equals(name))
                .findFirst()
                .orElse(listener.section());
    }

    /// Takes no new session, answers 421 4.3.2 between transactions, lets messages finish within the drain time, then
    /// stops listening.
    @Override
    public void close() {
        sessions.drain(options.timeouts().drain());
        listeners.forEach(Listener::stop);
        watch.ifPresent(BackgroundTask::close);
    }

    /// Takes over certificates whose files have changed.
    synchronized void lookForCertificates() {
        listeners.forEach(listener -> listener.inForce().tls().ifPresent(ServerTls::reloadIfChanged));
    }

    private void check() {
        sessions.abortStalled(options.timeouts().write());
        lookForCertificates();
    }
}
