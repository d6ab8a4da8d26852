package org.bloomgate.layer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.bloomgate.account.RebuildOptions;
import org.bloomgate.delta.DeltaRefusedException;
import org.bloomgate.delta.HashList;
import org.bloomgate.filter.BloomFilter;
import org.bloomgate.key.KeyKind;
import org.bloomgate.snapshot.ManifestFilter;
import org.bloomgate.snapshot.SnapshotFiles;
import org.bloomgate.snapshot.SnapshotManifest;
import org.bloomgate.snapshot.SnapshotReader;
import org.bloomgate.snapshot.SnapshotRefusedException;

/// Writes beside each filter the hashes of its keys, and what changed in them since each of the last generations:
/// mirrors build the filter from that. The hashes outlive their generation, see [PastHashes], so that a mirror may be
/// away for a while.
///
/// A delta holds for generations with the same seed, so each `rebuild.seedLifetime` everything is fetched once.
/// Without hashes a mirror fetches the filter itself.
public final class HashFiles {
    /// Octets of heap a hash takes while the lists of two generations are compared, changes included.
    private static final int HEAP_BYTES = 32;

    private final PastHashes past;
    private final int maxHashes;

    /// @param past of the generations that mirrors may have
    public HashFiles(PastHashes past, RebuildOptions options) {
        this.past = past;
        this.maxHashes = most(options);
    }

    /// Keys of which changes are written.
    public static int most(RebuildOptions options) {
        return (int) Math.min(HashList.MAX_HASHES, options.sortMemoryBytes() / HEAP_BYTES);
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
        void write(Path directory, BloomFilter filter) throws IOException {
            if (count != hashes.length || count == 0) {
                return;
            }
            HashList list = HashList.of(hashes, count, filter.header().canaries());
            Files.write(directory.resolve(SnapshotFiles.hashes(kind)), list.whole());
            for (Path generation : past.generations()) {
                Optional<HashList> before = before(generation);
                if (before.isPresent()) {
                    String since = generation.getFileName().toString();
                    Files.write(directory.resolve(SnapshotFiles.delta(kind, since)), list.since(before.get()));
                }
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
                        : Optional.of(HashList.read(Files.readAllBytes(directory.resolve(SnapshotFiles.hashes(kind)))));
            } catch (NoSuchFileException | SnapshotRefusedException | DeltaRefusedException none) {
                return Optional.empty();
            }
        }
    }

    OfFilter of(KeyKind kind, long seed, long keys) {
        return new OfFilter(kind, seed, keys);
    }
}
