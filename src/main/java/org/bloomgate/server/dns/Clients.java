package org.bloomgate.server.dns;

import java.net.InetAddress;
import java.util.List;
import org.bloomgate.base.net.Network;

/// The clients that may query. Remembers the last one, as a client usually sends several queries. Not
/// thread-safe.
final class Clients {
    private final List<Network> networks;
    private InetAddress last = InetAddress.ofLiteral("::");
    private boolean lastPermitted;

    Clients(List<Network> networks) {
        this.networks = networks;
        this.lastPermitted = contains(last);
    }

    boolean permit(InetAddress client) {
        if (!last.equals(client)) {
            lastPermitted = contains(client);
            last = client;
        }
        return lastPermitted;
    }

    private boolean contains(InetAddress client) {
        for (Network network : networks) {
            if (network.contains(client)) {
                return true;
            }
        }
        return false;
    }
}
