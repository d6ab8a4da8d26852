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

/// Makes the connections of the server and closes those whose client takes too long: to begin a request, to end its
/// header fields or its body, to take the answer. A late body is answered 408, the others are hung up on. The server by
/// itself knows only the first of these. One thread looks at all connections several times in the time allowed.
/// Thread-safe.
///
/// Connections count from their acceptance on, with their TLS handshake: one network may have half of them. At
/// a bound, or without memory, the one whose client has kept it waiting longest makes room for a new one, so
/// that slow or hoarding clients never hold all of them and a probe finds a place.
///
/// Being a listener of the server instead of its own ones, this also keeps what is sent, passwords among it, out of the
/// server's log at every level.
public final class WatchedConnections implements ServerConnectionSelector, AutoCloseable {
    /// How long an idle connection is kept when more than three quarters of all are taken.
    private static final Duration SCARCE_IDLE = Duration.ofSeconds(1);

    /// How long a new connection waits for the memory of one that has stalled, and how often.
    private static final Duration ROOM = Duration.ofMillis(50);

    private static final int TRIES = 10;

    private static final int LOOKS = 4;

    /// Connections that the server has beyond ours: those that have just been ended, and new ones.
    public static final int HEADROOM = 64;

    private final HttpOptions options;
    private final ServerConnectionSelector protocol;
    private final ClientMemory memory = ClientMemory.ofProcess();
    private final ClientShares shares = ClientShares.byNetwork();
    private final int most;
    private final long cost;
    private final Map<SocketAddress, Place> places = new ConcurrentHashMap<>();
    private final BackgroundTask sweep;

    /// @param most connections at a time
    /// @param limits of request line and header fields
    public WatchedConnections(HttpOptions options, int most, Http1Config.Builder limits) {
        this.options = options;
        this.most = most;
        this.cost = ClientCost.HTTP_CONNECTION.bytes() + (options.tls().enabled() ? ClientCost.HTTP_TLS.bytes() : 0);
        this.protocol = Http1ConnectionSelector.builder()
                .config(limits.addReceiveListener(new Received())
                        .addSendListener(new Sent())
                        .build())
                .build();
        long period = Math.clamp(options.requestTimeout().toMillis() / LOOKS, 1, SCARCE_IDLE.toMillis());
        this.sweep = BackgroundTask.every(Duration.ofMillis(period), "http-connections", this::cutLate);
    }

    private void cutLate() {
        boolean scarce = places.size() > most / 4 * 3;
        for (Place place : places.values()) {
            boolean late = place.stalled() != WatchedConnection.WORKING
                    && place.waited() > allowed(place.phase(), scarce).toNanos();
            if (late || !place.channel.isOpen()) {
                place.end();
            }
        }
    }

    private Duration allowed(Phase phase, boolean scarce) {
        Duration usual = options.requestTimeout();
        return switch (phase) {
            case IDLE -> scarce && usual.compareTo(SCARCE_IDLE) > 0 ? SCARCE_IDLE : usual.multipliedBy(2);
            case HEAD, NOTHING, BODY, ANSWER -> usual;
        };
    }

    /// Takes an accepted connection in, or throws.
    ///
    /// @param tcp options of connections
    public SocketOptions accepting(SocketOptions tcp) {
        return new AcceptedSockets(tcp, this::accept);
    }

    private void accept(SocketChannel channel) {
        Place place = new Place(channel);
        if (!placed(place)) {
            throw new CloseConnectionException("too many connections");
        }
        Optional.ofNullable(places.put(place.remote, place)).ifPresent(gone -> shares.giveBack(gone.client()));
    }

    private boolean placed(Place place) {
        if (!isShared(place) && !(endMostStalled(place::isOfNetwork) && isShared(place))) {
            return false;
        }
        boolean placed = places.size() < most || endMostStalled(_ -> true);
        if (!placed) {
            shares.giveBack(place.client());
        }
        return placed;
    }

