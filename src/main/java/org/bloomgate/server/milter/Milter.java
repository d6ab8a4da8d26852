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
import org.bloomgate.lookup.tier.LayerSource;
import org.bloomgate.server.spool.MailRecords;
import org.bloomgate.server.spool.MemoryBudget;
import org.bloomgate.server.spool.MessageContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The milter listener: one address, a virtual thread for each connection. Thread-safe.
public final class Milter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Milter.class);

    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);
    private static final Duration DRAIN_CHECK = Duration.ofMillis(20);

    /// The time for the threads of closed connections to end.
    private static final Duration CLOSE_WAIT = Duration.ofSeconds(5);

    /// The pause after a failed accept, for example for lack of file descriptors.
    private static final Duration ACCEPT_PAUSE = Duration.ofSeconds(1);

    private final ListeningSocket socket;
    private final MilterMetrics metrics;
    private final Set<MilterSession> sessions = ConcurrentHashMap.newKeySet();
    private final Set<String> loggedGaps = ConcurrentHashMap.newKeySet();
    private final AtomicInteger count = new AtomicInteger();
    private volatile MilterContext context;
    private volatile Optional<BackgroundTask> accepting = Optional.empty();
    private volatile Optional<BackgroundTask> watch = Optional.empty();
    private volatile boolean draining;

    /// @throws IOException if the address is in use or not local, or a folder cannot be created
    public Milter(
            MilterAddress listen,
            MilterSettings settings,
            LayerSource layers,
            MessageEvaluator evaluator,
            MailRecords records,
            MemoryBudget memory,
            MeterRegistry registry)
            throws IOException {
        Files.createDirectories(settings.messages().temporary());
        metrics = new MilterMetrics(registry);
        metrics.registerConnections(count::get);
        context = new MilterContext(
                settings, new MessageContext(layers, evaluator, records, memory, settings.messages()), metrics);
        socket = ListeningSocket.open(listen);
    }

    /// Starts to accept connections.
    public void start() {
        watch = Optional.of(BackgroundTask.every(
                CHECK_INTERVAL,
                "milter-watch",
                () -> sessions.forEach(session -> session.connection().watch())));
        accepting = Optional.of(BackgroundTask.keepRunning("milter-accept", this::accept));
    }

    /// The address with the port in use.
    public MilterAddress address() {
        return socket.address();
    }

    /// The reason why [#reload] cannot apply networks, which must not open the address to everybody.
    public Optional<String> findProblem(List<Network> clientNetworks) {
        try {
            new MilterOptions(Optional.of(address())).check(clientNetworks);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /// Applies other settings and another evaluator, to new messages.
    public void reload(MilterSettings settings, MessageEvaluator evaluator) throws IOException {
        Files.createDirectories(settings.messages().temporary());
        MessageContext now = context.messages();
        context = new MilterContext(
                settings,
                new MessageContext(now.layers(), evaluator, now.records(), now.memory(), settings.messages()),
                metrics);
    }

    private void accept() throws InterruptedException {
        while (!draining) {
            try {
                serve(socket.accept());
            } catch (ClosedChannelException e) {
                return;
            } catch (IOException e) {
                LOG.error("milter: accept failed: {}", IoText.describe(e));
                Thread.sleep(ACCEPT_PAUSE);
            }
        }
    }

    private void serve(SocketChannel channel) throws IOException {
        SocketAddress from = channel.getRemoteAddress();
        boolean isAllowed = !(from instanceof InetSocketAddress client)
                || MilterAddress.allows(client.getAddress(), context.settings().clientNetworks());
        if (!isAllowed
                || count.get() >= context.settings().maxConnections()
                || !ClientMemory.ofProcess().takeForMail(ClientCost.MILTER_CONNECTION.bytes())) {
            metrics.countRejectedConnection();
            LOG.warn(
                    "milter: connection from {}: closed: {}",
                    from,
                    isAllowed ? "too many connections" : "not in smtp.clientNetworks");
            channel.close();
            return;
        }
        MilterSession session;
        try {
            session = new MilterSession(new MtaConnection(PromptChannel.of(channel)), () -> context, loggedGaps);
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

    /// Accepts no more connections, defers new messages, waits up to the drain time for open messages, then
    /// closes.
    @Override
    public void close() {
        draining = true;
        closeSocket();
        accepting.ifPresent(BackgroundTask::close);
        sessions.forEach(MilterSession::drain);
        long deadline = System.nanoTime() + context.settings().drain().toNanos();
        awaitUntil(() -> sessions.stream().noneMatch(MilterSession::inTransaction), deadline);
        sessions.forEach(session -> session.connection().close());
        awaitUntil(sessions::isEmpty, System.nanoTime() + CLOSE_WAIT.toNanos());
        watch.ifPresent(BackgroundTask::close);
    }

    private void closeSocket() {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.warn("milter: {}: socket not removed: {}", address(), IoText.describe(e));
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
