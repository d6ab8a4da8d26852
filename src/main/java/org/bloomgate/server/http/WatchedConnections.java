package org.bloomgate.server.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.socket.SocketOptions;
import io.helidon.common.task.InterruptableTask;
import io.helidon.http.Headers;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1Connection;
import io.helidon.webserver.http1.Http1ConnectionListener;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.net.ClientCost;
import org.bloomgate.base.net.ClientMemory;
import org.bloomgate.base.net.ClientShares;
import org.bloomgate.base.net.Network;
import org.bloomgate.server.http.WatchedConnection.Phase;

/// Creates the connections of the server and closes those whose client takes too long: to begin a request, to
/// send its header fields or its body, or to read the answer. A late body is answered 408, other connections
/// are closed without an answer. The server itself has only the first of these timeouts. One thread checks all
/// connections several times within the timeout. Thread-safe.
///
/// A connection counts from its acceptance, including its TLS handshake; one network may have half of all
/// connections. At a bound, or without memory, the connection that has been stalled longest is closed for a new
/// one, so that slow clients never occupy all connections and a probe is always answered.
///
/// As these classes replace the server's own listeners, the server never logs what is sent, for example
/// passwords, at any level.
final class WatchedConnections implements ServerConnectionSelector, AutoCloseable {
    /// The longest idle time while more than three quarters of all connections are in use.
    private static final Duration SCARCE_IDLE = Duration.ofSeconds(1);

    /// How long a new connection waits for the memory of a stalled one, at most [#MAX_TRIES] times.
    private static final Duration STALLED_CONNECTION_WAIT = Duration.ofMillis(50);

    private static final int MAX_TRIES = 10;

    /// The time for a body before it must give its memory to another request.
    private static final Duration SHORT_BODY_WAIT = Duration.ofSeconds(1);

    private static final int CHECKS_PER_TIMEOUT = 4;

    /// The connections that the server may have in addition: those just ended, and new ones.
    static final int HEADROOM = 64;

    private final HttpOptions options;
    private final ServerConnectionSelector protocol;
    private final ClientMemory memory = ClientMemory.ofProcess();
    private final ClientShares shares = ClientShares.byNetwork();
    private final int maxConnections;
    private final long cost;
    private final Map<SocketAddress, OpenConnection> connections = new ConcurrentHashMap<>();

    /// Connections that are answered 408 and no longer count.
    private final Set<OpenConnection> ending = ConcurrentHashMap.newKeySet();

    private final BackgroundTask sweep;

    /// @param maxConnections open at the same time
    /// @param limits of request line and header fields
    WatchedConnections(HttpOptions options, int maxConnections, Http1Config.Builder limits) {
        this.options = options;
        this.maxConnections = maxConnections;
        this.cost = ClientCost.HTTP_CONNECTION.bytes() + (options.tls().enabled() ? ClientCost.HTTP_TLS.bytes() : 0);
        this.protocol = Http1ConnectionSelector.builder()
                .config(limits.addReceiveListener(new HeadersReceived())
                        .addSendListener(new AnswerStarted())
                        .build())
                .build();
        long period = Math.clamp(options.requestTimeout().toMillis() / CHECKS_PER_TIMEOUT, 1, SCARCE_IDLE.toMillis());
        this.sweep = BackgroundTask.every(Duration.ofMillis(period), "http-connections", this::endOverdue);
    }

    private void endOverdue() {
        boolean scarce = connections.size() > maxConnections / 4 * 3;
        for (OpenConnection open : connections.values()) {
            boolean overdue = open.stalledNanos() != WatchedConnection.NOT_STALLED
                    && open.phaseNanos() > allowed(open.phase(), scarce).toNanos();
            if (overdue || !open.channel.isOpen()) {
                open.end();
            }
        }
        for (OpenConnection open : ending) {
            if (open.phaseNanos() > options.requestTimeout().toNanos()) {
                open.close();
            }
        }
        ending.removeIf(open -> !open.channel.isOpen());
    }

    private Duration allowed(Phase phase, boolean scarce) {
        Duration usual = options.requestTimeout();
        return switch (phase) {
            case IDLE -> scarce && usual.compareTo(SCARCE_IDLE) > 0 ? SCARCE_IDLE : usual.multipliedBy(2);
            case HEAD, WORK, BODY, ANSWER -> usual;
        };
    }

    /// Socket options that admit each accepted connection, or throw.
    ///
    /// @param tcp options of connections
    SocketOptions accepting(SocketOptions tcp) {
        return new AcceptedSockets(tcp, this::accept);
    }

    private void accept(SocketChannel channel) {
        OpenConnection open = new OpenConnection(channel);
        if (!isAdmitted(open)) {
            throw new CloseConnectionException("too many connections");
        }
        Optional.ofNullable(connections.put(open.remote, open))
                .ifPresent(previous -> shares.giveBack(previous.client()));
    }

    private boolean isAdmitted(OpenConnection open) {
        if (!takeShare(open) && !(endMostStalled(open::isOfNetwork) && takeShare(open))) {
            return false;
        }
        boolean hasRoom = connections.size() < maxConnections || endMostStalled(_ -> true);
        if (!hasRoom) {
            shares.giveBack(open.client());
        }
        return hasRoom;
    }

