package org.bloomgate.server.dns;

import java.net.InetAddress;
import java.util.List;
import org.bloomgate.base.net.Network;
import org.bloomgate.decision.evaluation.MessageEvaluator;

/// The configuration that the listener uses, replaced as a whole by a reload. Immutable except for the buckets
/// of the rate limit; thread-safe.
///
/// @param zones those with the longest names first
/// @param evaluator has the lookup and the maximum age of a snapshot
record ActiveConfiguration(List<ServedZone> zones, List<Network> clients, RateLimit limit, MessageEvaluator evaluator) {
    ActiveConfiguration {
        zones = List.copyOf(zones);
    }

    static ActiveConfiguration of(
            DnsListenerOptions options, String hostname, RejectedCategories rejected, MessageEvaluator evaluator) {
        return new ActiveConfiguration(
                ServedZone.allOf(options, DnsName.ofHost(hostname), rejected),
                options.clients(),
                new RateLimit(options.answersPerSecond()),
                evaluator);
    }

    boolean permits(InetAddress client) {
        return new Clients(clients).permit(client);
    }
}
