package org.bloomgate.smtp;

import java.io.IOException;
import org.bloomgate.net.CannotListenException;
import org.bloomgate.net.ListenAddress;
import org.subethamail.smtp.server.SMTPServer;

/// One address the relay listens on, and what is in force for the sessions there. Any thread asks what is in force;
/// one at a time changes it.
final class Listener {
    /// Connections beyond our own bound that still get our 421 and not the library's.
    private static final int TURNED_AWAY_AT_ONCE = 100;

    private final ListenAddress address;
    private final SMTPServer server;
    private ListenerSection section;
    private volatile Collaborators inForce;

    /// @throws IOException when the host has no address
    Listener(ListenerSection section, Collaborators with, SessionRegistry sessions) throws IOException {
        this.section = section;
        this.inForce = with;
        this.address = with.options().access().listen();
        this.server = server(with.options(), sessions);
    }

    private SMTPServer server(RelayOptions options, SessionRegistry sessions) throws IOException {
        return SMTPServer.port(address.port())
                .bindAddress(address.resolve())
                .backlog(1024)
                .hostName(options.hostname())
                .executorService(new SessionThreads(options.sessions().virtualThreads()))
                .serverSocketFactory(() -> new ClientListener(this))
                .sessionHandler(sessions)
                .maxConnections(options.sessions().maxSessions() + TURNED_AWAY_AT_ONCE)
                .connectionTimeoutMs(0)
                .insertReceivedHeaders(false)
                .build();
    }

    /// @throws IOException when the address is taken or not ours
    void start() throws IOException {
        try {
            server.start();
        } catch (RuntimeException e) {
            throw new CannotListenException(section.name() + ".listen", address, e);
        }
    }

    void stop() {
        server.stop();
    }

    ListenerSection section() {
        return section;
    }

    Collaborators inForce() {
        return inForce;
    }

    /// For sessions to come, and for those under way from their next transaction on. The address stays.
    void use(ListenerSection other, Collaborators with) {
        section = other;
        inForce = with;
    }

    ListenAddress address() {
        return address;
    }

    /// The port in use; of interest when port 0 was asked for.
    int port() {
        return server.getPortAllocated();
    }
}
