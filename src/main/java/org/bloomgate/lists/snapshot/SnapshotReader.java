package org.bloomgate.lists.snapshot;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bloomgate.base.io.MappedFiles;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.base.io.StateFile;
import org.bloomgate.base.io.VerifiedFiles;
import org.bloomgate.core.bloom.BloomFilter;
import org.bloomgate.core.bloom.FilterFormat;
import org.bloomgate.core.bloom.FilterRefusedException;
import org.bloomgate.core.cidr.AddressRanges;
import org.bloomgate.core.cidr.RangeFormat;
import org.bloomgate.core.cidr.RangesRefusedException;
import org.bloomgate.core.key.CanonicalForm;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.PublicSuffixes;

/// Opens snapshots after verifying everything: signature, version, paths and sizes, then the SHA-256 of all
/// files. Each is read once, on all processors, and is in the page cache then; it must be unchanged after the
/// snapshot was opened.
///
/// A snapshot of 100,000,000 keys, 2.3 GB in the page cache, opens in about a second on two cores.
///
/// Using a store before it was read completely was rejected: a checksum of a page stops no forger, and until a
/// background read was complete every suspect would wait or be unresolved, while the previous snapshot can answer.
///
/// Immutable, thread-safe.
public final class SnapshotReader {
    /// For a machine's own snapshots, as they were made by the reader's clock.
    private static final InstantSource ANY_TIME = () -> Instant.parse("9999-01-01T00:00:00Z");

    /// A file that each store of earlier versions has.
    private static final String ROCKSDB_FILE = SnapshotWriter.EXACT + "/CURRENT";

    private final SnapshotScope scope;
    private final SnapshotKeys keys;
    private final InstantSource clock;
    private final VerifiedFiles digests;

    /// Reads whole snapshots, signed or not, of any time.
    public SnapshotReader() {
        this(SnapshotScope.WHOLE, SnapshotKeys.none());
    }

    /// Reads the files of a scope, signed by trusted keys, of any time.
    public SnapshotReader(SnapshotScope scope, SnapshotKeys keys) {
        this(scope, keys, ANY_TIME);
    }

    /// @param scope files outside it are neither required nor read
    /// @param keys whose signature every snapshot needs
    /// @param clock which no snapshot may be ahead of, by more than [ManifestBounds#CLOCK_SKEW]: it would count as
    ///     fresh for as long
    public SnapshotReader(SnapshotScope scope, SnapshotKeys keys, InstantSource clock) {
        this(scope, keys, clock, VerifiedFiles.none());
    }

    /// @param digests computes the digests of files, and may remember them
    public SnapshotReader(SnapshotScope scope, SnapshotKeys keys, InstantSource clock, VerifiedFiles digests) {
        this.scope = scope;
        this.keys = keys;
        this.clock = clock;
        this.digests = digests;
    }

    public SnapshotScope scope() {
        return scope;
    }

    record SignedManifest(SnapshotManifest manifest, SignatureState signature) {}

    /// Opens a snapshot after verifying all of it.
    ///
    /// @throws SnapshotRefusedException if it differs from its manifest
    public Snapshot open(Path directory) throws IOException {
        FileCheck files = new FileCheck(directory, digests);
        SignedManifest signedManifest = verifyFiles(directory, files);
        SnapshotManifest manifest = signedManifest.manifest();
        Arena arena = Arena.ofShared();
        try {
            Snapshot snapshot = new Snapshot(
                    directory,
                    signedManifest,
                    openFilters(directory, manifest, arena),
                    openNetworks(directory, manifest, arena),
                    readSuffixes(directory),
                    files,
                    arena);
            snapshot.requireUnchanged();
            return snapshot;
        } catch (IOException | RuntimeException e) {
            arena.close();
            throw e;
        }
    }

    private static PublicSuffixes readSuffixes(Path directory) throws IOException {
        try (var list = StateFile.stream(directory.resolve(SnapshotWriter.SUFFIX_LIST))) {
            return PublicSuffixes.read(list);
        } catch (IOException e) {
            throw new SnapshotRefusedException(SnapshotWriter.SUFFIX_LIST + ": " + e.getMessage());
        }
    }

    /// Verifies manifest, sizes and bytes of all files, without opening filters.
    public SnapshotManifest verify(Path directory) throws IOException {
        return verifyFiles(directory, new FileCheck(directory, digests)).manifest();
    }

