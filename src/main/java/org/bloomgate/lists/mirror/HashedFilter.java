package org.bloomgate.lists.mirror;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.base.io.StateFile;
import org.bloomgate.core.bloom.BloomFilterBuilder;
import org.bloomgate.core.bloom.FilterFullException;
import org.bloomgate.core.bloom.FilterParameters;
import org.bloomgate.core.bloom.Workers;
import org.bloomgate.core.delta.DeltaRefusedException;
import org.bloomgate.core.delta.HashList;
import org.bloomgate.lists.snapshot.ManifestFile;
import org.bloomgate.lists.snapshot.ManifestFilter;
import org.bloomgate.lists.snapshot.SnapshotFiles;
import org.bloomgate.lists.snapshot.SnapshotManifest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Builds the filter of a snapshot from the hashes of its keys, and these from the hashes of the current
/// snapshot and the publisher's delta. If the result has another digest than in the manifest, or the publisher
/// has no hashes, the filter itself is fetched.
final class HashedFilter {
    private static final Logger LOG = LoggerFactory.getLogger(HashedFilter.class);

    /// Bytes of heap per key: they hold the filter, the lists of two generations and the memory for building a
    /// filter at once.
    private static final int HEAP_BYTES_PER_KEY = 128;

    /// Heap for a million keys that are inserted together, which takes a third of the time.
    private static final long BULK_BYTES = 24L << 20;

    private final Publisher publisher;
    private final SnapshotManifest manifest;
    private final Path directory;
    private final Optional<CurrentSnapshot> current;
    private final Set<ManifestFile> completeFiles;

    /// @param directory where the files of this snapshot are written
    /// @param current snapshot on this machine
    /// @param completeFiles gets the files that are written and have the right digest
    HashedFilter(
            Publisher publisher,
            SnapshotManifest manifest,
            Path directory,
            Optional<CurrentSnapshot> current,
            Set<ManifestFile> completeFiles) {
        this.publisher = publisher;
        this.manifest = manifest;
        this.directory = directory;
        this.current = current;
        this.completeFiles = completeFiles;
    }

    /// The current snapshot on this machine.
    record CurrentSnapshot(SnapshotManifest manifest, Path directory) {
        Optional<ManifestFile> findFile(String path) {
            return manifest.findFile(path);
        }
    }

    /// Writes hashes and filter, unless they exist, or the publisher has no hashes, or the heap is too
    /// small.
    ///
    /// @throws IOException if the connection or the disk fails
    void build(ManifestFilter filter) throws IOException, InterruptedException {
        Optional<ManifestFile> hashes = manifest.findFile(SnapshotFiles.nameHashesFile(filter.kind()));
        Optional<ManifestFile> bits = manifest.findFile(filter.file());
        if (hashes.isEmpty() || bits.isEmpty() || !fits(filter, hashes.get(), bits.get())) {
            return;
        }
        if (isHere(hashes.get()) && isHere(bits.get())) {
            return;
        }
        try {
            HashList list = loadList(filter, hashes.get());
            write(bits.get(), buildFile(filter, list, bits.get()));
        } catch (DeltaRefusedException refused) {
            LOG.warn(
                    "mirror: {}/{}: {}: {} (fetched whole)",
                    manifest.layer(),
                    manifest.generation(),
                    filter.file(),
                    refused.getMessage());
        }
    }

    private boolean isHere(ManifestFile file) throws IOException {
        Path path = directory.resolve(file.path());
        return Files.exists(path) && Files.size(path) == file.sizeBytes();
    }

    private static boolean fits(ManifestFilter filter, ManifestFile hashes, ManifestFile bits) {
        long maxKeys = Math.min(HashList.MAX_HASHES, Runtime.getRuntime().maxMemory() / HEAP_BYTES_PER_KEY);
        return Math.max(filter.inserted(), filter.capacity()) <= maxKeys
                && hashes.sizeBytes() <= maxKeys * Long.BYTES
                && bits.sizeBytes() <= maxKeys * Long.BYTES;
    }

