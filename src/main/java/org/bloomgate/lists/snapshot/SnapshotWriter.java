package org.bloomgate.lists.snapshot;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.base.io.LockFile;
import org.bloomgate.base.io.MappedFiles;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.core.bloom.BloomFilterBuilder;
import org.bloomgate.core.bloom.FilterFormat;
import org.bloomgate.core.bloom.FilterParameters;
import org.bloomgate.core.bloom.FilterRefusedException;
import org.bloomgate.core.bloom.FilterSizing;
import org.bloomgate.core.cidr.RangeBuilder;
import org.bloomgate.core.key.CanonicalForm;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.lookup.store.PartRoot;

/// Builds one snapshot next to the published ones and publishes it as a whole: files, manifest, fsync, rename,
/// and the pointer last. After a kill at any instant the previous snapshot is current; the next writer deletes
/// the remains.
///
/// Holds the lock of the layer from [#begin] to [#close()]. Not thread-safe.
public final class SnapshotWriter implements AutoCloseable {
    static final String SUFFIX_LIST = "public_suffix_list.dat";
    static final String EXACT = "exact";

    /// Name of the file of ranges; a snapshot that lists no network has none.
    static final String NETWORKS = "network.ranges";

    /// Hashes of the keys of a filter that is being built.
    private static final String WAITING = ".waiting";

    private final LayerDirectory layer;
    private final LockFile lock;
    private final String generation;
    private final Instant createdAt;
    private final Path buildingDirectory;
    private final Arena arena = Arena.ofShared();
    private final List<Arena> arenas = new ArrayList<>(List.of(arena));
    private final Map<KeyKind, MemorySegment> filters = new EnumMap<>(KeyKind.class);
    private String suffixListSha256 = "";
    private Optional<SigningKey> signingKey = Optional.empty();
    private boolean closed;

    private SnapshotWriter(LayerDirectory layer, LockFile lock, Instant now) throws IOException {
        this.layer = layer;
        this.lock = lock;
        this.createdAt = now.truncatedTo(ChronoUnit.MILLIS);
        layer.sweep();
        List<String> generations = layer.listGenerations();
        Optional<String> newest = generations.isEmpty() ? Optional.empty() : Optional.of(generations.getLast());
        this.generation = Generation.createId(now, newest, new SecureRandom());
        this.buildingDirectory = Files.createDirectory(layer.path().resolve(LayerDirectory.BUILDING + generation));
    }

    /// Takes the layer's lock and opens an empty building directory.
    ///
    /// @throws LayerBusyException while another process writes the layer
    public static SnapshotWriter begin(Path root, String layer, Instant now) throws IOException {
        LayerDirectory directory = new LayerDirectory(root, layer);
        LockFile lock = directory.lock();
        try {
            return new SnapshotWriter(directory, lock, now);
        } catch (IOException | RuntimeException | Error e) {
            lock.close();
            throw e;
        }
    }

    /// The id of the snapshot.
    public String generation() {
        return generation;
    }

    /// Directory that is being built; every file in it when [#publish] is called becomes part of the snapshot.
    public Path directory() {
        return buildingDirectory;
    }

    /// The directory of the exact store, which the caller creates.
    public Path exactDirectory() {
        return buildingDirectory.resolve(EXACT);
    }

    /// Returns the file of the filter of a kind.
    public Path resolveFilterFile(KeyKind kind) {
        return buildingDirectory.resolve(ManifestFilter.fileName(kind));
    }

    /// Starts the filter of a kind in a mapped file. The caller inserts all keys, calls
    /// [BloomFilterBuilder#finish()] and may query the filter it returns until this writer is closed or
    /// publishes.
    ///
    /// @param seed random, one for each kind
    public BloomFilterBuilder beginFilter(KeyKind kind, FilterSizing sizing, long seed) throws IOException {
        FilterParameters parameters =
                new FilterParameters(kind.wireCode(), CanonicalForm.VERSION, seed, sizing, createdAt);
        MemorySegment mapped = MappedFiles.create(resolveFilterFile(kind), parameters.fileBytes(), arena);
        filters.put(kind, mapped);
        Arena hashes = openArena();
        return new BloomFilterBuilder(
                mapped, parameters, mapTemporary(kind.label() + WAITING, sizing.waitingBytes(), hashes), hashes);
    }

    /// An arena that is closed with this writer at the latest.
    public Arena openArena() {
        Arena own = Arena.ofShared();
        arenas.add(own);
        return own;
    }

    /// Maps a working file beside the snapshot, see [MappedFiles#temporary].
    public MemorySegment mapTemporary(String name, long bytes, Arena inArena) throws IOException {
        return MappedFiles.temporary(buildingDirectory.resolve(name), bytes, inArena);
    }

    /// The file of the ranges of networks.
    public Path networksFile() {
        return buildingDirectory.resolve(NETWORKS);
    }

