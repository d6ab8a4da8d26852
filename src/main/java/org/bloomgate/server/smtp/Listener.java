package org.bloomgate.server.smtp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.bloomgate.base.net.CannotListenException;
import org.bloomgate.base.net.ListenAddress;
import org.bloomgate.server.nexthop.ReadWatch;
import org.subethamail.smtp.internal.proxy.ProxyHandler;
import org.subethamail.smtp.internal.server.ServerThread;
import org.subethamail.smtp.server.SMTPServer;

/// One address that the relay listens on, and the current context of its sessions. Any thread may read the
/// context; one at a time changes it. The only class that uses SubEthaSMTP's internals.
final class Listener {
    /// Connections beyond our own bound that still get our 421 and not the library's.
    private static final int TURNED_AWAY_AT_ONCE = 100;

    private static final int BACKLOG = 1024;

    private final ListenAddress address;
    private final SMTPServer server;
    private ListenerSection section;
    private volatile SessionContext inForce;
    private Optional<ServerThread> acceptor = Optional.empty();
    private Optional<ReadWatch> reads = Optional.empty();
    private int port;

    /// @throws IOException when the host has no address
    Listener(ListenerSection section, SessionContext with, SessionRegistry sessions) throws IOException {
        this.section = section;
        this.inForce = with;
        this.address = with.options().access().listen();
        this.server = server(with.options(), sessions);
    }

    private SMTPServer server(RelayOptions options, SessionRegistry sessions) throws IOException {
        return SMTPServer.port(address.port())
                .bindAddress(address.resolve())
                .hostName(options.hostname())
                .executorService(new SessionThreads())
                .sessionHandler(sessions)
                .maxConnections(options.sessions().maxSessions() + TURNED_AWAY_AT_ONCE)
                .connectionTimeoutMs(0)
                .insertReceivedHeaders(false)
                .build();
    }

    /// The library's accept loop makes what it keeps for a session: on a virtual thread a writer of 1 KB, on a
    /// platform's one of 16 KB.
    ///
    /// @throws IOException when the address is taken or not ours
    void start() throws IOException {
        ReadWatch watch = new ReadWatch("smtp-reads");
        ClientListener socket = new ClientListener(this::inForce, watch);
        try {
            socket.bind(new InetSocketAddress(address.resolve(), address.port()), BACKLOG);
        } catch (IOException e) {
            socket.close();
            watch.close();
            throw new CannotListenException(section.name() + ".listen", address, e);
        }
        ServerThread accepting = new ServerThread(server, socket, ProxyHandler.NOP);
        port = socket.getLocalPort();
        acceptor = Optional.of(accepting);
        reads = Optional.of(watch);
        Thread.ofVirtual().name("smtp-accept").start(accepting);
    }

    /// Reads have their deadlines until the last connection is closed.
    void stop() {
        acceptor.ifPresent(ServerThread::shutdown);
        reads.ifPresent(ReadWatch::close);
    }

    ListenerSection section() {
        return section;
    }

    SessionContext inForce() {
        return inForce;
    }

    /// Applies to new sessions, and to those in progress from their next transaction. The address stays.
    void use(ListenerSection other, SessionContext with) {
        section = other;
        inForce = with;
    }

    ListenAddress address() {
        return address;
    }

    /// The port in use, if port 0 was configured.
    int port() {
        return port;
    }
}
