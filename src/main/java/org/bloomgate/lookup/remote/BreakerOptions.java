package org.bloomgate.lookup.remote;

import java.time.Duration;

/// When a remote exact tier that fails is left alone for a while.
///
/// @param failureRate share of the last calls that must have failed, above 0 and at most 1
/// @param calls that are looked at; fewer never open the breaker
/// @param openFor how long no calls are made, until trial calls
public record BreakerOptions(double failureRate, int calls, Duration openFor) {
    private static final int MOST_CALLS = 10_000;

    public BreakerOptions {
        if (!(failureRate > 0 && failureRate <= 1)) {
            throw new IllegalArgumentException("failureRate must be above 0 and at most 1");
        }
        if (calls < 1 || calls > MOST_CALLS) {
            throw new IllegalArgumentException("calls must be between 1 and " + MOST_CALLS);
        }
        if (openFor.toMillis() < 1 || openFor.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("openFor: " + openFor + " is not at least 1ms and at most a day");
        }
    }

    public static BreakerOptions defaults() {
        return new BreakerOptions(0.5, 20, Duration.ofSeconds(2));
    }
}
