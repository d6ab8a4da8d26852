package org.bloomgate.lists.layer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.bloomgate.base.io.StateFile;
import org.bloomgate.core.delta.DeltaRefusedException;
import org.bloomgate.core.delta.HashChange;
import org.bloomgate.core.delta.HashList;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.snapshot.ManifestFilter;
import org.bloomgate.lists.snapshot.SnapshotFiles;
import org.bloomgate.lists.snapshot.SnapshotManifest;
import org.bloomgate.lists.snapshot.SnapshotReader;
import org.bloomgate.lists.snapshot.SnapshotRefusedException;

/// Writes, next to each filter, the hashes of its keys and their deltas since each of the last generations,
/// from which mirrors build the filter. The hashes outlive their generation, see [PastHashes], so that a mirror
/// may be offline for a while.
///
/// A delta is valid for generations with the same seed, so a mirror fetches all hashes once a week. Without
/// hashes it fetches the filter itself.
public final class HashFiles {
    /// Bytes of heap per hash while the lists of two generations are compared.
    private static final int HEAP_BYTES = 32;

    private final PastHashes pastHashes;

    /// The number of keys up to which hashes and their changes are written.
    private final int maxHashes;

    /// @param pastHashes hashes of the generations that mirrors may have
    public HashFiles(PastHashes pastHashes, RebuildOptions options) {
        this.pastHashes = pastHashes;
        this.maxHashes =
                options.deltas() ? (int) Math.min(HashList.MAX_HASHES, options.sortMemoryBytes() / HEAP_BYTES) : 0;
    }

    /// The hashes of one filter, collected while it is built.
    final class FilterHashes {
        private final KeyKind kind;
        private final long seed;
        private final long[] hashes;
        private int count;

        private FilterHashes(KeyKind kind, long seed, long keys) {
            this.kind = kind;
            this.seed = seed;
            this.hashes = new long[keys <= maxHashes ? (int) keys : 0];
        }

        void add(long hash) {
            if (count < hashes.length) {
                hashes[count] = hash;
            }
            count++;
        }

        /// @param directory of the snapshot that is built
        /// @param canaries of the filter
        void write(Path directory, List<byte[]> canaries) throws IOException {
            if (count != hashes.length || count == 0) {
                return;
            }
            HashList list = HashList.of(hashes, count, canaries);
            Files.write(directory.resolve(SnapshotFiles.nameHashesFile(kind)), list.whole());
            List<Path> generations = pastHashes.listGenerations();
            if (!generations.isEmpty()) {
                writeChanges(directory, list, generations);
            }
        }

        /// Writes the delta since the last generation and, combined with the deltas of that one, since earlier
        /// ones.
        private void writeChanges(Path directory, HashList list, List<Path> generations) throws IOException {
            Path last = generations.getLast();
            Optional<HashList> lastHashes = readHashes(last);
            Optional<HashChange> sinceLast = lastHashes.map(before -> HashChange.between(before, list));
            for (Path generation : generations.subList(0, generations.size() - 1)) {
                Optional<HashChange> combinedDelta = lastHashes.isPresent()
                        ? combineDelta(generation, last, lastHashes.get(), sinceLast.get())
                        : Optional.empty();
                write(directory, generation, combinedDelta.isPresent() ? combinedDelta : compare(generation, list));
            }
            write(directory, last, sinceLast);
        }

        private void write(Path directory, Path generation, Optional<HashChange> change) throws IOException {
            if (change.isPresent()) {
                String since = generation.getFileName().toString();
                Files.write(
                        directory.resolve(SnapshotFiles.nameDeltaFile(kind, since)),
                        change.get().encode());
            }
        }

        private Optional<HashChange> compare(Path generation, HashList list) throws IOException {
            return readHashes(generation).map(before -> HashChange.between(before, list));
        }

        /// The delta since an earlier generation, combined from the last generation's delta since it, so that
        /// the list of the earlier one need not be read. Both have the same seed, otherwise there would be no
        /// such delta.
        private Optional<HashChange> combineDelta(Path generation, Path last, HashList lastHashes, HashChange sinceLast)
                throws IOException {
            String earlier = generation.getFileName().toString();
            try {
                byte[] bytes =
                        StateFile.bytes(last.resolve(SnapshotFiles.nameDeltaFile(kind, earlier)), Integer.MAX_VALUE);
                return HashChange.decode(bytes).compose(sinceLast, lastHashes);
            } catch (NoSuchFileException | DeltaRefusedException e) {
                return Optional.empty();
            }
        }

        /// The hashes of a generation; empty if there are none, they have another seed, or the generation is
        /// damaged.
        private Optional<HashList> readHashes(Path directory) throws IOException {
            try {
                SnapshotManifest manifest = new SnapshotReader().readManifest(directory);
                List<ManifestFilter> matchingFilters = manifest.filters().stream()
                        .filter(filter -> filter.kind() == kind && Long.parseUnsignedLong(filter.seed(), 16) == seed)
                        .toList();
                return matchingFilters.isEmpty()
                        ? Optional.empty()
                        : Optional.of(HashList.read(StateFile.bytes(
                                directory.resolve(SnapshotFiles.nameHashesFile(kind)), Integer.MAX_VALUE)));
            } catch (NoSuchFileException | SnapshotRefusedException | DeltaRefusedException e) {
                return Optional.empty();
            }
        }
    }

    FilterHashes beginFilter(KeyKind kind, long seed, long keys) {
        return new FilterHashes(kind, seed, keys);
    }
}
