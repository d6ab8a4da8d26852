package org.bloomgate.server.api;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.bloomgate.lookup.lookup.Layer;
import org.bloomgate.lookup.lookup.LayerLease;
import org.bloomgate.lookup.lookup.LocalRules;
import org.bloomgate.lookup.password.DigestMode;
import org.bloomgate.lookup.password.DigestPrefix;
import org.bloomgate.lookup.password.RangeReader;
import org.bloomgate.server.http.RequestBody;

/// Recently requested ranges, ready to be sent, for the snapshots and local entries of one moment: a change of
/// either drops all of them. Thread-safe.
final class RangeCache {
    private final long maxBytes;
    private volatile InForce inForce;

    /// @param maxBytes of all texts together, 0 to keep none
    RangeCache(long maxBytes) {
        this.maxBytes = maxBytes;
        this.inForce = new InForce(List.of(), LocalRules.NONE, cache());
    }

    /// Answers by prefix and mode.
    private record InForce(List<Layer> layers, LocalRules local, Cache<Integer, CachedRange> ranges) {
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
    /// @return empty when no layer holds such digests
    /// @throws IOException when it could not be read whole
    Optional<CachedRange> get(DigestMode mode, DigestPrefix prefix, LayerLease lease, RequestBody time)
            throws IOException {
        InForce of = inForce(lease);
        Integer key = prefix.value() << 1
                | switch (mode) {
                    case SHA1 -> 0;
                    case NTLM -> 1;
                };
        CachedRange kept = of.ranges.getIfPresent(key);
        if (kept != null) {
            return Optional.of(kept);
        }
        Optional<CachedRange> read =
                new RangeReader(mode, prefix, time::inTime).read(lease).map(CachedRange::of);
        read.ifPresent(range -> of.ranges.put(key, range));
        return read;
    }

    private InForce inForce(LayerLease lease) {
        InForce now = inForce;
        if (!now.isOf(lease)) {
            now = new InForce(lease.layers(), lease.local(), cache());
            inForce = now;
        }
        return now;
    }
}
