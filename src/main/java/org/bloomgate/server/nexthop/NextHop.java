package org.bloomgate.server.nexthop;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.core.smtp.Capabilities;
import org.bloomgate.core.smtp.ClientIdentity;

/// The server or folder that accepted messages are delivered to. Thread-safe.
public interface NextHop extends AutoCloseable {

    /// The extensions of the last EHLO reply of the next hop; never waits for the network.
    Capabilities capabilities();

    /// Lines for the EHLO reply of this relay, by which a next hop that leads back here is recognised; none for
    /// a next hop that cannot lead back.
    default List<String> ehloLines() {
        return List.of();
    }

    /// Begins a transaction for one message. The next hop is contacted at MAIL at the earliest.
    NextHopTransaction begin(ClientIdentity client);

    /// The most transactions at the same time.
    default int maxTransactions() {
        return Integer.MAX_VALUE;
    }

    /// Its connections and faults; for metrics.
    default Usage usage() {
        return Usage.NONE;
    }

    /// What it refuses at present; empty while it accepts mail, and for a next hop that is not a server.
    default Optional<Refusals> refusals() {
        return Optional.empty();
    }

    /// @param text how many messages it refused, with the reply to one of them
    /// @param since when it began
    record Refusals(String text, Instant since) {}

    @Override
    void close();

    /// The connections and faults of a next hop.
    ///
    /// @param idle connections kept for the next transaction
    /// @param busy connections in a transaction, or being opened
    /// @param waiting transactions that wait for a connection
    /// @param faults since it was opened, by kind
    record Usage(int idle, int busy, int waiting, Map<NextHopFault.Kind, Long> faults) {
        /// For a next hop that is not a server.
        static final Usage NONE = new Usage(0, 0, 0, Map.of());

        public Usage {
            faults = Map.copyOf(faults);
        }

        public long faults(NextHopFault.Kind kind) {
            return faults.getOrDefault(kind, 0L);
        }
    }
}
