package org.bloomgate.server.dns;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.bloomgate.base.net.CannotListenException;
import org.bloomgate.base.net.ListenAddress;
import org.bloomgate.decision.evaluation.MessageEvaluator;
import org.bloomgate.lookup.lookup.LayerSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The listener: one port for UDP and TCP. The TCP listener is bound first: unlike the UDP sockets, one for
/// each processor, its port cannot be shared, so that a second gateway on the same address is noticed.
public final class DnsListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DnsListener.class);

    /// The most connections by TCP at a time.
    public static final int MAX_TCP_CONNECTIONS = TcpListener.MAX_CONNECTIONS;

    /// Tries to find a port that is free for both.
    private static final int TRIES = 20;

    private static final int MAX_LOOPS = 8;

    private final ListenAddress address;
    private final String hostname;
    private final LayerSource layers;
    private final InstantSource clock;
    private final DnsCounts counts = new DnsCounts();
    private final SuspectThreads suspects = new SuspectThreads();
    private final ListedParents parents;
    private final List<UdpSocket> sockets = new ArrayList<>();
    private final List<UdpLoop> loops = new ArrayList<>();
    private final ServerSocket listener;
    private final TcpListener tcp;
    private volatile Rules rules;

    /// Listens, and answers from now on.
    ///
    /// @param hostname of the name server in the zones' records
    /// @throws IOException when the address cannot be bound
    public DnsListener(
            ListenAddress address,
            DnsOptions options,
            String hostname,
            LayerSource layers,
            MessageEvaluator evaluator,
            MeterRegistry registry,
            InstantSource clock)
            throws IOException {
        this.address = address;
        this.hostname = hostname;
        this.layers = layers;
        this.clock = clock;
        this.rules = Rules.of(options, hostname, evaluator.policy()::refuses, evaluator);
        this.parents = new ListedParents(layers);
        this.listener = bind(address);
        Supplier<Responder> responders = this::responder;
        sockets.forEach(socket -> loops.add(new UdpLoop(socket, responders, () -> rules, suspects, counts)));
        tcp = new TcpListener(listener, responders, () -> rules, counts);
        parents.watch();
        new DnsMetrics(registry).show(counts, tcp::connections, parents::memoryBytes);
    }

    private Responder responder() {
        return new Responder(() -> rules, layers, parents, clock, counts);
    }

    private ServerSocket bind(ListenAddress wanted) throws IOException {
        InetAddress host = wanted.resolve();
        for (int left = TRIES; ; left--) {
            ServerSocket socket = new ServerSocket();
            try {
                socket.bind(new InetSocketAddress(host, wanted.port()), TcpListener.MAX_CONNECTIONS);
                bindDatagrams(new InetSocketAddress(host, socket.getLocalPort()));
                return socket;
            } catch (IOException taken) {
                socket.close();
                closeSockets();
                if (wanted.port() != 0 || left == 1) {
                    throw new CannotListenException("dns.listen", wanted, taken);
                }
            }
        }
    }

    private void bindDatagrams(InetSocketAddress at) throws IOException {
        int wanted = UdpSocket.canBeShared() ? Runtime.getRuntime().availableProcessors() : 1;
        int loopCount = Math.min(MAX_LOOPS, wanted);
        for (int i = 0; i < loopCount; i++) {
            sockets.add(UdpSocket.bind(at, loopCount > 1));
        }
    }

    private void closeSockets() throws IOException {
        for (UdpSocket socket : sockets) {
            socket.close();
        }
        sockets.clear();
    }

    /// With the port in use.
    public ListenAddress address() {
        return address.at(listener.getLocalPort());
    }

    /// Answers by other zones, for other clients, from now on. The address stays.
    public void use(DnsOptions options, MessageEvaluator evaluator) {
        rules = Rules.of(options, hostname, evaluator.policy()::refuses, evaluator);
    }

    /// Takes nothing more; what was taken is answered.
    @Override
    public void close() {
        loops.forEach(loop -> closing("udp", loop::stopReading));
        closing("tcp", tcp::close);
        suspects.close();
        loops.forEach(loop -> closing("udp", loop::close));
        parents.close();
    }

    private interface Closing {
        void close() throws IOException;
    }

    private static void closing(String part, Closing step) {
        try {
            step.close();
        } catch (IOException e) {
            LOG.warn("dns: {} did not close: {}", part, e.getMessage());
        }
    }
}
