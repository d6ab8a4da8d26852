package org.bloomgate.smtp;

import java.net.InetAddress;
import java.net.UnknownHostException;

/// Where to listen, as `host:port` in the configuration.
///
/// @param host name or address without brackets; empty for every interface
record ListenAddress(String host, int port) {

    /// @throws IllegalArgumentException when the text is not `host:port`
    static ListenAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon);
        String port = text.substring(colon + 1);
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        boolean hostOk = bracketed || host.indexOf(':') < 0;
        if (colon < 0 || !hostOk || !port.matches("\\d{1,5}") || Integer.parseInt(port) > 65_535) {
            throw new IllegalArgumentException(
                    "smtp.listen: '" + text + "' is not host:port (as 127.0.0.1:2525 or [::1]:2525)");
        }
        return new ListenAddress(bracketed ? host.substring(1, host.length() - 1) : host, Integer.parseInt(port));
    }

    /// True when only this machine can connect. A name other than `localhost` counts as reachable: it is not resolved.
    boolean loopback() {
        if (host.equalsIgnoreCase("localhost")) {
            return true;
        }
        try {
            return InetAddress.ofLiteral(host).isLoopbackAddress();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /// With the port in use, as in the configuration.
    String text(int port) {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }

    @Override
    public String toString() {
        return text(port);
    }

    InetAddress resolve() throws UnknownHostException {
        return host.isEmpty() ? InetAddress.ofLiteral("::") : InetAddress.getByName(host);
    }
}
