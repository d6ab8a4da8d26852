package org.bloomgate.lookup.remote;

import java.time.Duration;

/// How answers of a remote exact tier are cached. Each snapshot has its own cache.
///
/// @param entries the most cached keys of one snapshot; 0 disables the cache
/// @param positive how long "listed" is cached
/// @param negative how long "not listed" is cached
public record CacheOptions(int entries, Duration positive, Duration negative) {
    public static CacheOptions defaults() {
        return new CacheOptions(100_000, Duration.ofMinutes(5), Duration.ofMinutes(5));
    }
}
