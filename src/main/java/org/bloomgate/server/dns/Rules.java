package org.bloomgate.server.dns;

import java.net.InetAddress;
import java.util.List;
import org.bloomgate.base.net.Network;
import org.bloomgate.decision.evaluation.MessageEvaluator;

/// The configuration in use by the listener, swapped as a whole at a reload. Immutable except for the buckets
/// of the rate limit; thread-safe.
///
/// @param zones those with the longest names first
/// @param evaluator whose lookup is used, and which knows the maximum age of a snapshot
record Rules(List<Zone> zones, List<Network> clients, RateLimit limit, MessageEvaluator evaluator) {
    Rules {
        zones = List.copyOf(zones);
    }

    static Rules of(DnsOptions options, String hostname, RefusedCategories refused, MessageEvaluator evaluator) {
        return new Rules(
                Zone.all(options, ZoneName.ofHost(hostname), refused),
                options.clients(),
                new RateLimit(options.answersPerSecond()),
                evaluator);
    }

    boolean permits(InetAddress client) {
        return new Clients(clients).permit(client);
    }
}
