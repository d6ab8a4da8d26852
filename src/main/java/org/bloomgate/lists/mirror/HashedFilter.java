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

/// Builds the filter of a snapshot that is fetched from the hashes of its keys, and these from the ones that are here
/// and what changed since. What comes out has the digest of the manifest or is not written: then the file itself is
/// fetched, as it is of a publisher that keeps no hashes.
final class HashedFilter {
    private static final Logger LOG = LoggerFactory.getLogger(HashedFilter.class);

    /// The share of the heap for each key: the filter, the lists of two generations and the memory for building
    /// a filter are in it at once.
    private static final int HEAP_SHARE = 128;

    /// Heap for keys that are inserted together, a million of them, which takes a third of the time.
    private static final long BULK_BYTES = 24L << 20;

    private final Publisher publisher;
    private final SnapshotManifest manifest;
    private final Path directory;
    private final Optional<InForce> before;
    private final Set<ManifestFile> made;

    /// @param directory where the files of this snapshot come to
    /// @param before the current generation here
    /// @param made gets the files that are here now and have their digest
    HashedFilter(
            Publisher publisher,
            SnapshotManifest manifest,
            Path directory,
            Optional<InForce> before,
            Set<ManifestFile> made) {
        this.publisher = publisher;
        this.manifest = manifest;
        this.directory = directory;
        this.before = before;
        this.made = made;
    }

    /// The snapshot that is current here.
    record InForce(SnapshotManifest manifest, Path directory) {
        Optional<ManifestFile> file(String path) {
            return manifest.file(path);
        }
    }

    /// Writes hashes and filter, unless they are here or cannot be had this way.
    ///
    /// @throws IOException when the connection or the disk fails
    void build(ManifestFilter filter) throws IOException, InterruptedException {
        Optional<ManifestFile> hashes = manifest.file(SnapshotFiles.hashes(filter.kind()));
        Optional<ManifestFile> bits = manifest.file(filter.file());
        if (hashes.isEmpty() || bits.isEmpty() || !fits(filter, hashes.get(), bits.get())) {
            return;
        }
        if (isHere(hashes.get()) && isHere(bits.get())) {
            return;
        }
        try {
            HashList list = list(filter, hashes.get());
            write(bits.get(), bytes(filter, list, bits.get()));
        } catch (DeltaRefusedException refused) {
            LOG.warn(
                    "mirror: {}/{}: {}: {}; fetched whole",
                    manifest.layer(),
                    manifest.generation(),
                    filter.file(),
                    refused.getMessage());
        }
    }

    private boolean isHere(ManifestFile file) throws IOException {
        Path here = directory.resolve(file.path());
        return Files.exists(here) && Files.size(here) == file.sizeBytes();
    }

    private static boolean fits(ManifestFilter filter, ManifestFile hashes, ManifestFile bits) {
        long most = Math.min(HashList.MAX_HASHES, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
        return Math.max(filter.inserted(), filter.capacity()) <= most
                && hashes.sizeBytes() <= most * Long.BYTES
                && bits.sizeBytes() <= most * Long.BYTES;
    }

    private HashList list(ManifestFilter filter, ManifestFile hashes) throws IOException, InterruptedException {
        Path target = directory.resolve(hashes.path());
        if (!isHere(hashes)) {
            Optional<HashList> changed = changed(filter);
            if (changed.isPresent()) {
                byte[] whole = changed.get().whole();
                if (write(hashes, whole)) {
                    return changed.get();
                }
            }
        }
        FileDownload.bring(publisher, manifest.generation(), hashes, target);
        made.add(hashes);
        return HashList.read(StateFile.bytes(target, Integer.MAX_VALUE));
    }

    /// Empty when what is here has another seed, or the publisher does not know it any more.
    private Optional<HashList> changed(ManifestFilter filter) throws IOException, InterruptedException {
        if (before.isEmpty() || !hasSameSeed(filter)) {
            return Optional.empty();
        }
        InForce here = before.get();
        Optional<ManifestFile> delta =
                manifest.file(SnapshotFiles.delta(filter.kind(), here.manifest().generation()));
        Optional<ManifestFile> known = here.file(SnapshotFiles.hashes(filter.kind()));
        if (delta.isEmpty()
                || known.isEmpty()
                || delta.get().sizeBytes() > known.get().sizeBytes()) {
            return Optional.empty();
        }
        Path change = directory.resolve(delta.get().path());
        FileDownload.bring(publisher, manifest.generation(), delta.get(), change);
        byte[] bytes = StateFile.bytes(change, Integer.MAX_VALUE);
        Files.delete(change);
        HashList list = HashList.read(
                StateFile.bytes(here.directory().resolve(known.get().path()), Integer.MAX_VALUE));
        return Optional.of(list.with(bytes));
    }

    private boolean hasSameSeed(ManifestFilter filter) {
        return before.stream()
                .flatMap(here -> here.manifest().filters().stream())
                .anyMatch(one -> one.kind() == filter.kind() && one.seed().equals(filter.seed()));
    }

    private byte[] bytes(ManifestFilter filter, HashList list, ManifestFile bits) {
        FilterParameters parameters = new FilterParameters(
                filter.kind().wireCode(),
                manifest.canonicalFormVersion(),
                Long.parseUnsignedLong(filter.seed(), 16),
                filter.sizing(),
                manifest.createdAt());
        return parameters.fileBytes() == bits.sizeBytes() ? built(parameters, list) : new byte[0];
    }

    /// The file of a filter; empty if the hashes do not fit it.
    static byte[] built(FilterParameters parameters, HashList list) {
        byte[] file = new byte[Math.toIntExact(parameters.fileBytes())];
        try (BloomFilterBuilder builder = new BloomFilterBuilder(MemorySegment.ofArray(file), parameters)) {
            builder.inBulk(BULK_BYTES, Workers.CALLER);
            list.canaries().forEach(builder::canary);
            for (long hash : list.hashes()) {
                builder.add(hash);
            }
            builder.finish();
            return file;
        } catch (FilterFullException othersThanTold) {
            return new byte[0];
        }
    }

    /// Writes what has the digest of the manifest, and nothing else.
    private boolean write(ManifestFile file, byte[] bytes) throws IOException {
        boolean same = Sha256.hex(bytes).equals(file.sha256());
        if (same) {
            Files.write(directory.resolve(file.path()), bytes);
            made.add(file);
        }
        return same;
    }
}
