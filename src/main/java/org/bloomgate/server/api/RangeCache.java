package org.bloomgate.server.api;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.bloomgate.lookup.password.DigestMode;
import org.bloomgate.lookup.password.DigestPrefix;
import org.bloomgate.lookup.password.RangeReader;
import org.bloomgate.lookup.tier.Layer;
import org.bloomgate.lookup.tier.LayerLease;
import org.bloomgate.lookup.tier.LocalRules;
import org.bloomgate.server.http.RequestBody;

/// Recently requested ranges, ready to send, of the current snapshots and local entries: a change of either
/// drops all of them. Thread-safe.
final class RangeCache {
    private final long maxBytes;
    private volatile CurrentRanges current;

    /// @param maxBytes of all texts together, 0 to keep none
    RangeCache(long maxBytes) {
        this.maxBytes = maxBytes;
        this.current = new CurrentRanges(List.of(), LocalRules.NONE, cache());
    }

    /// Answers by prefix and mode.
    private record CurrentRanges(List<Layer> layers, LocalRules local, Cache<Integer, CachedRange> ranges) {
        /// Compared by identity: each set of layers and each state of the local entries is a new object.
        @SuppressWarnings("ReferenceEquality")
        boolean isOf(LayerLease lease) {
            return layers == lease.layers() && local == lease.local();
        }
    }

    private Cache<Integer, CachedRange> cache() {
        return Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .weigher((Integer prefix, CachedRange range) -> range.weight())
                .build();
    }

    /// The range, read from the stores if it is not cached. Two concurrent callers both read.
    ///
    /// @return empty if no layer has such digests
    /// @throws IOException if it could not be read completely
    Optional<CachedRange> get(DigestMode mode, DigestPrefix prefix, LayerLease lease, RequestBody time)
            throws IOException {
        CurrentRanges of = current(lease);
        Integer key = prefix.value() << 1
                | switch (mode) {
                    case SHA1 -> 0;
                    case NTLM -> 1;
                };
        CachedRange cached = of.ranges.getIfPresent(key);
        if (cached != null) {
            return Optional.of(cached);
        }
        Optional<CachedRange> read =
                new RangeReader(mode, prefix, time::inTime).read(lease).map(CachedRange::of);
        read.ifPresent(range -> of.ranges.put(key, range));
        return read;
    }

    private CurrentRanges current(LayerLease lease) {
        CurrentRanges now = current;
        if (!now.isOf(lease)) {
            now = new CurrentRanges(lease.layers(), lease.local(), cache());
            current = now;
        }
        return now;
    }
}
