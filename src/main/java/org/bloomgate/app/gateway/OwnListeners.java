package org.bloomgate.app.gateway;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Collection;
import java.util.Optional;
import org.bloomgate.base.net.IpLiteral;
import org.bloomgate.base.net.ListenAddress;
import org.bloomgate.server.nexthop.NextHops;

/// Recognises a next hop that is the relay itself, by addresses: names other than `localhost` and the relay's
/// own are not resolved. Other loops show in the greeting.
final class OwnListeners {
    private final Collection<ListenAddress> listeners;
    private final String hostname;

    OwnListeners(Configuration configuration) {
        listeners = configuration.smtp().addresses().values();
        hostname = configuration.smtp().hostname();
    }

    /// The server of a next hop that one of the listeners answers for.
    Optional<InetSocketAddress> among(String nextHop) {
        return NextHops.servers(nextHop).stream()
                .filter(server -> listeners.stream().anyMatch(listener -> answers(listener, server)))
                .findFirst();
    }

    private boolean answers(ListenAddress listener, InetSocketAddress server) {
        if (listener.port() != server.getPort()) {
            return false;
        }
        String host = server.getHostString();
        Optional<InetAddress> bound = IpLiteral.parse(listener.host());
        boolean everywhere = listener.host().isEmpty()
                || bound.filter(InetAddress::isAnyLocalAddress).isPresent();
        Optional<InetAddress> queried = host.equalsIgnoreCase("localhost")
                ? Optional.of(InetAddress.getLoopbackAddress())
                : IpLiteral.parse(host);
        if (queried.isEmpty()) {
            return host.equalsIgnoreCase(listener.host()) || (everywhere && host.equalsIgnoreCase(hostname));
        }
        if (listener.host().equalsIgnoreCase("localhost")) {
            return queried.get().isLoopbackAddress();
        }
        return everywhere ? isOurs(queried.get()) : bound.equals(queried);
    }

    private static boolean isOurs(InetAddress address) {
        try {
            return address.isLoopbackAddress()
                    || address.isAnyLocalAddress()
                    || NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException unknown) {
            return false;
        }
    }
}
