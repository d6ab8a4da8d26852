package org.bloomgate.server.nexthop;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.bloomgate.core.smtp.Capabilities;
import org.bloomgate.core.smtp.EhloExtensions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Opens connections to the first address that answers. An address that failed is tried last for 30 s, so that
/// a dead first server costs one connect timeout and not one for each message. Thread-safe.
final class NextHopConnector implements NextHopPool.Connector {
    private static final Logger LOG = LoggerFactory.getLogger(NextHopConnector.class);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(30);

    private final NextHopAddress.Servers servers;
    private final NextHopOptions options;
    private final NextHopEncryption encryption;
    private final ConcurrentMap<InetSocketAddress, Long> failedAt = new ConcurrentHashMap<>();
    private final ReadWatch watch;
    private final LoopMarks marks = new LoopMarks();
    private volatile Capabilities capabilities = EhloExtensions.NOT_KNOWN;

    /// @throws IOException when the CA file cannot be used
    NextHopConnector(NextHopAddress.Servers servers, NextHopOptions options, ReadWatch watch) throws IOException {
        this.servers = servers;
        this.options = options;
        this.watch = watch;
        this.encryption = NextHopEncryption.create(options);
    }

    /// From the last EHLO reply; before the first one, [EhloExtensions#NOT_KNOWN].
    Capabilities capabilities() {
        return capabilities;
    }

    LoopMarks marks() {
        return marks;
    }

    @Override
    public SmtpConnection connect() throws NextHopFault {
        List<InetSocketAddress> hosts = hostsToTry();
        for (InetSocketAddress host : hosts.subList(0, hosts.size() - 1)) {
            try {
                return connectAndRecord(host);
            } catch (NextHopFault fault) {
                LOG.warn("{} (trying the next address)", fault.detail());
            }
        }
        return connectAndRecord(hosts.getLast());
    }

    private SmtpConnection connectAndRecord(InetSocketAddress host) throws NextHopFault {
        try {
            SmtpConnection connection = withoutLoop(connect(host));
            failedAt.remove(host);
            capabilities = connection.hello().capabilities();
            return connection;
        } catch (NextHopFault fault) {
            failedAt.put(host, System.nanoTime());
            throw fault;
        }
    }

    private SmtpConnection withoutLoop(SmtpConnection connection) throws NextHopFault {
        if (!marks.detectLoop(connection.hello().marks())) {
            return connection;
        }
        connection.quit();
        throw new NextHopFault(
                NextHopFault.Kind.LOOP,
                "next hop " + connection.name() + " is this relay itself, or leads back to it, which is a loop: set"
                        + " nextHop to the mail server that delivers the messages");
    }

    private List<InetSocketAddress> hostsToTry() {
        List<InetSocketAddress> hosts = new ArrayList<>(servers.hosts());
        hosts.sort(Comparator.comparing(this::hasFailedRecently));
        return hosts;
    }

    private boolean hasFailedRecently(InetSocketAddress host) {
        Long time = failedAt.get(host);
        return time != null && System.nanoTime() - time < RETRY_AFTER.toNanos();
    }

    /// Tries the IP addresses of the host in the order of the resolver.
    private SmtpConnection connect(InetSocketAddress host) throws NextHopFault {
        NextHopFault last = new NextHopFault(NextHopFault.Kind.UNREACHABLE, "no IP address for " + host);
        for (InetAddress address : resolve(host)) {
            try {
                return open(new InetSocketAddress(address, host.getPort()));
            } catch (NextHopFault fault) {
                last = fault;
            }
        }
        throw last;
    }

    /// With `tls: opportunistic` a server whose STARTTLS fails is used without TLS, as one that does not offer
    /// it.
    private SmtpConnection open(InetSocketAddress server) throws NextHopFault {
        try {
            return SmtpConnection.open(server, servers.dialect(), options, encryption, watch);
        } catch (NextHopFault fault) {
            if (!fault.isTlsFailure() || encryption.mode() != NextHopTls.OPPORTUNISTIC) {
                throw fault;
            }
            LOG.warn("{} (retrying without TLS)", fault.detail());
            return SmtpConnection.open(server, servers.dialect(), options, encryption.withoutTls(), watch);
        }
    }

    private static List<InetAddress> resolve(InetSocketAddress host) throws NextHopFault {
        try {
            return List.of(InetAddress.getAllByName(host.getHostString()));
        } catch (UnknownHostException unknown) {
            throw new NextHopFault(
                    NextHopFault.Kind.UNREACHABLE, "next hop " + host.getHostString() + ": no such host");
        }
    }
}
