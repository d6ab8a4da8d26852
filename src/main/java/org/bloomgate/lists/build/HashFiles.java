package org.bloomgate.lists.build;

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

/// Writes beside each filter the hashes of its keys, and what changed in them since each of the last generations:
/// mirrors build the filter from that. The hashes outlive their generation, see [PastHashes], so that a mirror may be
/// away for a while.
///
/// A delta holds for generations with the same seed, so every week everything is fetched once.
/// Without hashes a mirror fetches the filter itself.
public final class HashFiles {
    /// Bytes of heap a hash takes while the lists of two generations are compared, changes included.
    private static final int HEAP_BYTES = 32;

    private final PastHashes past;

    /// The number of keys up to which hashes and their changes are written.
    private final int maxHashes;

    /// @param past of the generations that mirrors may have
    public HashFiles(PastHashes past, RebuildOptions options) {
        this.past = past;
        this.maxHashes =
                options.deltas() ? (int) Math.min(HashList.MAX_HASHES, options.sortMemoryBytes() / HEAP_BYTES) : 0;
    }

    /// The hashes of one filter on their way.
    final class OfFilter {
        private final KeyKind kind;
        private final long seed;
        private final long[] hashes;
        private int count;

        private OfFilter(KeyKind kind, long seed, long keys) {
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
            Files.write(directory.resolve(SnapshotFiles.hashes(kind)), list.whole());
            List<Path> generations = past.generations();
            if (!generations.isEmpty()) {
                writeChanges(directory, list, generations);
            }
        }

        /// Writes the changes since the last generation and, combined with the changes that it has, since
        /// earlier ones.
        private void writeChanges(Path directory, HashList list, List<Path> generations) throws IOException {
            Path last = generations.getLast();
            Optional<HashList> ofLast = before(last);
            Optional<HashChange> sinceLast = ofLast.map(before -> HashChange.between(before, list));
            for (Path generation : generations.subList(0, generations.size() - 1)) {
                Optional<HashChange> known =
                        ofLast.isPresent() ? since(generation, last, ofLast.get(), sinceLast.get()) : Optional.empty();
                write(directory, generation, known.isPresent() ? known : compared(generation, list));
            }
            write(directory, last, sinceLast);
        }

        private void write(Path directory, Path generation, Optional<HashChange> change) throws IOException {
            if (change.isPresent()) {
                String since = generation.getFileName().toString();
                Files.write(
                        directory.resolve(SnapshotFiles.delta(kind, since)),
                        change.get().bytes());
            }
        }

        private Optional<HashChange> compared(Path generation, HashList list) throws IOException {
            return before(generation).map(before -> HashChange.between(before, list));
        }

        /// The change from an earlier generation as the last generation has it, so that the list of the earlier
        /// one need not be read. It has the same seed, otherwise there would be no such change.
        private Optional<HashChange> since(Path generation, Path last, HashList ofLast, HashChange sinceLast)
                throws IOException {
            String earlier = generation.getFileName().toString();
            try {
                byte[] bytes = StateFile.bytes(last.resolve(SnapshotFiles.delta(kind, earlier)), Integer.MAX_VALUE);
                return HashChange.read(bytes).then(sinceLast, ofLast);
            } catch (NoSuchFileException | DeltaRefusedException none) {
                return Optional.empty();
            }
        }

        /// Empty where none was kept, with another seed, and of a generation that is damaged.
        private Optional<HashList> before(Path directory) throws IOException {
            try {
                SnapshotManifest manifest = new SnapshotReader().readManifest(directory);
                List<ManifestFilter> same = manifest.filters().stream()
                        .filter(filter -> filter.kind() == kind && Long.parseUnsignedLong(filter.seed(), 16) == seed)
                        .toList();
                return same.isEmpty()
                        ? Optional.empty()
                        : Optional.of(HashList.read(
                                StateFile.bytes(directory.resolve(SnapshotFiles.hashes(kind)), Integer.MAX_VALUE)));
            } catch (NoSuchFileException | SnapshotRefusedException | DeltaRefusedException none) {
                return Optional.empty();
            }
        }
    }

    OfFilter of(KeyKind kind, long seed, long keys) {
        return new OfFilter(kind, seed, keys);
    }
}
