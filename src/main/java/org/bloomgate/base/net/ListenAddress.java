package org.bloomgate.base.net;

import java.net.InetAddress;
import java.net.UnknownHostException;

/// Where to listen, as `host:port` in the configuration.
///
/// @param host name or address without brackets; empty for every interface
/// @param port 0 picks a free one
public record ListenAddress(String host, int port) {

    /// @param text `host:port`, an IPv6 address in brackets
    /// @throws IllegalArgumentException when it is not
    public static ListenAddress of(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon);
        String port = text.substring(colon + 1);
        boolean isBracketed = host.startsWith("[") && host.endsWith("]");
        boolean isHostValid = isBracketed || host.indexOf(':') < 0;
        if (colon < 0 || !isHostValid || !port.matches("\\d{1,5}") || Integer.parseInt(port) > 65_535) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not host:port (for example 127.0.0.1:2525 or [::1]:8080)");
        }
        return new ListenAddress(isBracketed ? host.substring(1, host.length() - 1) : host, Integer.parseInt(port));
    }

    /// True when only this machine can connect. A name other than `localhost` counts as reachable: it is not
    /// resolved.
    public boolean isLoopback() {
        return host.equalsIgnoreCase("localhost")
                || IpLiteral.parse(host).filter(InetAddress::isLoopbackAddress).isPresent();
    }

    /// Whether both cannot be listened on at the same time. Names other than `localhost` are compared as text.
    public boolean overlaps(ListenAddress other) {
        return port != 0
                && port == other.port
                && (isEverywhere() || other.isEverywhere() || toLiteral().equalsIgnoreCase(other.toLiteral()));
    }

    private boolean isEverywhere() {
        return host.isEmpty()
                || IpLiteral.parse(host).filter(InetAddress::isAnyLocalAddress).isPresent();
    }

    private String toLiteral() {
        return host.equalsIgnoreCase("localhost")
                ? "127.0.0.1"
                : IpLiteral.parse(host).map(IpLiteral::text).orElse(host);
    }

    /// With the port in use, which differs when this one is 0.
    public ListenAddress withPort(int port) {
        return new ListenAddress(host, port);
    }

    public InetAddress resolve() throws UnknownHostException {
        return host.isEmpty() ? InetAddress.ofLiteral("::") : InetAddress.getByName(host);
    }

    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
