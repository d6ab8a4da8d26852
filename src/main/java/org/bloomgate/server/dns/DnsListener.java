package org.bloomgate.server.dns;

import io.micrometer.core.instrument.Gauge;
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
import org.bloomgate.lookup.tier.LayerSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The DNS listener: one port for UDP and TCP. The TCP socket is bound first, because its port cannot be shared
/// as those of the UDP sockets (one for each processor) can: a second gateway on the same address fails here.
public final class DnsListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DnsListener.class);

    /// The most connections by TCP at a time.
    public static final int MAX_TCP_CONNECTIONS = TcpListener.MAX_CONNECTIONS;

    /// The most attempts to find a port that is free for both.
    private static final int TRIES = 20;

    private static final int MAX_LOOPS = 8;

    private final ListenAddress address;
    private final String hostname;
    private final LayerSource layers;
    private final InstantSource clock;
    private final DnsCounts counts;
    private final SuspectThreads suspects = new SuspectThreads();
    private final ListedParents parents;
    private final List<UdpSocket> sockets = new ArrayList<>();
    private final List<UdpLoop> loops = new ArrayList<>();
    private final ServerSocket listener;
    private final TcpListener tcp;
    private volatile ActiveConfiguration configuration;

    /// Binds the address and begins to answer.
    ///
    /// @param hostname of the name server in the zones' records
    /// @throws IOException when the address cannot be bound
    public DnsListener(
            ListenAddress address,
            DnsListenerOptions options,
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
        this.configuration =
                ActiveConfiguration.of(options, hostname, evaluator.rules().policy()::refuses, evaluator);
        this.parents = new ListedParents(layers);
        this.counts = new DnsCounts(registry);
        this.listener = bind(address);
        Supplier<Responder> responders = this::responder;
        sockets.forEach(socket -> loops.add(new UdpLoop(socket, responders, () -> configuration, suspects, counts)));
        tcp = new TcpListener(listener, responders, () -> configuration, counts);
        parents.watch();
        gauge(registry, "connections", "DNS connections open now", tcp::connections);
        gauge(
                registry,
                "parents.bytes",
                "Bytes of the filters of names with listed names below them",
                parents::memoryBytes);
    }

    private static void gauge(MeterRegistry registry, String name, String description, Supplier<Number> value) {
        Gauge.builder(DnsCounts.PREFIX + name, value).description(description).register(registry);
    }

    private Responder responder() {
        return new Responder(() -> configuration, layers, parents, clock, counts);
    }

    private ServerSocket bind(ListenAddress requested) throws IOException {
        InetAddress host = requested.resolve();
        for (int left = TRIES; ; left--) {
            ServerSocket socket = new ServerSocket();
            try {
                socket.bind(new InetSocketAddress(host, requested.port()), TcpListener.MAX_CONNECTIONS);
                bindDatagrams(new InetSocketAddress(host, socket.getLocalPort()));
                return socket;
            } catch (IOException e) {
                socket.close();
                closeSockets();
                if (requested.port() != 0 || left == 1) {
                    throw new CannotListenException("dns.listen", requested, e);
                }
            }
        }
    }

    private void bindDatagrams(InetSocketAddress at) throws IOException {
        int threads = UdpSocket.canBeShared() ? Runtime.getRuntime().availableProcessors() : 1;
        int loopCount = Math.min(MAX_LOOPS, threads);
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

    /// The address with the port in use.
    public ListenAddress address() {
        return address.withPort(listener.getLocalPort());
    }

    /// Applies another configuration. The address stays.
    public void use(DnsListenerOptions options, MessageEvaluator evaluator) {
        configuration =
                ActiveConfiguration.of(options, hostname, evaluator.rules().policy()::refuses, evaluator);
    }

    /// Accepts no more queries; those accepted are answered.
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
