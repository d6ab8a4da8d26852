package org.bloomgate.lists.snapshot;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.core.bloom.BloomFilter;
import org.bloomgate.core.cidr.AddressRanges;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.PublicSuffixes;

/// An opened snapshot. Any thread may use its filters until it is closed.
public final class Snapshot implements AutoCloseable {
    private final Path directory;
    private final SnapshotReader.SignedManifest signed;
    private final Map<KeyKind, BloomFilter> filters;
    private final Optional<AddressRanges> networks;
    private final PublicSuffixes suffixes;
    private final FileCheck files;
    private final Arena arena;

    Snapshot(
            Path directory,
            SnapshotReader.SignedManifest signed,
            Map<KeyKind, BloomFilter> filters,
            Optional<AddressRanges> networks,
            PublicSuffixes suffixes,
            FileCheck files,
            Arena arena) {
        this.directory = directory;
        this.signed = signed;
        this.filters = Map.copyOf(filters);
        this.networks = networks;
        this.suffixes = suffixes;
        this.files = files;
        this.arena = arena;
    }

    public Path directory() {
        return directory;
    }

    public SnapshotManifest manifest() {
        return signed.manifest();
    }

    public SignatureState signature() {
        return signed.signature();
    }

    /// Filters by kind; an absent kind lists nothing.
    public Map<KeyKind, BloomFilter> filters() {
        return filters;
    }

    /// The ranges of all listed networks; empty if there are none.
    public Optional<AddressRanges> networks() {
        return networks;
    }

    /// Keys in all filters, and networks.
    public long countEntries() {
        return signed.manifest().countEntries()
                + networks.map(AddressRanges::blocks).orElse(0L);
    }

    /// The exact store that belongs to the filters.
    public Path exactDirectory() {
        return directory.resolve(SnapshotWriter.EXACT);
    }

    /// The public suffix list that the keys were made with.
    public PublicSuffixes suffixes() {
        return suffixes;
    }

    /// @throws IOException when a file is not the one that was verified
    void requireUnchanged() throws IOException {
        files.requireUnchanged();
    }

    /// Unmaps filters and ranges: using one afterwards throws an `IllegalStateException`.
    @Override
    public void close() {
        arena.close();
    }
}
