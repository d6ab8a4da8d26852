package org.bloomgate.lists.layer;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.bloomgate.base.config.Inline;
import org.bloomgate.base.config.NotASetting;
import org.bloomgate.lists.format.SharedHosts;

/// The `rebuild` section of the configuration.
///
/// @param sortMemoryBytes heap the sort may fill before it writes to disk; 16 MiB to 1 GiB
/// @param keepGenerations snapshots of a layer that stay for rollback, the newest included
/// @param bounds above which a feed, or a snapshot, is rejected
/// @param examples rejects, and held entries, that the report shows of each feed
/// @param signingKey PEM file of the Ed25519 key that snapshots are signed with; unsigned when absent
/// @param retro whether to search delivered messages for newly listed keys after publication
/// @param deltas whether the hashes of the filters and their changes are written, which only mirrors need
public record RebuildOptions(
        long sortMemoryBytes,
        int keepGenerations,
        @Inline Bounds bounds,
        int examples,
        Optional<Path> signingKey,
        boolean retro,
        @NotASetting boolean deltas) {

    private static final long MIN_SORT_BYTES = 16L << 20;
    private static final long MAX_SORT_BYTES = 1L << 30;

    /// The bounds for each feed, unless it has its own, and for a snapshot.
    ///
    /// @param maxRejectShare share of rejected lines, comments not counted, above which a feed is rejected
    /// @param maxHoldShare the same for entries held back, when they are [FeedGates#FEW] or more
    /// @param maxShrinkShare the same for entries lost since the previous snapshot, when they are
    ///     [FeedGates#FEW] or more
    /// @param maxGrowthShare entries added since the previous snapshot, as a share of the previous ones, above
    ///     which a feed is rejected, if they are [FeedGates#FEW_NEW] or more
    /// @param maxChangeShare added, or removed, listings as a share of the previous ones, of feeds in the
    ///     previous snapshot, if they are [SnapshotGates#FEW] or more: a single feed above it is rejected; if
    ///     only all together are above it, nothing is published
    /// @param maxBlastShare share of the messages of the last day with a key that one feed newly lists and that
    ///     earlier messages contained, above which the entries that cause it are held back, or the feed is
    ///     rejected; if these are [FeedFaults#FEW_MAILS] or more
    /// @param maxTotalBlastShare the same for all feeds together, above which nothing is published, when these
    ///     are [SnapshotGates#FEW_MAILS] or more
    /// @param canaries domains, mail addresses and URLs that no snapshot may list, in addition to those that
    ///     ship with the product
    /// @param sharedHosts hosts that no feed may list as a whole, in addition to those that ship with the
    ///     product
    public record Bounds(
            @NotASetting double maxRejectShare,
            @NotASetting double maxHoldShare,
            @NotASetting double maxShrinkShare,
            @NotASetting double maxGrowthShare,
            @NotASetting double maxChangeShare,
            @NotASetting double maxBlastShare,
            @NotASetting double maxTotalBlastShare,
            List<String> canaries,
            SharedHosts.Own sharedHosts) {
        public Bounds {
            canaries = List.copyOf(canaries);
            requireShare(maxRejectShare, "maxRejectShare");
            requireShare(maxHoldShare, "maxHoldShare");
            requireShare(maxShrinkShare, "maxShrinkShare");
            require(maxGrowthShare >= 0, "maxGrowthShare must not be negative");
            require(maxChangeShare >= 0, "maxChangeShare must not be negative");
            requireShare(maxBlastShare, "maxBlastShare");
            requireShare(maxTotalBlastShare, "maxTotalBlastShare");
            canaries.forEach(canary -> require(
                    Canary.parse(canary).isPresent(), "canaries: '" + canary + "' is not a domain, address or URL"));
        }

        static Bounds defaults() {
            return new Bounds(0.2, 0.2, 0.5, 1.0, 1.0, 0.005, 0.05, List.of(), SharedHosts.Own.defaults());
        }
    }

    public RebuildOptions {
        require(
                sortMemoryBytes >= MIN_SORT_BYTES && sortMemoryBytes <= MAX_SORT_BYTES,
                "sortMemoryBytes must be 16M to 1G");
        require(keepGenerations >= 1, "keepGenerations must be at least 1");
        require(examples >= 0 && examples <= 1000, "examples must be 0 to 1000");
    }

    public static RebuildOptions defaults() {
        return new RebuildOptions(256L << 20, 3, Bounds.defaults(), 5, Optional.empty(), false, true);
    }

    /// The same options with or without deltas.
    public RebuildOptions withDeltas(boolean withDeltas) {
        return new RebuildOptions(sortMemoryBytes, keepGenerations, bounds, examples, signingKey, retro, withDeltas);
    }

    private static void requireShare(double share, String key) {
        require(share >= 0 && share <= 1, key + " must be 0 to 1");
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
