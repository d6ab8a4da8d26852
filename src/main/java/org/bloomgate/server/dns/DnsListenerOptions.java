package org.bloomgate.server.dns;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.base.config.RequiresRestart;
import org.bloomgate.base.net.ListenAddress;
import org.bloomgate.base.net.Network;

/// The `dns` section of the configuration.
///
/// @param listen for UDP and TCP on one port, 0 for a free one; empty for no DNS
/// @param clients networks that may query; others get REFUSED
/// @param zones by name
/// @param answersPerSecond by UDP to one client network, a /24 or /56; of further queries every second one is
///     answered as truncated, so that the client uses TCP, and the others are dropped. 0: no bound
public record DnsListenerOptions(
        @RequiresRestart Optional<ListenAddress> listen,
        List<Network> clients,
        Map<DnsName, ZoneOptions> zones,
        int answersPerSecond) {
    /// Each query name is compared with all of them.
    static final int MAX_ZONES = 100;

    public DnsListenerOptions {
        clients = List.copyOf(clients);
        zones = Map.copyOf(zones);
        if (zones.size() > MAX_ZONES) {
            throw new IllegalArgumentException("zones: at most " + MAX_ZONES);
        }
        if (answersPerSecond < 0) {
            throw new IllegalArgumentException("answersPerSecond: 0 for no bound, or a number above");
        }
    }

    /// Problems of the section as a whole.
    public List<String> problems() {
        return listen.isPresent() && zones.isEmpty()
                ? List.of("listen: there is nothing to answer without zones; name one in zones")
                : List.of();
    }

    public static DnsListenerOptions defaults() {
        return new DnsListenerOptions(
                Optional.empty(), List.of(Network.of("127.0.0.0/8"), Network.of("::1")), Map.of(), 0);
    }
}