    private boolean takeShare(OpenConnection open) {
        return shares.take(open.client(), Math.max(1, maxConnections / 2));
    }

    private boolean endMostStalled(Predicate<OpenConnection> group) {
        Optional<OpenConnection> longest = connections.values().stream()
                .filter(group)
                .filter(open -> open.stalledNanos() != WatchedConnection.NOT_STALLED)
                .max(Comparator.comparingLong(OpenConnection::stalledNanos));
        longest.ifPresent(OpenConnection::end);
        return longest.isPresent();
    }

    /// Ends the request whose body has been awaited longest, unless that wait is short.
    void endStalledBody() {
        endMostStalled(open -> open.phase() == Phase.BODY && open.stalledNanos() > SHORT_BODY_WAIT.toNanos());
    }

    /// Reserves memory for a connection. If there is none, the connection is answered 503 and closed.
    @Override
    public ServerConnection connection(ConnectionContext context) {
        OpenConnection open = connections.get(context.remotePeer().address());
        if (open == null || !hasMemory(open)) {
            return new RejectedConnection(context);
        }
        WatchedConnection watched = new WatchedConnection(context);
        open.watched = Optional.of(watched);
        return new HandledConnection(open, (Http1Connection) protocol.connection(watched));
    }

    private boolean hasMemory(OpenConnection open) {
        boolean reserved = memory.take(cost);
        for (int tries = 0; tries < MAX_TRIES && !reserved; tries++) {
            endMostStalled(other -> other != open);
            reserved = memory.takeWithin(cost, STALLED_CONNECTION_WAIT);
        }
        return reserved;
    }

    /// A connection from its acceptance to its end.
    private final class OpenConnection {
        private final SocketChannel channel;
        private final InetSocketAddress remote;
        private final Network network;
        private final long acceptedAt = System.nanoTime();
        private volatile Optional<WatchedConnection> watched = Optional.empty();

        OpenConnection(SocketChannel channel) {
            this.channel = channel;
            this.remote = (InetSocketAddress) channel.socket().getRemoteSocketAddress();
            this.network = Network.ofClient(client());
        }

        InetAddress client() {
            return remote.getAddress();
        }

        boolean isOfNetwork(OpenConnection other) {
            return network.contains(other.client());
        }

        Phase phase() {
            return watched.map(WatchedConnection::phase).orElse(Phase.IDLE);
        }

        long phaseNanos() {
            return watched.map(WatchedConnection::phaseNanos).orElseGet(() -> System.nanoTime() - acceptedAt);
        }

        long stalledNanos() {
            return watched.map(WatchedConnection::stalledNanos).orElseGet(this::phaseNanos);
        }

        /// Ends the connection, and stops counting it at once.
        void end() {
            free();
            watched.ifPresent(WatchedConnection::cut);
            if (watched.map(WatchedConnection::isCut).orElse(false)) {
                ending.add(this);
            } else {
                close();
            }
        }

        private void close() {
            try {
                channel.close();
            } catch (IOException e) {
                // it is closed anyway
            }
        }

        void free() {
            if (connections.remove(remote, this)) {
                shares.giveBack(client());
            }
        }
    }

    /// A connection that is not admitted.
    private record RejectedConnection(ConnectionContext context) implements ServerConnection {
        @Override
        public void handle(Limit limit) {
            context.dataWriter().writeNow(AnswerSender.closingAnswer(Problem.unavailable("too many connections")));
        }

        @Override
        public Duration idleTime() {
            return Duration.ZERO;
        }

        @Override
        public void close(boolean interrupt) {}
    }

    @Override
    public int bytesToIdentifyConnection() {
        return protocol.bytesToIdentifyConnection();
    }

    @Override
    public Support supports(BufferData first) {
        return protocol.supports(first);
    }

    @Override
    public Set<String> supportedApplicationProtocols() {
        return protocol.supportedApplicationProtocols();
    }

    @Override
    public void close() {
        sweep.close();
    }

    /// An admitted connection while the server handles it.
    private final class HandledConnection implements ServerConnection, InterruptableTask<Void> {
        private final OpenConnection open;
        private final Http1Connection delegate;

        HandledConnection(OpenConnection open, Http1Connection delegate) {
            this.open = open;
            this.delegate = delegate;
        }

        @Override
        public void handle(Limit limit) throws InterruptedException {
            try {
                delegate.handle(limit);
            } finally {
                memory.giveBack(cost);
                open.free();
            }
        }

        @Override
        public boolean canInterrupt() {
            return delegate.canInterrupt();
        }

        @Override
        public Duration idleTime() {
            return delegate.idleTime();
        }

        @Override
        public void close(boolean interrupt) {
            delegate.close(interrupt);
        }
    }

    /// Notes that the header fields are complete.
    private static final class HeadersReceived implements Http1ConnectionListener {
        @Override
        public void headers(ConnectionContext connection, Headers headers) {
            enter(connection, Phase.WORK);
        }
    }

    /// Notes that the answer begins, after which the client may send the next request.
    private static final class AnswerStarted implements Http1ConnectionListener {
        @Override
        public void headers(ConnectionContext connection, Headers headers) {
            enter(connection, Phase.IDLE);
        }
    }

    private static void enter(ConnectionContext connection, Phase phase) {
        if (connection instanceof WatchedConnection watched) {
            watched.enter(phase);
        }
    }
}
