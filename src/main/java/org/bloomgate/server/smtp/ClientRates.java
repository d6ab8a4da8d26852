package org.bloomgate.server.smtp;

import java.net.InetAddress;
import java.util.Optional;
import org.bloomgate.base.net.RateLimiter;

/// Bounds on connections and messages of one client network, over all listeners. Costs nothing without a bound.
/// Thread-safe.
final class ClientRates {
    private volatile State state = new State(RelayOptions.Rates.defaults(), Optional.empty(), Optional.empty());

    private record State(
            RelayOptions.Rates options, Optional<RateLimiter> connections, Optional<RateLimiter> messages) {}

    ClientRates(RelayOptions.Rates options) {
        setBounds(options);
    }

    /// Sets the bounds; the counts start at zero if the bounds differ.
    void setBounds(RelayOptions.Rates options) {
        if (!options.equals(state.options())) {
            state = new State(options, table(options.connectionsPerMinute()), table(options.messagesPerMinute()));
        }
    }

    private static Optional<RateLimiter> table(int perMinute) {
        return perMinute == 0 ? Optional.empty() : Optional.of(RateLimiter.perMinute(perMinute, System::nanoTime));
    }

    boolean allowsConnection(InetAddress client) {
        Optional<RateLimiter> table = state.connections();
        return table.isEmpty() || table.get().tryAcquire(client);
    }

    /// @param client empty if unknown, which has no network
    boolean allowsMessage(Optional<InetAddress> client) {
        Optional<RateLimiter> table = state.messages();
        return table.isEmpty() || client.isEmpty() || table.get().tryAcquire(client.get());
    }
}
