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
import org.bloomgate.decision.evaluation.MessageEvaluator.ListenerRules;
import org.bloomgate.decision.evaluation.Site;
import org.bloomgate.lookup.tier.LayerSource;
import org.bloomgate.server.nexthop.NextHop;
import org.bloomgate.server.spool.MailRecords;
import org.bloomgate.server.spool.MemoryBudget;
import org.bloomgate.server.spool.MessageContext;
import org.bloomgate.server.spool.MessageSpool;

/// The SMTP relay: several listeners that share one next hop. SubEthaSMTP accepts connections and runs a thread for
/// each; the protocol itself is implemented here.
///
/// ```
///   ClientListener -> ClientSocket -> SubEthaSMTP's session -> SessionRegistry -> ClientSession
///                                                                                     | MAIL
///              ClientConnection <- MessageReceiver <- DATA <- MailTransaction <-------+
///                                         |                        |
///                                    MessageSpool ---> evaluation, then NextHopTransaction
/// ```
public final class Relay implements AutoCloseable {
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);

    private final LayerSource layers;
    private final MailRecords records;
    private final RelayMetrics metrics;
    private final SessionRegistry sessions;
    private final MemoryBudget memory;
    private final ClientRates rates;
    private final ClientShares transactionShares = new ClientShares();
    private final List<Listener> listeners = new ArrayList<>();
    private volatile Optional<BackgroundTask> watch = Optional.empty();
    private final NextHop nextHop;
    private volatile RelayOptions options;

    /// @throws IOException if a certificate cannot be used, a folder cannot be created, or a host has no
    ///     address
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
            SessionContext context = createContext(section, evaluator);
            listeners.add(new Listener(section, context, sessions));
            MessageSpool.removeLeftovers(section.options().memory().temporary());
        }
    }

    private SessionContext createContext(ListenerSection section, MessageEvaluator evaluator) throws IOException {
        RelayOptions sectionOptions = section.options();
        Files.createDirectories(sectionOptions.memory().temporary());
        return new SessionContext(
                sectionOptions,
                new RelayControl(sectionOptions.access()),
                sectionOptions.access().trusted(),
                openTls(section),
                nextHop,
                new MessageContext(
                        layers,
                        evaluator.withParts(createRules(section, evaluator.rules())),
                        records,
                        memory,
                        sectionOptions.messages()),
                rates,
                transactionShares,
                metrics);
    }

    private static ListenerRules createRules(ListenerSection section, ListenerRules baseRules) {
        RelayOptions sectionOptions = section.options();
        Site site = new Site(
                sectionOptions.ownNames(),
                sectionOptions.access().clientNetworks(),
                baseRules.site().atConnect(),
                section.submission());
        return new ListenerRules(
                baseRules.policy().overriddenBy(section.policy()), sectionOptions.maxSnapshotAge(), site);
    }

    /// The current context of the first listener's sessions.
    SessionContext context() {
        return listeners.getFirst().context();
    }

    private static Optional<ServerTls> openTls(ListenerSection section) throws IOException {
        RelayOptions.Tls tls = section.options().access().tls();
        return tls.enabled() ? Optional.of(ServerTls.open(section.name() + ".tls", tls.files())) : Optional.empty();
    }

    /// Starts to listen.
    ///
    /// @throws IOException if an address is in use or not local
    public void start() throws IOException {
        for (Listener listener : listeners) {
            listener.start();
        }
        watch = Optional.of(BackgroundTask.every(CHECK_INTERVAL, "smtp-watch", this::check));
    }

    /// The memory for messages, which another listener may share.
    public MemoryBudget memory() {
        return memory;
    }

    /// The port in use by the first listener, also if port 0 was configured.
    public int port() {
        return listeners.getFirst().port();
    }

    /// Address and port in use of every listener: `smtp` for the first, `smtp.NAME` for the others.
    public SortedMap<String, String> addresses() {
        SortedMap<String, String> addresses = new TreeMap<>();
        for (Listener listener : listeners) {
            addresses.put(
                    listener.section().name().replace(".listeners.", "."),
                    listener.address().withPort(listener.port()).toString());
        }
        return addresses;
    }

    /// Problems of files in the options. Changes nothing.
    public static List<String> findFileProblems(RelayOptions options) {
        List<String> problems = new ArrayList<>();
        for (ListenerSection section : options.sections()) {
            try {
                Optional<ServerTls> _ = openTls(section);
            } catch (IOException e) {
                problems.add(IoText.describe(e));
            }
        }
        return problems;
    }

    /// The reasons why [#reload] cannot apply the options. Changes nothing.
    public synchronized List<String> findProblems(RelayOptions next) {
        List<String> problems = new ArrayList<>(findFileProblems(next));
        for (Listener listener : listeners) {
            RelayOptions.Access access = sectionIn(next, listener).options().access();
            try {
                // a reload keeps the address, so the check must not use another one in the options
                RelayControl.check(listener.address(), access.relayDomains(), access.clientNetworks());
            } catch (IllegalArgumentException e) {
                problems.add(listener.section().name() + ": " + e.getMessage());
            }
        }
        return problems;
    }

    /// Applies other options and another evaluator without a restart: to new sessions at once, to open sessions
    /// from their next transaction. No connection is closed.
    ///
    /// @throws IOException as from the constructor; then nothing has changed
    public synchronized void reload(RelayOptions next, MessageEvaluator evaluator) throws IOException {
        List<SessionContext> contexts = new ArrayList<>();
        for (Listener listener : listeners) {
            contexts.add(createContext(sectionIn(next, listener), evaluator));
        }
        for (int i = 0; i < contexts.size(); i++) {
            listeners.get(i).apply(sectionIn(next, listeners.get(i)), contexts.get(i));
        }
        sessions.setBounds(next);
        rates.setBounds(next.rates());
        options = next;
    }

    /// The section of a listener in the new options; a listener that they no longer contain keeps its section.
    private static ListenerSection sectionIn(RelayOptions next, Listener listener) {
        String name = listener.section().name();
        return next.sections().stream()
                .filter(section -> section.name().equals(name))
                .findFirst()
                .orElse(listener.section());
    }

    /// Accepts no more sessions, answers 421 4.3.2 between transactions, waits up to the drain time for open
    /// transactions, then stops listening.
    @Override
    public void close() {
        sessions.drain(options.timeouts().drain());
        listeners.forEach(Listener::stop);
        watch.ifPresent(BackgroundTask::close);
    }

    /// Loads certificates whose files have changed.
    synchronized void reloadCertificates() {
        listeners.forEach(listener -> listener.context().tls().ifPresent(ServerTls::reloadIfChanged));
    }

    private void check() {
        sessions.abortStalled(options.timeouts().write());
        reloadCertificates();
    }
}
