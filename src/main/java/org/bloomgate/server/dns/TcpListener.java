package org.bloomgate.server.dns;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.net.ClientCost;
import org.bloomgate.base.net.ClientMemory;
import org.bloomgate.base.net.Network;
import org.bloomgate.server.dns.DnsCounts.Limit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Accepts connections; each becomes a [TcpConnection] on a virtual thread. At a bound the connection that has
/// been silent longest is closed to make room for a new one; while all of them are being answered, the new one
/// is closed unread.
final class TcpListener implements AutoCloseable {
    /// The most open connections; of them at most [#MAX_CONNECTIONS_PER_NETWORK] from one network.
    static final int MAX_CONNECTIONS = 512;

    static final int MAX_CONNECTIONS_PER_NETWORK = 64;

    /// The most connections of clients that may not query: they must not keep out those that may.
    static final int MAX_CONNECTIONS_OF_STRANGERS = 32;

    private static final Logger LOG = LoggerFactory.getLogger(TcpListener.class);
    private static final Duration IDLE_CHECK_INTERVAL = Duration.ofSeconds(1);

    /// The time to finish queries when the listener closes.
    private static final Duration DRAIN = Duration.ofSeconds(3);

    private final ServerSocket listener;
    private final Supplier<Responder> responders;
    private final Supplier<ActiveConfiguration> configuration;
    private final DnsCounts counts;
    private final Set<TcpConnection> open = ConcurrentHashMap.newKeySet();
    private final BackgroundTask accepting;
    private final BackgroundTask reaping;
    private volatile boolean closing;

    TcpListener(
            ServerSocket listener,
            Supplier<Responder> responders,
            Supplier<ActiveConfiguration> configuration,
            DnsCounts counts) {
        this.listener = listener;
        this.responders = responders;
        this.configuration = configuration;
        this.counts = counts;
        this.accepting = BackgroundTask.keepRunning("dns-tcp", this::accept);
        this.reaping = BackgroundTask.every(IDLE_CHECK_INTERVAL, "dns-idle", this::closeIdle);
    }

    private void accept() throws InterruptedException {
        while (!closing) {
            try {
                serve(listener.accept());
            } catch (SocketException e) {
                if (!closing) {
                    LOG.warn("dns: accept failed: {}", e.getMessage());
                    Thread.sleep(100);
                }
            } catch (IOException e) {
                LOG.debug("dns: {}", e.toString());
            }
        }
    }

    private void serve(Socket socket) throws IOException {
        InetAddress client = socket.getInetAddress();
        Network network = Network.ofClient(client);
        boolean permitted = configuration.get().permits(client);
        if (!hasRoom(MAX_CONNECTIONS_PER_NETWORK, one -> one.isOf(network))
                || (!permitted && !hasRoom(MAX_CONNECTIONS_OF_STRANGERS, one -> !one.isPermitted()))
                || !hasRoom(MAX_CONNECTIONS, _ -> true)
                || !hasMemory()) {
            counts.countLimit(Limit.CONNECTIONS);
            socket.close();
            return;
        }
        TcpConnection connection = new TcpConnection(socket, responders, permitted, counts);
        open.add(connection);
        Thread _ = Thread.ofVirtual().name("dns-tcp-connection").start(() -> {
            try {
                connection.run();
            } finally {
                forget(connection);
            }
        });
    }

    /// True if the group has fewer connections than its bound, after closing a silent one if necessary.
    private boolean hasRoom(int most, Predicate<TcpConnection> group) {
        return open.stream().filter(group).count() < most || closeMostSilent(group);
    }

    private boolean hasMemory() {
        long bytes = ClientCost.DNS_CONNECTION.bytes();
        return ClientMemory.ofProcess().take(bytes)
                || (closeMostSilent(_ -> true) && ClientMemory.ofProcess().take(bytes));
    }

    private boolean closeMostSilent(Predicate<TcpConnection> group) {
        Optional<TcpConnection> silent = open.stream()
                .filter(group)
                .filter(one -> one.silence() >= 0)
                .max(Comparator.comparingLong(TcpConnection::silence));
        silent.ifPresent(one -> {
            counts.countLimit(Limit.CONNECTIONS);
            forget(one);
            one.close();
        });
        return silent.isPresent();
    }

    /// Gives the memory of a connection back, once.
    private void forget(TcpConnection connection) {
        if (open.remove(connection)) {
            ClientMemory.ofProcess().giveBack(ClientCost.DNS_CONNECTION.bytes());
        }
    }

    private void closeIdle() {
        long now = System.nanoTime();
        open.forEach(connection -> connection.closeWhenLate(now));
    }

    int connections() {
        return open.size();
    }

    /// Accepts no more connections. Those that wait for a query are closed, the others after their current
    /// answer.
    @Override
    public void close() throws IOException {
        closing = true;
        listener.close();
        accepting.close();
        open.forEach(TcpConnection::finish);
        long end = System.nanoTime() + DRAIN.toNanos();
        try {
            while (!open.isEmpty() && System.nanoTime() - end < 0) {
                Thread.sleep(10);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        open.forEach(TcpConnection::close);
        reaping.close();
    }
}