    private SignedManifest verifyFiles(Path directory, FileCheck check) throws IOException {
        SignedManifest signedManifest = readSignedManifest(directory);
        List<ManifestFile> files =
                signedManifest.manifest().files().stream().filter(scope::covers).toList();
        for (ManifestFile file : files) {
            requireFile(directory, file);
        }
        check.require(files);
        requireNothingElse(directory, signedManifest.manifest());
        return signedManifest;
    }

    /// A file that no manifest names is unverified, and the target of a link may change.
    private static void requireNothingElse(Path directory, SnapshotManifest manifest) throws IOException {
        Set<String> manifestPaths =
                manifest.files().stream().map(ManifestFile::path).collect(Collectors.toCollection(HashSet::new));
        manifestPaths.add(SnapshotManifest.FILE_NAME);
        manifestPaths.add(ManifestSignature.FILE_NAME);
        try (Stream<Path> entries = Files.walk(directory)) {
            for (Path entry : (Iterable<Path>) entries::iterator) {
                if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                    continue;
                }
                String path = directory.relativize(entry).toString().replace('\\', '/');
                if (path.isEmpty()) {
                    throw new SnapshotRefusedException(directory + ": a link instead of a directory");
                }
                if (!Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS)) {
                    throw new SnapshotRefusedException(path + ": a link, or no regular file");
                }
                if (!manifestPaths.contains(path)) {
                    throw new SnapshotRefusedException(path + ": is not in the manifest");
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /// Returns when the publisher last confirmed a generation; empty if it has not confirmed it yet.
    ///
    /// @throws SnapshotRefusedException when the confirmation of the layer cannot be trusted
    public Optional<Instant> readConfirmedAt(LayerDirectory layer, String generation, Instant now) throws IOException {
        Optional<byte[]> bytes = Confirmation.readBytes(layer.path());
        return bytes.isPresent() ? verifyConfirmation(layer, generation, bytes.get(), now) : Optional.empty();
    }

    /// The same for bytes that are not stored in the layer yet.
    Optional<Instant> verifyConfirmation(LayerDirectory layer, String generation, byte[] bytes, Instant now)
            throws IOException {
        Confirmation.Statement statement = Confirmation.parse(bytes);
        Confirmation confirmation = statement.confirmation();
        if (!confirmation.layer().equals(layer.name())
                || !confirmation.generation().equals(generation)) {
            return Optional.empty();
        }
        keys.check(statement);
        byte[] manifest = readManifestBytes(layer.resolveGeneration(generation).resolve(SnapshotManifest.FILE_NAME));
        if (!confirmation.manifestSha256().equals(Sha256.hex(manifest))) {
            throw new SnapshotRefusedException(Confirmation.FILE_NAME + ": is about another manifest.json");
        }
        if (confirmation.at().isAfter(now.plus(ManifestBounds.CLOCK_SKEW))) {
            throw new SnapshotRefusedException(
                    Confirmation.FILE_NAME + ": is of " + confirmation.at() + ", which is in the future");
        }
        return Optional.of(confirmation.at());
    }

    /// Reads and checks the manifest and its signature alone.
    public SnapshotManifest readManifest(Path directory) throws IOException {
        return readSignedManifest(directory).manifest();
    }

    private SignedManifest readSignedManifest(Path directory) throws IOException {
        byte[] bytes = readManifestBytes(directory.resolve(SnapshotManifest.FILE_NAME));
        SignatureState signature = keys.check(directory, bytes);
        SnapshotManifest manifest = ManifestJson.read(bytes);
        if (manifest.canonicalFormVersion() != CanonicalForm.VERSION) {
            throw new SnapshotRefusedException(
                    "manifest.json: keys of canonical form " + manifest.canonicalFormVersion()
                            + ", this build asks for " + CanonicalForm.VERSION + ": rebuild the layer");
        }
        ManifestBounds.check(manifest, clock.instant());
        requireSuffixList(manifest);
        if (scope == SnapshotScope.WHOLE && manifest.findFile(ROCKSDB_FILE).isPresent()) {
            throw new SnapshotRefusedException(ROCKSDB_FILE + ": the exact store is one of RocksDB, of an earlier"
                    + " version: run 'bloomgate rebuild --all' where the snapshot was made");
        }
        return new SignedManifest(manifest, signature);
    }

    /// Whether unsigned snapshots and statements are rejected.
    public boolean requiresSignatures() {
        return !keys.isEmpty();
    }

    /// @param fileName of the statement, for messages
    /// @throws SnapshotRefusedException when a required signature is missing or wrong, or the lifetime is too
    ///     long
    public void requireTrusted(Statement<?> statement, String fileName, Instant now) throws SnapshotRefusedException {
        keys.check(statement, fileName);
        if (statement.expires().isAfter(now.plus(Statement.MAX_LIFETIME))) {
            throw new SnapshotRefusedException(fileName + ": expires at " + statement.expires()
                    + ", which is more than " + Statement.MAX_LIFETIME.toDays() + " days from now");
        }
    }

    /// Whether a trusted key for manifests vouches for the entries.
    public boolean isVouched(SharedEntries entries) {
        return entries.isVouched(keys);
    }

    /// The bytes of a manifest, unchecked.
    ///
    /// @throws SnapshotRefusedException if there is none, or it is too long
    public static byte[] readManifestBytes(Path file) throws IOException {
        try (var in = StateFile.stream(file)) {
            byte[] bytes = in.readNBytes(ManifestJson.MAX_BYTES + 1);
            if (bytes.length > ManifestJson.MAX_BYTES) {
                throw new SnapshotRefusedException("manifest.json: longer than " + ManifestJson.MAX_BYTES + " bytes");
            }
            return bytes;
        } catch (NoSuchFileException e) {
            throw new SnapshotRefusedException(file + ": missing");
        }
    }

    private static void requireFile(Path directory, ManifestFile file) throws IOException {
        Path path = directory.resolve(file.path());
        if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new SnapshotRefusedException(file.path() + ": missing, or no regular file");
        }
        if (!path.toRealPath().startsWith(directory.toRealPath())) {
            throw new SnapshotRefusedException(file.path() + ": a link that leads out of the snapshot");
        }
        if (Files.size(path) != file.sizeBytes()) {
            throw new SnapshotRefusedException(
                    file.path() + ": " + Files.size(path) + " bytes, the manifest says " + file.sizeBytes());
        }
    }

    private static void requireSuffixList(SnapshotManifest manifest) throws SnapshotRefusedException {
        for (ManifestFile file : manifest.files()) {
            if (file.path().equals(SnapshotWriter.SUFFIX_LIST)
                    && !file.sha256().equals(manifest.publicSuffixListSha256())) {
                throw new SnapshotRefusedException(file.path() + ": not the list the keys were made with");
            }
        }
    }

    private static Map<KeyKind, BloomFilter> openFilters(Path directory, SnapshotManifest manifest, Arena arena)
            throws IOException {
        Map<KeyKind, BloomFilter> filters = new EnumMap<>(KeyKind.class);
        for (ManifestFilter manifestFilter : manifest.filters()) {
            KeyKind kind = manifestFilter.kind();
            if (filters.put(kind, openFilter(directory, manifestFilter, arena)) != null) {
                throw new SnapshotRefusedException("manifest.json: two filters of kind " + kind.label());
            }
        }
        return filters;
    }

    private static Optional<AddressRanges> openNetworks(Path directory, SnapshotManifest manifest, Arena arena)
            throws IOException {
        if (manifest.findFile(SnapshotWriter.NETWORKS).isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    RangeFormat.open(map(directory.resolve(SnapshotWriter.NETWORKS), arena), CanonicalForm.VERSION));
        } catch (RangesRefusedException e) {
            throw new SnapshotRefusedException(SnapshotWriter.NETWORKS + ": " + e.getMessage());
        }
    }

    private static MemorySegment map(Path file, Arena arena) throws IOException {
        MemorySegment mappedFile = MappedFiles.read(file, arena);
        mappedFile.load();
        return mappedFile;
    }

    private static BloomFilter openFilter(Path directory, ManifestFilter manifestFilter, Arena arena)
            throws IOException {
        try {
            MemorySegment mappedFile = map(directory.resolve(manifestFilter.file()), arena);
            BloomFilter filter =
                    FilterFormat.openVerified(mappedFile, manifestFilter.kind().wireCode(), CanonicalForm.VERSION);
            if (!ManifestFilter.of(manifestFilter.kind(), filter.header()).equals(manifestFilter)) {
                throw new SnapshotRefusedException(manifestFilter.file() + ": header and manifest differ");
            }
            return filter;
        } catch (FilterRefusedException e) {
            throw new SnapshotRefusedException(manifestFilter.file() + ": " + e.getMessage());
        }
    }
}
