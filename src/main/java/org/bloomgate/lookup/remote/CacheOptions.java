package org.bloomgate.lookup.remote;

import java.time.Duration;

/// How answers of a remote exact tier are cached. What is kept of a
/// snapshot goes with it.
///
/// @param entries the most keys of one snapshot; 0 keeps none
/// @param positive how long "listed" is kept
/// @param negative how long "not listed" is kept
public record CacheOptions(int entries, Duration positive, Duration negative) {

    public CacheOptions {
        if (entries < 0) {
            throw new IllegalArgumentException("entries must not be below 0");
        }
        positive("positive", positive);
        positive("negative", negative);
    }

    public static CacheOptions defaults() {
        return new CacheOptions(100_000, Duration.ofMinutes(5), Duration.ofMinutes(5));
    }

    private static void positive(String key, Duration value) {
        if (!value.isPositive() || value.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException(key + ": " + value + " is not above 0 and at most a day");
        }
    }
}
