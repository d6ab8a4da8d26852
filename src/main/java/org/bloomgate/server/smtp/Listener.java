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

/// One address of the relay, and the current context of its sessions. Any thread may read the context; one
/// thread at a time changes it. The only class that uses SubEthaSMTP's internals.
final class Listener {
    /// Extra connections accepted so that the client gets our 421 instead of the library's.
    private static final int EXTRA_CONNECTIONS = 100;

    private static final int BACKLOG = 1024;

    private final ListenAddress address;
    private final SMTPServer server;
    private ListenerSection section;
    private volatile SessionContext context;
    private Optional<ServerThread> acceptor = Optional.empty();
    private Optional<ReadWatch> reads = Optional.empty();
    private int port;

    /// @throws IOException if the host has no address
    Listener(ListenerSection section, SessionContext context, SessionRegistry sessions) throws IOException {
        this.section = section;
        this.context = context;
        this.address = context.options().access().listen();
        this.server = server(context.options(), sessions);
    }

    private SMTPServer server(RelayOptions options, SessionRegistry sessions) throws IOException {
        return SMTPServer.port(address.port())
                .bindAddress(address.resolve())
                .hostName(options.hostname())
                .executorService(new SessionThreads())
                .sessionHandler(sessions)
                .maxConnections(options.sessions().maxSessions() + EXTRA_CONNECTIONS)
                .connectionTimeoutMs(0)
                .insertReceivedHeaders(false)
                .build();
    }

    /// Runs the library's accept loop on a virtual thread: there it allocates a writer of 1 KB for each
    /// session, on a platform thread one of 16 KB.
    ///
    /// @throws IOException if the address is in use or not local
    void start() throws IOException {
        ReadWatch watch = new ReadWatch("smtp-reads");
        ClientListener socket = new ClientListener(this::context, watch);
        try {
            socket.bind(new InetSocketAddress(address.resolve(), address.port()), BACKLOG);
        } catch (IOException e) {
            socket.close();
            watch.close();
            throw new CannotListenException(section.name() + ".listen", address, e);
        }
        ServerThread serverThread = new ServerThread(server, socket, ProxyHandler.NOP);
        port = socket.getLocalPort();
        acceptor = Optional.of(serverThread);
        reads = Optional.of(watch);
        Thread.ofVirtual().name("smtp-accept").start(serverThread);
    }

    /// Stops accepting, then ending overdue reads. All connections must be closed before.
    void stop() {
        acceptor.ifPresent(ServerThread::shutdown);
        reads.ifPresent(ReadWatch::close);
    }

    ListenerSection section() {
        return section;
    }

    SessionContext context() {
        return context;
    }

    /// Applies to new sessions, and to those in progress from their next transaction. The address stays.
    void apply(ListenerSection newSection, SessionContext newContext) {
        section = newSection;
        context = newContext;
    }

    ListenAddress address() {
        return address;
    }

    /// The port in use, if port 0 was configured.
    int port() {
        return port;
    }
}
