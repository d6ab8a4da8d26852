package org.bloomgate.snapshot;

import static java.nio.file.StandardOpenOption.READ;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.disk.Sha256;
import org.bloomgate.filter.BloomFilter;
import org.bloomgate.filter.FilterFormat;
import org.bloomgate.filter.FilterRefusedException;
import org.bloomgate.key.CanonicalForm;
import org.bloomgate.key.KeyKind;
import org.bloomgate.key.PublicSuffixes;
import org.bloomgate.range.AddressRanges;
import org.bloomgate.range.RangeFormat;
import org.bloomgate.range.RangesRefusedException;

/// Opens snapshots and believes nothing: signature, version, paths, sizes and SHA-256 of all files, then the
/// filters' own checksums and canaries. Hashing reads every file, so a snapshot that was opened is in the page
/// cache.
///
/// Immutable, thread-safe.
public final class SnapshotReader {
    /// How far the clock of a publisher may be ahead of ours. A confirmation from further on would keep a
    /// snapshot young for as long.
    private static final Duration CLOCK_SKEW = Duration.ofMinutes(10);

    private final SnapshotScope scope;
    private final SnapshotKeys keys;

    /// Reads whole snapshots, signed or not.
    public SnapshotReader() {
        this(SnapshotScope.WHOLE, SnapshotKeys.none());
    }

    /// @param scope files outside it are neither demanded nor looked at
    /// @param keys whose signature every snapshot needs
    public SnapshotReader(SnapshotScope scope, SnapshotKeys keys) {
        this.scope = scope;
        this.keys = keys;
    }

    public SnapshotScope scope() {
        return scope;
    }

    private record Described(SnapshotManifest manifest, SignatureState signature) {}

    /// Opens a snapshot after verifying all of it.
    ///
    /// @throws SnapshotRefusedException when anything in it is not as its manifest says
    public Snapshot open(Path directory) throws IOException {
        Described described = verified(directory);
        SnapshotManifest manifest = described.manifest();
        Arena arena = Arena.ofShared();
        try {
            return new Snapshot(
                    directory,
                    manifest,
                    described.signature(),
                    openFilters(directory, manifest, arena),
                    openNetworks(directory, manifest, arena),
                    readSuffixes(directory),
                    arena);
        } catch (IOException | RuntimeException e) {
            arena.close();
            throw e;
        }
    }

    private static PublicSuffixes readSuffixes(Path directory) throws IOException {
        try (var list = Files.newInputStream(directory.resolve(SnapshotWriter.SUFFIX_LIST))) {
            return PublicSuffixes.read(list);
        } catch (IOException e) {
            throw new SnapshotRefusedException(SnapshotWriter.SUFFIX_LIST + ": " + e.getMessage());
        }
    }

    /// Verifies manifest, sizes and SHA-256 of all files, without opening filters.
    public SnapshotManifest verify(Path directory) throws IOException {
        return verified(directory).manifest();
    }

    private Described verified(Path directory) throws IOException {
        Described described = described(directory);
        for (ManifestFile file : described.manifest().files()) {
            if (scope.covers(file)) {
                verify(directory, file);
            }
        }
        return described;
    }

    /// When the publisher last confirmed a generation; empty when it never did since it was published.
    ///
    /// @throws SnapshotRefusedException when what the layer says of it is not to be believed
    public Optional<Instant> confirmed(LayerDirectory layer, String generation, Instant now) throws IOException {
        Optional<byte[]> octets = Confirmation.octets(layer.path());
        return octets.isPresent() ? confirmed(layer, generation, octets.get(), now) : Optional.empty();
    }

    /// The same of octets that stand in no file of the layer yet.
    Optional<Instant> confirmed(LayerDirectory layer, String generation, byte[] octets, Instant now)
            throws IOException {
        Confirmation.Statement statement = Confirmation.read(octets);
        Confirmation said = statement.confirmation();
        if (!said.layer().equals(layer.name()) || !said.generation().equals(generation)) {
            return Optional.empty();
        }
        keys.check(statement);
        byte[] manifest = manifestOctets(layer.generation(generation).resolve(SnapshotManifest.FILE_NAME));
        if (!said.manifestSha256().equals(Sha256.hex(manifest))) {
            throw new SnapshotRefusedException(Confirmation.FILE_NAME + ": is about another manifest.json");
        }
        if (said.at().isAfter(now.plus(CLOCK_SKEW))) {
            throw new SnapshotRefusedException(Confirmation.FILE_NAME + ": is of " + said.at() + ", which is to come");
        }
        return Optional.of(said.at());
    }

    /// Reads and checks the manifest and its signature alone.
    public SnapshotManifest readManifest(Path directory) throws IOException {
        return described(directory).manifest();
    }

