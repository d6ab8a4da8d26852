package org.bloomgate.lists.export;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.bloomgate.core.key.AddressBlock;

/// Converts policies of networks, a wider one before those within it, to the networks that have to be written.
/// For an address the longest network decides, so a network with the action of the one around it is not
/// written.
final class NetworkRecords {
    private final Deque<Frame> around = new ArrayDeque<>();
    private final Output output;

    private record Frame(AddressBlock block, RpzAction action) {}

    /// Receives the networks in order.
    interface Output {
        void network(AddressBlock block, RpzAction action) throws IOException;
    }

    NetworkRecords(Output output) {
        this.output = output;
    }

    void add(AddressBlock block, List<ZonePolicy> policies) throws IOException {
        while (!around.isEmpty() && !around.peek().block.contains(block)) {
            around.pop();
        }
        RpzAction above = around.isEmpty() ? RpzAction.NONE : around.peek().action;
        RpzAction action = ZonePolicy.resolve(policies, false, above);
        around.push(new Frame(block, action));
        if (!action.equals(above)) {
            output.network(block, action);
        }
    }
}
