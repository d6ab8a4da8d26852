package org.bloomgate.lists.layer;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.bloomgate.base.io.MappedFiles;
import org.bloomgate.core.bloom.FilterFullException;
import org.bloomgate.core.bloom.HashPartitions;
import org.bloomgate.core.delta.DeltaRefusedException;
import org.bloomgate.core.delta.HashChange;
import org.bloomgate.core.delta.HashList;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.snapshot.SnapshotFiles;
import org.bloomgate.lists.snapshot.SnapshotManifest;
import org.bloomgate.lists.snapshot.SnapshotReader;
import org.bloomgate.lists.snapshot.SnapshotRefusedException;
import org.bloomgate.lists.snapshot.SnapshotWriter;

/// Writes, next to each filter, the hashes of its keys and their deltas since each of the last generations,
/// from which mirrors build the filter. The hashes outlive their generation, see [PastHashes], so that a mirror
/// may be offline for a while.
///
/// A delta is valid for generations with the same seed, so a mirror fetches all hashes when the seed has expired,
/// see [FilterSeeds]. So it does if the delta would be larger than the filter; then none is written.
///
/// Hashes and deltas are in mapped files, one after the other, so that the heap holds 16 MB at any number of keys.
public final class HashFiles {
    /// Hashes of the keys of a filter that are not yet sorted.
    private static final String UNSORTED = ".unsorted";

    private final PastHashes pastHashes;
    private final RebuildOptions options;

    /// @param pastHashes hashes of the generations that mirrors may have
    public HashFiles(PastHashes pastHashes, RebuildOptions options) {
        this.pastHashes = pastHashes;
        this.options = options;
    }

    /// The hashes of one filter, collected while it is built.
    final class FilterHashes {
        private final KeyKind kind;
        private final long seed;
        private final long filterBytes;
        private final Arena arena;
        private Optional<HashPartitions> partitions;

        private FilterHashes(
                KeyKind kind, long seed, long filterBytes, Arena arena, Optional<HashPartitions> partitions) {
            this.kind = kind;
            this.seed = seed;
            this.filterBytes = filterBytes;
            this.arena = arena;
            this.partitions = partitions;
        }

        /// If a list was made so that its hashes are close together, none are written.
        void add(long hash) {
            if (partitions.isPresent()) {
                try {
                    partitions.get().add(hash);
                } catch (FilterFullException _) {
                    partitions = Optional.empty();
                }
            }
        }

        /// @param directory of the snapshot that is built
        /// @param canaries of the filter
        void write(Path directory, List<byte[]> canaries) throws IOException {
            Path file = directory.resolve(SnapshotFiles.nameHashesFile(kind));
            try (arena) {
                if (partitions.isEmpty() || !isComplete(partitions.get())) {
                    return;
                }
                HashChange.Difference whole =
                        HashList.sort(partitions.get(), canaries).whole();
                MappedFiles.write(file, whole.maxBytes(), whole::write);
            }
            try (Arena lists = Arena.ofConfined()) {
                HashList list = HashList.read(MappedFiles.read(file, lists));
                for (Path generation : pastHashes.listGenerations()) {
                    writeDelta(directory, generation, list);
                }
            }
        }

        private static boolean isComplete(HashPartitions partitions) {
            try {
                partitions.flush();
                return true;
            } catch (FilterFullException _) {
                return false;
            }
        }

        /// A generation without hashes, with another seed, or damaged gets no delta.
        private void writeDelta(Path directory, Path generation, HashList list) throws IOException {
            try (Arena lists = Arena.ofConfined()) {
                if (hasSeed(generation)) {
                    Path hashes = generation.resolve(SnapshotFiles.nameHashesFile(kind));
                    HashChange.Difference delta =
                            HashChange.between(HashList.read(MappedFiles.read(hashes, lists)), list);
                    if (delta.maxBytes() <= filterBytes) {
                        String since = generation.getFileName().toString();
                        MappedFiles.write(
                                directory.resolve(SnapshotFiles.nameDeltaFile(kind, since)),
                                delta.maxBytes(),
                                delta::write);
                    }
                }
            } catch (NoSuchFileException | SnapshotRefusedException | DeltaRefusedException _) {
                // a mirror that has it fetches all hashes
            }
        }

        private boolean hasSeed(Path generation) throws IOException {
            SnapshotManifest manifest = new SnapshotReader().readManifest(generation);
            return manifest.filters().stream()
                    .anyMatch(filter -> filter.kind() == kind && Long.parseUnsignedLong(filter.seed(), 16) == seed);
        }
    }

    /// @param keys number of hashes that will be added
    /// @param filterBytes size of the filter
    FilterHashes beginFilter(SnapshotWriter snapshot, KeyKind kind, long seed, long keys, long filterBytes)
            throws IOException {
        Arena arena = snapshot.openArena();
        Optional<HashPartitions> partitions = options.deltas()
                ? Optional.of(new HashPartitions(
                        snapshot.mapTemporary(kind.label() + UNSORTED, HashPartitions.bytes(keys), arena), keys))
                : Optional.empty();
        return new FilterHashes(kind, seed, filterBytes, arena, partitions);
    }
}
