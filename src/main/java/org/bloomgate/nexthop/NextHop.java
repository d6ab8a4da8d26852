package org.bloomgate.nexthop;

import org.bloomgate.envelope.Capabilities;
import org.bloomgate.envelope.ClientIdentity;

/// Where accepted mail goes. Thread-safe.
public interface NextHop extends AutoCloseable {

    /// What the next hop announced when it was last asked; never waits for the network.
    Capabilities capabilities();

    /// A transaction for one message. The next hop is contacted at MAIL at the earliest.
    NextHopTransaction begin(ClientIdentity client);

    /// Its connections and faults; for metrics.
    default NextHopUse use() {
        return NextHopUse.NONE;
    }

    @Override
    void close();
}