    /// Writes the ranges of all listed networks.
    public void writeNetworks(RangeBuilder ranges) throws IOException {
        try (Arena confinedArena = Arena.ofConfined()) {
            MemorySegment mapped = MappedFiles.create(networksFile(), ranges.fileBytes(), confinedArena);
            ranges.writeTo(mapped);
            mapped.force();
        }
    }

    /// Writes the public suffix list that the keys were made with.
    public void writeSuffixes(PublicSuffixes list) throws IOException {
        Files.write(buildingDirectory.resolve(SUFFIX_LIST), list.bytes());
        suffixListSha256 = Sha256.hex(buildingDirectory.resolve(SUFFIX_LIST));
    }

    /// Signs the snapshot with this key when it is published.
    public void signWith(SigningKey key) {
        signingKey = Optional.of(key);
    }

    /// Publishes the snapshot and makes it current.
    ///
    /// @param proofCount number of keys tested in the written filters
    /// @throws IOException if it fails; the previous snapshot stays current
    public SnapshotManifest publish(List<ManifestFeed> feeds, long proofCount) throws IOException {
        if (suffixListSha256.isEmpty()) {
            throw new IllegalStateException("a snapshot needs its public suffix list");
        }
        List<ManifestFilter> manifestFilters = describeFilters();
        forceFilters();
        List<ManifestFile> files = describeFiles();
        SnapshotManifest manifest = new SnapshotManifest(
                SnapshotManifest.FORMAT_VERSION,
                CanonicalForm.VERSION,
                layer.name(),
                generation,
                createdAt,
                suffixListSha256,
                proofCount,
                feeds,
                manifestFilters,
                files,
                readRoots(files));
        writeManifest(ManifestJson.write(manifest));
        DurableFiles.forceTree(buildingDirectory);
        DurableFiles.rename(buildingDirectory, layer.resolveGeneration(generation));
        layer.pointTo(generation);
        return manifest;
    }

    private void writeManifest(byte[] bytes) throws IOException {
        Files.write(buildingDirectory.resolve(SnapshotManifest.FILE_NAME), bytes, CREATE_NEW, WRITE);
        if (signingKey.isPresent()) {
            byte[] signature = signingKey.get().signManifest(bytes);
            Files.write(buildingDirectory.resolve(ManifestSignature.FILE_NAME), signature, CREATE_NEW, WRITE);
        }
    }

    /// Deletes generations that are too old; the current one stays whatever its age, and one of each of the
    /// last days.
    ///
    /// @param retainedCount generations to keep, the newest included
    public void prune(int retainedCount) throws IOException {
        layer.prune(retainedCount, createdAt);
    }

    private List<ManifestFilter> describeFilters() {
        List<ManifestFilter> manifestFilters = new ArrayList<>();
        filters.forEach((kind, mapped) -> {
            try {
                manifestFilters.add(ManifestFilter.of(kind, FilterFormat.readHeader(mapped)));
            } catch (FilterRefusedException e) {
                throw new IllegalStateException("the " + kind.label() + " filter is not finished", e);
            }
        });
        return manifestFilters;
    }

    private void forceFilters() {
        filters.values().forEach(MemorySegment::force);
        filters.clear();
        arena.close();
    }

    /// Hashing also reads the files into the page cache, where the first lookups then find them.
    private List<ManifestFile> describeFiles() throws IOException {
        List<Path> paths = DurableFiles.regularFiles(buildingDirectory);
        List<String> digests = Sha256.hex(paths);
        List<ManifestFile> files = new ArrayList<>();
        for (int i = 0; i < paths.size(); i++) {
            files.add(describe(paths.get(i), digests.get(i)));
        }
        return files;
    }

    private Map<String, PartRoot> readRoots(List<ManifestFile> files) throws IOException {
        Map<String, PartRoot> roots = new HashMap<>();
        for (ManifestFile file : files) {
            if (SnapshotFiles.isPart(file.path())) {
                roots.put(file.path(), PartRoot.read(buildingDirectory.resolve(file.path())));
            }
        }
        return roots;
    }

    private ManifestFile describe(Path file, String sha256) throws IOException {
        String path = buildingDirectory.relativize(file).toString().replace('\\', '/');
        ManifestFile manifestFile = new ManifestFile(path, Files.size(file), sha256);
        if (!manifestFile.staysInside()) {
            throw new IllegalStateException("not a valid name for a file of a snapshot: " + path);
        }
        return manifestFile;
    }

    /// Deletes a snapshot that was not published and releases the layer.
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try {
            arenas.stream().filter(ownArena -> ownArena.scope().isAlive()).forEach(Arena::close);
            DurableFiles.deleteTree(buildingDirectory);
        } finally {
            lock.close();
        }
    }
}