    private Described described(Path directory) throws IOException {
        byte[] octets = manifestOctets(directory.resolve(SnapshotManifest.FILE_NAME));
        SignatureState signature = keys.check(directory, octets);
        SnapshotManifest manifest = ManifestJson.read(octets);
        if (manifest.canonicalFormVersion() != CanonicalForm.VERSION) {
            throw new SnapshotRefusedException(
                    "manifest.json: keys of canonical form " + manifest.canonicalFormVersion()
                            + ", this build asks for " + CanonicalForm.VERSION + ": rebuild the layer");
        }
        if (!Generation.isId(manifest.generation())) {
            throw new SnapshotRefusedException("manifest.json: \"" + manifest.generation() + "\" is no generation id");
        }
        requireFiles(manifest);
        return new Described(manifest, signature);
    }

    private static void requireFiles(SnapshotManifest manifest) throws SnapshotRefusedException {
        Set<String> paths = new HashSet<>();
        for (ManifestFile file : manifest.files()) {
            if (!file.staysInside()) {
                throw new SnapshotRefusedException("manifest.json: \"" + file.path() + "\" leads out of the snapshot");
            }
            if (file.path().equals(SnapshotManifest.FILE_NAME) || file.path().equals(ManifestSignature.FILE_NAME)) {
                throw new SnapshotRefusedException("manifest.json: " + file.path() + " is none of the files");
            }
            if (!paths.add(file.path())) {
                throw new SnapshotRefusedException("manifest.json: " + file.path() + " stands there twice");
            }
        }
        requireListed(paths, SnapshotWriter.SUFFIX_LIST);
        for (ManifestFilter filter : manifest.filters()) {
            requireListed(paths, filter.file());
        }
        requireSuffixList(manifest);
    }

    static byte[] manifestOctets(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            byte[] octets = in.readNBytes(ManifestJson.MAX_BYTES + 1);
            if (octets.length > ManifestJson.MAX_BYTES) {
                throw new SnapshotRefusedException("manifest.json: longer than " + ManifestJson.MAX_BYTES + " octets");
            }
            return octets;
        } catch (NoSuchFileException e) {
            throw new SnapshotRefusedException(file + ": missing");
        }
    }

    private static void verify(Path directory, ManifestFile file) throws IOException {
        Path path = directory.resolve(file.path());
        if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new SnapshotRefusedException(file.path() + ": missing, or no regular file");
        }
        if (!path.toRealPath().startsWith(directory.toRealPath())) {
            throw new SnapshotRefusedException(file.path() + ": a link that leads out of the snapshot");
        }
        if (Files.size(path) != file.sizeBytes()) {
            throw new SnapshotRefusedException(
                    file.path() + ": " + Files.size(path) + " octets, manifest says " + file.sizeBytes());
        }
        if (!Sha256.hex(path).equals(file.sha256())) {
            throw new SnapshotRefusedException(file.path() + ": SHA-256 is not what the manifest says");
        }
    }

    private static void requireListed(Set<String> paths, String path) throws SnapshotRefusedException {
        if (!paths.contains(path)) {
            throw new SnapshotRefusedException("manifest.json: " + path + " is not among the files");
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
        for (ManifestFilter described : manifest.filters()) {
            KeyKind kind = described.kind();
            if (filters.put(kind, openFilter(directory, described, arena)) != null) {
                throw new SnapshotRefusedException("manifest.json: two filters of kind " + kind.label());
            }
        }
        return filters;
    }

    private static Optional<AddressRanges> openNetworks(Path directory, SnapshotManifest manifest, Arena arena)
            throws IOException {
        if (manifest.files().stream().noneMatch(file -> file.path().equals(SnapshotWriter.NETWORKS))) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    RangeFormat.open(mapped(directory.resolve(SnapshotWriter.NETWORKS), arena), CanonicalForm.VERSION));
        } catch (RangesRefusedException e) {
            throw new SnapshotRefusedException(SnapshotWriter.NETWORKS + ": " + e.getMessage());
        }
    }

    private static MemorySegment mapped(Path file, Arena arena) throws IOException {
        try (FileChannel channel = FileChannel.open(file, READ)) {
            MemorySegment mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
            mapped.load();
            return mapped;
        }
    }

    private static BloomFilter openFilter(Path directory, ManifestFilter described, Arena arena) throws IOException {
        try {
            MemorySegment mapped = mapped(directory.resolve(described.file()), arena);
            BloomFilter filter = FilterFormat.open(mapped, described.kind().wireCode(), CanonicalForm.VERSION);
            if (!ManifestFilter.of(described.kind(), filter.header()).equals(described)) {
                throw new SnapshotRefusedException(described.file() + ": header and manifest differ");
            }
            return filter;
        } catch (FilterRefusedException e) {
            throw new SnapshotRefusedException(described.file() + ": " + e.getMessage());
        }
    }
}
