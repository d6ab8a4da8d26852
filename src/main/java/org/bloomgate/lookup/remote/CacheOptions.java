package org.bloomgate.lookup.remote;

import java.time.Duration;

/// How answers of a remote exact tier are cached. Each snapshot has its own cache.
///
/// @param entries the most keys of one snapshot; 0 keeps none
/// @param positive how long "listed" is kept
/// @param negative how long "not listed" is kept
public record CacheOptions(int entries, Duration positive, Duration negative) {
    public static CacheOptions defaults() {
        return new CacheOptions(100_000, Duration.ofMinutes(5), Duration.ofMinutes(5));
    }
}
