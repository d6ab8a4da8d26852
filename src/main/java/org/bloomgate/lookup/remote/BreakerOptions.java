package org.bloomgate.lookup.remote;

import java.time.Duration;

/// When a remote exact tier that fails is not queried for a while.
///
/// @param failureRate share of the last calls that must have failed, above 0 and at most 1
/// @param calls the number of last calls that count; fewer calls never open the breaker
/// @param openFor how long no calls are made, until trial calls
public record BreakerOptions(double failureRate, int calls, Duration openFor) {
    public static BreakerOptions defaults() {
        return new BreakerOptions(0.5, 20, Duration.ofSeconds(2));
    }
}