    private HashList loadList(ManifestFilter filter, ManifestFile hashes) throws IOException, InterruptedException {
        Path target = directory.resolve(hashes.path());
        if (!isHere(hashes)) {
            Optional<HashList> changedList = applyDelta(filter);
            if (changedList.isPresent()) {
                byte[] bytes = changedList.get().whole();
                if (write(hashes, bytes)) {
                    return changedList.get();
                }
            }
        }
        FileDownload.fetch(publisher, manifest.generation(), hashes, target);
        completeFiles.add(hashes);
        return HashList.read(StateFile.bytes(target, Integer.MAX_VALUE));
    }

    /// The current hashes with the delta applied; empty if the current filter has another seed, or the
    /// publisher has no delta since its generation.
    private Optional<HashList> applyDelta(ManifestFilter filter) throws IOException, InterruptedException {
        if (current.isEmpty() || !hasSameSeed(filter)) {
            return Optional.empty();
        }
        CurrentSnapshot currentSnapshot = current.get();
        Optional<ManifestFile> delta = manifest.findFile(SnapshotFiles.nameDeltaFile(
                filter.kind(), currentSnapshot.manifest().generation()));
        Optional<ManifestFile> currentHashes = currentSnapshot.findFile(SnapshotFiles.nameHashesFile(filter.kind()));
        if (delta.isEmpty()
                || currentHashes.isEmpty()
                || delta.get().sizeBytes() > currentHashes.get().sizeBytes()) {
            return Optional.empty();
        }
        Path deltaFile = directory.resolve(delta.get().path());
        FileDownload.fetch(publisher, manifest.generation(), delta.get(), deltaFile);
        byte[] bytes = StateFile.bytes(deltaFile, Integer.MAX_VALUE);
        Files.delete(deltaFile);
        HashList list = HashList.read(StateFile.bytes(
                currentSnapshot.directory().resolve(currentHashes.get().path()), Integer.MAX_VALUE));
        return Optional.of(list.with(bytes));
    }

    private boolean hasSameSeed(ManifestFilter filter) {
        return current.stream()
                .flatMap(snapshot -> snapshot.manifest().filters().stream())
                .anyMatch(currentFilter -> currentFilter.kind() == filter.kind()
                        && currentFilter.seed().equals(filter.seed()));
    }

    private byte[] buildFile(ManifestFilter filter, HashList list, ManifestFile bits) {
        FilterParameters parameters = new FilterParameters(
                filter.kind().wireCode(),
                manifest.canonicalFormVersion(),
                Long.parseUnsignedLong(filter.seed(), 16),
                filter.toSizing(),
                manifest.createdAt());
        return parameters.fileBytes() == bits.sizeBytes() ? build(parameters, list) : new byte[0];
    }

    /// The file of a filter; empty if the hashes do not fit it.
    static byte[] build(FilterParameters parameters, HashList list) {
        byte[] file = new byte[Math.toIntExact(parameters.fileBytes())];
        try (BloomFilterBuilder builder = new BloomFilterBuilder(MemorySegment.ofArray(file), parameters)) {
            builder.inBulk(BULK_BYTES, Workers.CALLER);
            list.canaries().forEach(builder::canary);
            for (long hash : list.hashes()) {
                builder.add(hash);
            }
            builder.finish();
            return file;
        } catch (FilterFullException _) {
            return new byte[0];
        }
    }

    /// Writes the file if the bytes have the digest of the manifest.
    ///
    /// @return whether the digest is the same
    private boolean write(ManifestFile file, byte[] bytes) throws IOException {
        boolean hasDigest = Sha256.hex(bytes).equals(file.sha256());
        if (hasDigest) {
            Files.write(directory.resolve(file.path()), bytes);
            completeFiles.add(file);
        }
        return hasDigest;
    }
}
