package org.bloomgate.app.gateway.options;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Collection;
import java.util.Optional;
import org.bloomgate.base.net.IpLiteral;
import org.bloomgate.base.net.ListenAddress;
import org.bloomgate.server.nexthop.NextHops;

/// Recognizes a next hop that is the relay itself, by its address: names are not resolved, except `localhost`
/// and the name of the relay. Other loops are recognized by the greeting.
final class OwnListeners {
    private final Collection<ListenAddress> listeners;
    private final String hostname;

    OwnListeners(Configuration configuration) {
        listeners = configuration.smtp().addresses().values();
        hostname = configuration.smtp().hostname();
    }

    /// The server of the next hop that is one of the listeners.
    Optional<InetSocketAddress> find(String nextHop) {
        return NextHops.servers(nextHop).stream()
                .filter(server -> listeners.stream().anyMatch(listener -> isReachedAs(listener, server)))
                .findFirst();
    }

    private boolean isReachedAs(ListenAddress listener, InetSocketAddress server) {
        if (listener.port() != server.getPort()) {
            return false;
        }
        String host = server.getHostString();
        Optional<InetAddress> bound = IpLiteral.parse(listener.host());
        boolean onAllAddresses = listener.host().isEmpty()
                || bound.filter(InetAddress::isAnyLocalAddress).isPresent();
        Optional<InetAddress> address = host.equalsIgnoreCase("localhost")
                ? Optional.of(InetAddress.getLoopbackAddress())
                : IpLiteral.parse(host);
        if (address.isEmpty()) {
            return host.equalsIgnoreCase(listener.host()) || (onAllAddresses && host.equalsIgnoreCase(hostname));
        }
        if (listener.host().equalsIgnoreCase("localhost")) {
            return address.get().isLoopbackAddress();
        }
        return onAllAddresses ? isOurs(address.get()) : bound.equals(address);
    }

    private static boolean isOurs(InetAddress address) {
        try {
            return address.isLoopbackAddress()
                    || address.isAnyLocalAddress()
                    || NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return false;
        }
    }
}
