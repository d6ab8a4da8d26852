package org.bloomgate.server.milter;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.io.IoText;
import org.bloomgate.base.net.ClientCost;
import org.bloomgate.base.net.ClientMemory;
import org.bloomgate.base.net.Network;
import org.bloomgate.decision.evaluation.MessageEvaluator;
import org.bloomgate.lookup.lookup.LayerSource;
import org.bloomgate.server.spool.MailRecords;
import org.bloomgate.server.spool.MemoryBudget;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The milter: one listener, a virtual thread for each connection. Thread-safe.
public final class Milter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Milter.class);

    private static final Duration CHECK = Duration.ofSeconds(1);
    private static final Duration DRAIN_CHECK = Duration.ofMillis(20);

    /// The time for the threads of closed connections to end.
    private static final Duration END = Duration.ofSeconds(5);

    /// When no connection can be taken, for want of descriptors say.
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final ListeningSocket socket;
    private final MilterMetrics metrics;
    private final Set<MilterSession> sessions = ConcurrentHashMap.newKeySet();
    private final Set<String> missing = ConcurrentHashMap.newKeySet();
    private final AtomicInteger count = new AtomicInteger();
    private volatile MilterContext inForce;
    private volatile Optional<BackgroundTask> accepting = Optional.empty();
    private volatile Optional<BackgroundTask> watch = Optional.empty();
    private volatile boolean draining;

    /// @throws IOException when the address is taken or not ours, or a directory cannot be made
    public Milter(
            MilterAddress listen,
            MilterSettings settings,
            LayerSource layers,
            MessageEvaluator evaluator,
            MailRecords records,
            MemoryBudget memory,
            MeterRegistry registry)
            throws IOException {
        Files.createDirectories(settings.temporary());
        metrics = new MilterMetrics(registry);
        metrics.connectionsOpen(count::get);
        inForce = new MilterContext(settings, layers, evaluator, records, memory, metrics);
        socket = ListeningSocket.open(listen);
    }

    /// Takes connections from now on.
    public void start() {
        watch = Optional.of(BackgroundTask.every(
                CHECK,
                "milter-watch",
                () -> sessions.forEach(session -> session.connection().watch())));
        accepting = Optional.of(BackgroundTask.start("milter-accept", this::accept));
    }

    /// With the port in use.
    public MilterAddress address() {
        return socket.address();
    }

    /// The reason why [#reload] cannot apply networks: the address stays, so they must not open it.
    public Optional<String> problem(List<Network> clientNetworks) {
        try {
            new MilterOptions(Optional.of(address())).check(clientNetworks);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /// Applies to new messages.
    public void reload(MilterSettings settings, MessageEvaluator evaluator) throws IOException {
        Files.createDirectories(settings.temporary());
        MilterContext now = inForce;
        inForce = new MilterContext(settings, now.layers(), evaluator, now.records(), now.memory(), metrics);
    }

    private void accept() throws InterruptedException {
        while (!draining) {
            try {
                take(socket.accept());
            } catch (ClosedChannelException closed) {
                return;
            } catch (IOException e) {
                LOG.error("no connection of a mail server can be taken: {}", IoText.describe(e));
                Thread.sleep(PAUSE);
            }
        }
    }

    private void take(SocketChannel channel) throws IOException {
        SocketAddress from = channel.getRemoteAddress();
        boolean allowed = !(from instanceof InetSocketAddress client)
                || MilterAddress.allows(client.getAddress(), inForce.settings().clientNetworks());
        if (!allowed
                || count.get() >= inForce.settings().maxConnections()
                || !ClientMemory.ofProcess().takeForMail(ClientCost.MILTER_CONNECTION.bytes())) {
            metrics.turnedAway();
            LOG.warn("connection from {} closed: {}", from, allowed ? "too many" : "not of smtp.clientNetworks");
            channel.close();
            return;
        }
        MilterSession session;
        try {
            session = new MilterSession(new Connection(PromptChannel.of(channel)), () -> inForce, missing);
        } catch (IOException e) {
            ClientMemory.ofProcess().giveBack(ClientCost.MILTER_CONNECTION.bytes());
            channel.close();
            throw e;
        }
        count.incrementAndGet();
        sessions.add(session);
        Thread.ofVirtual().name("milter").start(() -> run(session));
    }

    private void run(MilterSession session) {
        try {
            session.run();
        } finally {
            sessions.remove(session);
            count.decrementAndGet();
            ClientMemory.ofProcess().giveBack(ClientCost.MILTER_CONNECTION.bytes());
        }
    }

    /// Takes no connection any more, sends new mail away, lets messages under way finish within the drain time,
    /// then closes.
    @Override
    public void close() {
        draining = true;
        closeSocket();
        accepting.ifPresent(BackgroundTask::close);
        sessions.forEach(MilterSession::drain);
        long deadline = System.nanoTime() + inForce.settings().drain().toNanos();
        awaitUntil(() -> sessions.stream().noneMatch(MilterSession::inMail), deadline);
        sessions.forEach(session -> session.connection().close());
        awaitUntil(sessions::isEmpty, System.nanoTime() + END.toNanos());
        watch.ifPresent(BackgroundTask::close);
    }

    private void closeSocket() {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.warn("{} is left behind: {}", address(), IoText.describe(e));
        }
    }

    private static void awaitUntil(BooleanSupplier condition, long deadline) {
        try {
            while (!condition.getAsBoolean() && System.nanoTime() - deadline < 0) {
                Thread.sleep(DRAIN_CHECK);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