    private boolean isShared(Place place) {
        return shares.take(place.client(), Math.max(1, most / 2));
    }

    private boolean endMostStalled(Predicate<Place> group) {
        Optional<Place> stalled = places.values().stream()
                .filter(group)
                .filter(place -> place.stalled() != WatchedConnection.WORKING)
                .max(Comparator.comparingLong(Place::stalled));
        stalled.ifPresent(Place::end);
        return stalled.isPresent();
    }

    /// Ends the request whose body has been awaited longest, if that is long.
    public void endStalledBody() {
        endMostStalled(place -> place.phase() == Phase.BODY && place.stalled() > 0);
    }

    /// Each connection reserves memory. If there is none, the connection is answered 503 and closed.
    @Override
    public ServerConnection connection(ConnectionContext context) {
        Place place = places.get(context.remotePeer().address());
        if (place == null || !hasMemory(place)) {
            return new Refused(context);
        }
        WatchedConnection watched = new WatchedConnection(context);
        place.watched = Optional.of(watched);
        return new Connection(place, (Http1Connection) protocol.connection(watched));
    }

    private boolean hasMemory(Place place) {
        boolean taken = memory.take(cost);
        for (int tries = 0; tries < TRIES && !taken; tries++) {
            endMostStalled(other -> other != place);
            taken = memory.takeWithin(cost, ROOM);
        }
        return taken;
    }

    /// A connection from its acceptance on.
    private final class Place {
        private final SocketChannel channel;
        private final InetSocketAddress remote;
        private final Network network;
        private final long since = System.nanoTime();
        private volatile Optional<WatchedConnection> watched = Optional.empty();

        Place(SocketChannel channel) {
            this.channel = channel;
            this.remote = (InetSocketAddress) channel.socket().getRemoteSocketAddress();
            this.network = Network.ofClient(client());
        }

        InetAddress client() {
            return remote.getAddress();
        }

        boolean isOfNetwork(Place other) {
            return network.contains(other.client());
        }

        Phase phase() {
            return watched.map(WatchedConnection::phase).orElse(Phase.IDLE);
        }

        long waited() {
            return watched.map(WatchedConnection::waited).orElseGet(() -> System.nanoTime() - since);
        }

        long stalled() {
            return watched.map(WatchedConnection::stalled).orElseGet(this::waited);
        }

        /// Its place is free at once.
        void end() {
            free();
            watched.ifPresent(WatchedConnection::cut);
            if (!watched.map(WatchedConnection::isCut).orElse(false)) {
                close();
            }
        }

        private void close() {
            try {
                channel.close();
            } catch (IOException gone) {
                // It is closed either way.
            }
        }

        void free() {
            if (places.remove(remote, this)) {
                shares.giveBack(client());
            }
        }
    }

    /// One that finds no place.
    private record Refused(ConnectionContext context) implements ServerConnection {
        @Override
        public void handle(Limit limit) {
            context.dataWriter().writeNow(AnswerSender.last(Problem.unavailable("too many connections")));
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

    /// Watched while it is handled.
    private final class Connection implements ServerConnection, InterruptableTask<Void> {
        private final Place place;
        private final Http1Connection served;

        Connection(Place place, Http1Connection served) {
            this.place = place;
            this.served = served;
        }

        @Override
        public void handle(Limit limit) throws InterruptedException {
            try {
                served.handle(limit);
            } finally {
                memory.giveBack(cost);
                place.free();
            }
        }

        @Override
        public boolean canInterrupt() {
            return served.canInterrupt();
        }

        @Override
        public Duration idleTime() {
            return served.idleTime();
        }

        @Override
        public void close(boolean interrupt) {
            served.close(interrupt);
        }
    }

    /// The header fields have come.
    private static final class Received implements Http1ConnectionListener {
        @Override
        public void headers(ConnectionContext connection, Headers headers) {
            enter(connection, Phase.NOTHING);
        }
    }

    /// The answer begins: what comes after it is the next request.
    private static final class Sent implements Http1ConnectionListener {
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
