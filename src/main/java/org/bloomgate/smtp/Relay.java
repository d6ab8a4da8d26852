package org.bloomgate.smtp;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.time.InstantSource;
import java.util.Timer;
import java.util.TimerTask;
import org.bloomgate.journal.DecisionJournal;
import org.bloomgate.lookup.LayerSource;
import org.bloomgate.lookup.TwoTierLookup;
import org.bloomgate.message.MessageReader;
import org.bloomgate.policy.Policy;
import org.subethamail.smtp.server.SMTPServer;

/// The SMTP relay. SubEthaSMTP accepts connections and runs a thread for each; what is said on them is ours.
///
/// ```
///   ClientListener -> ClientSocket -> SubEthaSMTP's session -> LibraryCommand -> ClientSession
///                                                                                    | MAIL
///                     ClientConnection <- Intake <- DATA <- MailTransaction <--------+
///                                           |                     |
///                                      MessageSpool ------> judged, then NextHopTransaction
/// ```
public final class Relay implements AutoCloseable {
    /// Connections beyond our own bound that still get our 421 and not the library's.
    private static final int TURNED_AWAY_AT_ONCE = 100;

    private static final long STALL_CHECK_MILLIS = 1_000;

    private final Collaborators with;
    private final ListenAddress address;
    private final SessionRegistry sessions;
    private final SMTPServer server;
    private final Timer watch = new Timer("smtp-watch", true);

    /// @throws IOException when a certificate cannot be used, a directory not made, or the host has no address
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
        Files.createDirectories(options.temporary());
        RelayMetrics metrics = new RelayMetrics(registry);
        with = new Collaborators(
                options,
                new RelayControl(options),
                nextHop,
                lookup,
                layers,
                policy,
                reader,
                journal,
                new Quarantine(options.quarantine()),
                metrics,
                clock);
        address = ListenAddress.parse(options.listen());
        sessions = new SessionRegistry(options, metrics);
        server = server(options);
        LibraryCommand.replaceAll(server);
    }

    private SMTPServer server(RelayOptions options) throws IOException {
        SMTPServer.Builder builder = SMTPServer.port(address.port())
                .bindAddress(address.resolve())
                .backlog(1024)
                .hostName(options.hostname())
                .softwareName("Bloomgate")
                .executorService(new SessionThreads(options.virtualThreads()))
                .serverSocketFactory(() -> new ClientListener(with))
                .sessionHandler(sessions)
                .maxConnections(options.maxSessions() + TURNED_AWAY_AT_ONCE)
                .connectionTimeoutMs(0)
                .insertReceivedHeaders(false);
        if (options.tls().enabled()) {
            builder.enableTLS().startTlsSocketFactory(ServerTls.of(options.tls()));
        }
        return builder.build();
    }

    /// Listens from now on.
    ///
    /// @throws IOException when the address is taken or not ours
    public void start() throws IOException {
        try {
            server.start();
        } catch (RuntimeException e) {
            throw new IOException(
                    "smtp.listen: cannot listen on " + with.options().listen() + ": " + e.getMessage(), e);
        }
        watch.schedule(new StallWatch(), STALL_CHECK_MILLIS, STALL_CHECK_MILLIS);
    }

    /// The port in use; of interest when port 0 was asked for.
    public int port() {
        return server.getPortAllocated();
    }

    /// Takes no new session, answers 421 4.3.2 between transactions, lets messages finish within the drain time, then
    /// stops listening.
    @Override
    public void close() {
        sessions.drain(with.options().timeouts().drain());
        server.stop();
        watch.cancel();
    }

    private final class StallWatch extends TimerTask {
        @Override
        public void run() {
            sessions.abortStalled(with.options().timeouts().write());
        }
    }
}
