package org.bloomgate.lists.mirror;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.base.io.MappedFiles;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.core.bloom.BloomFilter;
import org.bloomgate.core.bloom.BloomFilterBuilder;
import org.bloomgate.core.bloom.FilterFullException;
import org.bloomgate.core.bloom.FilterParameters;
import org.bloomgate.core.bloom.Workers;
import org.bloomgate.core.delta.DeltaRefusedException;
import org.bloomgate.core.delta.HashChange;
import org.bloomgate.core.delta.HashList;
import org.bloomgate.core.delta.NumberCursor;
import org.bloomgate.lists.snapshot.ManifestFile;
import org.bloomgate.lists.snapshot.ManifestFilter;
import org.bloomgate.lists.snapshot.SnapshotFiles;
import org.bloomgate.lists.snapshot.SnapshotManifest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Builds the filter of a snapshot from the hashes of its keys, and these from the hashes of the current
/// snapshot and the publisher's delta. If the result has another digest than in the manifest, or the publisher
/// has no hashes, the filter itself is fetched.
///
/// Lists and filter are in mapped files, and walked; the heap holds one shard of the filter, at most 52 MB.
final class HashedFilter {
    private static final Logger LOG = LoggerFactory.getLogger(HashedFilter.class);

    /// Heap for a million keys that are inserted together, which takes a third of the time.
    private static final long BULK_BYTES = 24L << 20;

    /// The room for a list while it is written, as a multiple of its length in the manifest.
    private static final int MAX_ROOM = 2;

    /// Ends the names of files that are not complete.
    private static final String WORKING = ".working";

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

    /// Writes hashes and filter, unless they exist or the publisher has no hashes.
    ///
    /// @throws IOException if the connection or the disk fails
    void build(ManifestFilter filter) throws IOException, InterruptedException {
        Optional<ManifestFile> hashes = manifest.findFile(SnapshotFiles.nameHashesFile(filter.kind()));
        Optional<ManifestFile> bits = manifest.findFile(filter.file());
        if (hashes.isEmpty() || bits.isEmpty() || (isHere(hashes.get()) && isHere(bits.get()))) {
            return;
        }
        try {
            if (isHere(hashes.get()) || !applyDelta(filter, hashes.get())) {
                Path target = directory.resolve(hashes.get().path());
                FileDownload.fetch(publisher, manifest.generation(), hashes.get(), target);
                completeFiles.add(hashes.get());
            }
            buildFilter(filter, hashes.get(), bits.get());
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

    /// Writes the current hashes with the delta applied.
    ///
    /// @return false if the current filter has another seed or no hashes here, the publisher has no delta since its
    ///     generation, or the result has another digest
    private boolean applyDelta(ManifestFilter filter, ManifestFile hashes) throws IOException, InterruptedException {
        if (current.isEmpty() || !hasSameSeed(filter)) {
            return false;
        }
        CurrentSnapshot currentSnapshot = current.get();
        Optional<ManifestFile> delta = manifest.findFile(SnapshotFiles.nameDeltaFile(
                filter.kind(), currentSnapshot.manifest().generation()));
        Optional<ManifestFile> currentHashes = currentSnapshot.findFile(SnapshotFiles.nameHashesFile(filter.kind()));
        if (delta.isEmpty()
                || currentHashes.isEmpty()
                || delta.get().sizeBytes() > currentHashes.get().sizeBytes()) {
            return false;
        }
        Path hashesBefore =
                currentSnapshot.directory().resolve(currentHashes.get().path());
        if (Files.notExists(hashesBefore)) {
            return false;
        }
        Path deltaFile = directory.resolve(delta.get().path());
        FileDownload.fetch(publisher, manifest.generation(), delta.get(), deltaFile);
        try (Arena lists = Arena.ofConfined()) {
            HashList before = HashList.read(MappedFiles.read(hashesBefore, lists));
            HashChange.Difference whole = HashChange.read(MappedFiles.read(deltaFile, lists))
                    .applyTo(before)
                    .whole();
            return whole.maxBytes() <= MAX_ROOM * hashes.sizeBytes() && write(hashes, whole.maxBytes(), whole::write);
        } finally {
            Files.delete(deltaFile);
        }
    }

    private boolean hasSameSeed(ManifestFilter filter) {
        return current.stream()
                .flatMap(snapshot -> snapshot.manifest().filters().stream())
                .anyMatch(currentFilter -> currentFilter.kind() == filter.kind()
                        && currentFilter.seed().equals(filter.seed()));
    }

    private void buildFilter(ManifestFilter filter, ManifestFile hashes, ManifestFile bits) throws IOException {
        FilterParameters parameters = new FilterParameters(
                filter.kind().wireCode(),
                manifest.canonicalFormVersion(),
                Long.parseUnsignedLong(filter.seed(), 16),
                filter.toSizing(),
                manifest.createdAt());
        try (Arena lists = Arena.ofConfined()) {
            HashList list = HashList.read(MappedFiles.read(directory.resolve(hashes.path()), lists));
            if (parameters.fileBytes() == bits.sizeBytes()) {
                boolean _ = write(bits, bits.sizeBytes(), file -> build(file, parameters, list));
            }
        } catch (FilterFullException _) {
            // hashes of other keys: the filter itself is fetched
        }
    }

    /// @param file of the filter, all zero
    /// @return its bytes
    /// @throws FilterFullException if the hashes do not fit the filter
    static long build(MemorySegment file, FilterParameters parameters, HashList list) throws DeltaRefusedException {
        try (BloomFilterBuilder builder = BloomFilterBuilder.ofSortedHashes(file, parameters)) {
            builder.inBulk(BULK_BYTES, Workers.CALLER);
            list.canaries().forEach(builder::canary);
            for (NumberCursor hash = list.open(); hash.next(); ) {
                builder.add(hash.number());
            }
            BloomFilter _ = builder.finish();
            return file.byteSize();
        }
    }

    /// Writes a file beside the snapshot, which becomes part of it if it has the digest of the manifest.
    ///
    /// @return whether the digest is the same
    private boolean write(ManifestFile file, long maxBytes, MappedFiles.Content content) throws IOException {
        Path working = directory.resolve(file.path() + WORKING);
        Files.deleteIfExists(working);
        try {
            MappedFiles.write(working, maxBytes, content);
            boolean hasDigest = Sha256.hex(working).equals(file.sha256());
            if (hasDigest) {
                Files.move(working, directory.resolve(file.path()), ATOMIC_MOVE);
                completeFiles.add(file);
            }
            return hasDigest;
        } finally {
            Files.deleteIfExists(working);
        }
    }
}
