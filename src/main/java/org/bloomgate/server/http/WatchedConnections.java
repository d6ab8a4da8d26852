package org.bloomgate.server.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.task.InterruptableTask;
import io.helidon.http.Headers;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1Connection;
import io.helidon.webserver.http1.Http1ConnectionListener;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.net.ClientCost;
import org.bloomgate.base.net.ClientMemory;
import org.bloomgate.base.net.ClientShares;
import org.bloomgate.server.http.WatchedConnection.Phase;

/// Makes the connections of the server and closes those whose client takes too long: to begin a request, to end its
/// header fields or its body, to take the answer. A late body is answered 408, the others are hung up on. The server by
/// itself knows only the first of these. One thread looks at all connections several times in the time allowed.
/// Thread-safe.
///
/// Connections that stay open between requests go first when there are many, so that slow or hoarding clients
/// never hold all of them. Being a listener of the server instead of its own ones, this also keeps what is
/// sent, passwords among it, out of the server's log at every level.
public final class WatchedConnections implements ServerConnectionSelector, AutoCloseable {
    /// How long an idle connection is kept when more than three quarters of all are taken.
    private static final Duration SCARCE_IDLE = Duration.ofSeconds(1);

    /// How long a new connection waits for the place of an idle one, and how often.
    private static final Duration ROOM = Duration.ofMillis(50);

    private static final int TRIES = 10;

    private static final int LOOKS = 4;

    private final HttpOptions options;
    private final ServerConnectionSelector protocol;
    private final ClientMemory memory = ClientMemory.ofProcess();
    private final ClientShares shares = new ClientShares();
    private final long cost;
    private final Set<WatchedConnection> open = ConcurrentHashMap.newKeySet();
    private final BackgroundTask sweep;

    /// @param limits of request line and header fields
    public WatchedConnections(HttpOptions options, Http1Config.Builder limits) {
        this.options = options;
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
        boolean scarce = open.size() > options.maxConnections() / 4 * 3;
        for (WatchedConnection one : open) {
            if (one.waited() > allowed(one.phase(), scarce).toNanos()) {
                one.cut();
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

    /// One client may have at most half of the connections, and each connection reserves memory. If either is
    /// exhausted, an idle connection is closed to make room; if there is none, the new one is answered 503 and
    /// closed.
    @Override
    public ServerConnection connection(ConnectionContext context) {
        InetAddress client = context.remotePeer().address() instanceof InetSocketAddress peer
                ? peer.getAddress()
                : InetAddress.getLoopbackAddress();
        int most = Math.max(1, options.maxConnections() / 2);
        if (!placed(
                time -> shares.takeWithin(client, most, time),
                other -> other.client().equals(client))) {
            return new Refused(context);
        }
        if (!placed(time -> memory.takeWithin(cost, time), _ -> true)) {
            shares.giveBack(client);
            return new Refused(context);
        }
        WatchedConnection watched = new WatchedConnection(context, client);
        return new Connection(watched, (Http1Connection) protocol.connection(watched));
    }

    /// Reserves a place; if none is free, idle connections are closed to make room.
    private boolean placed(Predicate<Duration> takeWithin, Predicate<WatchedConnection> whoMayGo) {
        boolean placed = takeWithin.test(Duration.ZERO);
        for (int tries = 0; tries < TRIES && !placed; tries++) {
            open.stream()
                    .filter(other ->
                            other.phase() == WatchedConnection.Phase.IDLE && !other.isCut() && whoMayGo.test(other))
                    .max(Comparator.comparingLong(WatchedConnection::waited))
                    .ifPresent(WatchedConnection::cut);
            placed = takeWithin.test(ROOM);
        }
        return placed;
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
        private final WatchedConnection watched;
        private final Http1Connection served;

        Connection(WatchedConnection watched, Http1Connection served) {
            this.watched = watched;
            this.served = served;
        }

        @Override
        public void handle(Limit limit) throws InterruptedException {
            open.add(watched);
            try {
                served.handle(limit);
            } finally {
                open.remove(watched);
                memory.giveBack(cost);
                shares.giveBack(watched.client());
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
