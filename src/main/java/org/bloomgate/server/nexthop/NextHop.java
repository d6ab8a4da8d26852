package org.bloomgate.server.nexthop;

import java.util.List;
import java.util.Map;
import org.bloomgate.core.smtp.Capabilities;
import org.bloomgate.core.smtp.ClientIdentity;

/// Where accepted mail goes. Thread-safe.
public interface NextHop extends AutoCloseable {

    /// The extensions that the next hop announced last; never waits for the network.
    Capabilities capabilities();

    /// Lines for the EHLO reply of the relay, by which a next hop that leads back to it is recognised; none for
    /// one that cannot.
    default List<String> announcement() {
        return List.of();
    }

    /// A transaction for one message. The next hop is contacted at MAIL at the earliest.
    NextHopTransaction begin(ClientIdentity client);

    /// The most transactions it takes at once.
    default int places() {
        return Integer.MAX_VALUE;
    }

    /// Its connections and faults; for metrics.
    default Use use() {
        return Use.NONE;
    }

    @Override
    void close();

    /// How a next hop is doing at one moment.
    ///
    /// @param idle connections kept for the next transaction
    /// @param busy connections in a transaction, or being made
    /// @param waiting transactions that wait for a connection
    /// @param faults since it was opened, by kind
    record Use(int idle, int busy, int waiting, Map<NextHopFault.Kind, Long> faults) {
        /// For a next hop that is not a server.
        static final Use NONE = new Use(0, 0, 0, Map.of());

        public Use {
            faults = Map.copyOf(faults);
        }

        public long faults(NextHopFault.Kind kind) {
            return faults.getOrDefault(kind, 0L);
        }
    }
}
