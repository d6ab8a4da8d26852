package org.bloomgate.server.milter;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.bloomgate.base.net.ListenAddress;
import org.bloomgate.base.net.Network;

/// The address of the milter: `host:port`, or `unix:PATH` for a socket in the file system.
public sealed interface MilterAddress {
    String UNIX = "unix:";

    /// The longest path that every system accepts (`sun_path` has 104 bytes on some).
    int MAX_PATH_BYTES = 103;

    record Tcp(ListenAddress address) implements MilterAddress {
        @Override
        public String toString() {
            return address.toString();
        }
    }

    record Unix(Path path) implements MilterAddress {
        @Override
        public String toString() {
            return UNIX + path;
        }
    }

    /// @throws IllegalArgumentException if it is neither
    static MilterAddress of(String text) {
        if (text.startsWith("inet:") || text.startsWith("inet6:")) {
            throw new IllegalArgumentException("'" + text
                    + "' is how mail servers write a milter's address; write host:port (for example"
                    + " 127.0.0.1:8891) or unix:PATH");
        }
        if (!text.startsWith(UNIX)) {
            return new Tcp(ListenAddress.of(text));
        }
        String path = text.substring(UNIX.length());
        if (path.isEmpty() || path.getBytes(StandardCharsets.UTF_8).length > MAX_PATH_BYTES) {
            throw new IllegalArgumentException("'" + text + "' is not unix:PATH with a path of 1 to " + MAX_PATH_BYTES
                    + " bytes (for example unix:/run/bloomgate/milter.sock)");
        }
        try {
            return new Unix(Path.of(path));
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("'" + text + "' is not a path: " + e.getReason(), e);
        }
    }

    /// @throws UnknownHostException if the host has no address
    default SocketAddress resolve() throws UnknownHostException {
        return switch (this) {
            case Tcp(ListenAddress at) -> new InetSocketAddress(at.resolve(), at.port());
            case Unix(Path path) -> UnixDomainSocketAddress.of(path);
        };
    }

    /// Checks that not everybody can connect. The protocol has no password, so an address that other machines
    /// reach needs client networks.
    ///
    /// @throws IllegalArgumentException if everybody could connect
    default void check(List<Network> clientNetworks) {
        boolean open =
                clientNetworks.isEmpty() || clientNetworks.stream().anyMatch(network -> network.prefixBits() == 0);
        if (this instanceof Tcp(ListenAddress at) && !at.isLoopback() && open) {
            throw new IllegalArgumentException("listen: " + at
                    + " is open to everybody: name the mail server's network in smtp.clientNetworks, or listen on"
                    + " loopback or unix:PATH");
        }
    }

    /// True if a client with this address may connect.
    static boolean allows(InetAddress client, List<Network> clientNetworks) {
        return client.isLoopbackAddress() || clientNetworks.stream().anyMatch(network -> network.contains(client));
    }
}
