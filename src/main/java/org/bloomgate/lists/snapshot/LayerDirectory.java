package org.bloomgate.lists.snapshot;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.base.io.LockFile;
import org.bloomgate.base.io.StateFile;
import org.bloomgate.lookup.store.ExactPublisher;

/// One layer below the root of the snapshots: its generations and the pointer to the current one.
///
/// Immutable; each method reads the current state of the disk. Methods that change the layer hold its lock.
public final class LayerDirectory {
    static final String BUILDING = ".building-";

    private static final String LOCK = ".lock";
    private static final String INCOMING = ".incoming-";
    private static final String RETIRED = ".retired-";
    private static final String POINTER = "current";
    private static final int MAX_POINTER_BYTES = 64;

    /// Today and the two days before, for which one generation each is kept even if an hourly feed makes many:
    /// a mistake is often found days later.
    private static final int DAYS_KEPT = 3;

    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");

    private final String name;
    private final Path path;

    /// @throws IllegalArgumentException for a name that is not lower-case letters, digits and hyphens
    public LayerDirectory(Path root, String name) {
        if (!isName(name)) {
            throw new IllegalArgumentException("layer \"" + name + "\": only a-z, 0-9 and -, at most 63");
        }
        this.name = name;
        this.path = root.resolve(name);
    }

    /// Whether this is a valid name of a layer.
    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /// All layers below a root, sorted by name; empty if there is no such directory.
    public static List<LayerDirectory> listAll(Path root) throws IOException {
        return subdirectories(root).stream()
                .filter(LayerDirectory::isName)
                .map(name -> new LayerDirectory(root, name))
                .toList();
    }

    public String name() {
        return name;
    }

    public Path path() {
        return path;
    }

    /// The generation that gateways must use; empty before the first was published.
    ///
    /// @throws SnapshotRefusedException when the pointer does not hold the id of a generation
    public Optional<String> readCurrent() throws IOException {
        byte[] bytes;
        try (var pointer = StateFile.stream(path.resolve(POINTER))) {
            bytes = pointer.readNBytes(MAX_POINTER_BYTES);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
        String id = new String(bytes, US_ASCII).strip();
        if (!Generation.isId(id)) {
            throw new SnapshotRefusedException(path.resolve(POINTER) + ": holds no generation id");
        }
        return Optional.of(id);
    }

    /// The generations on disk, oldest first. A directory may be damaged.
    public List<String> listGenerations() throws IOException {
        return subdirectories(path).stream().filter(Generation::isId).toList();
    }

    /// Returns the directory of a generation, which need not exist.
    ///
    /// @throws IllegalArgumentException if it is not a generation id
    public Path resolveGeneration(String id) {
        if (!Generation.isId(id)) {
            throw new IllegalArgumentException("\"" + id + "\" is not a generation id such as 20261121T020305Z-09af");
        }
        return path.resolve(id);
    }

    /// Whether this is a valid id of a generation.
    public static boolean isGenerationId(String text) {
        return Generation.isId(text);
    }

    /// The directory of a generation while it is fetched.
    Path resolveIncoming(String id) {
        return path.resolve(INCOMING + id);
    }

    /// A stamp that distinguishes one directory of a generation from another that replaces it; empty if there
    /// is none.
    String readStamp(String id) {
        try {
            return String.valueOf(
                    Files.readAttributes(resolveGeneration(id), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                            .fileKey());
        } catch (IOException e) {
            return "";
        }
    }

    /// Returns the directory of the exact store of a generation.
    public Path resolveExactDirectory(String id) {
        return resolveGeneration(id).resolve(SnapshotWriter.EXACT);
    }

    /// Points the layer to an earlier generation after verifying it, by default to the newest before the
    /// current one.
    ///
    /// @param requestedGeneration the generation to go back to
    /// @param sharedStore store that gets the entries again, as it may have deleted them; not if the generation was
    ///     fetched without its exact store
    /// @return the generation that is current now
    /// @throws LayerBusyException while a rebuild of the layer runs
    /// @throws SnapshotRefusedException if there is no such generation, or it does not verify; nothing is
    ///     changed
    public String rollback(
            Optional<String> requestedGeneration, SnapshotReader reader, Optional<ExactPublisher> sharedStore)
            throws IOException {
        try (LockFile _ = lock()) {
            String id = requestedGeneration.isPresent() ? requestedGeneration.get() : findPreviousGeneration();
            if (!Generation.isId(id) || !Files.isDirectory(resolveGeneration(id))) {
                throw new SnapshotRefusedException(
                        "layer " + name + " has no generation " + id + ", but " + listGenerations());
            }
            try (Snapshot snapshot = reader.open(resolveGeneration(id))) {
                if (sharedStore.isPresent() && Files.isDirectory(resolveExactDirectory(id))) {
                    sharedStore
                            .get()
                            .publish(
                                    new ExactPublisher.Built(
                                            name, id, resolveExactDirectory(id), snapshot.countEntries()),
                                    (done, total) -> {});
                }
            }
            pointTo(id);
            return id;
        }
    }

    /// Acquires the lock of the layer.
    ///
    /// @throws LayerBusyException when another process or thread holds it
    LockFile lock() throws IOException {
        return LockFile.tryHold(path, LOCK)
                .orElseThrow(
                        () -> LayerBusyException.of(name, path.resolve(LOCK).toAbsolutePath()));
    }

    private String findPreviousGeneration() throws IOException {
        Optional<String> current = readCurrent();
        return listGenerations().reversed().stream()
                .filter(id -> current.isPresent() && id.compareTo(current.get()) < 0)
                .findFirst()
                .orElseThrow(() -> new SnapshotRefusedException("layer " + name + " has no generation before "
                        + current.orElse("its first") + " to go back to"));
    }

    void pointTo(String id) throws IOException {
        DurableFiles.replace(path.resolve(POINTER), (id + "\n").getBytes(US_ASCII));
    }

    /// Records that the current generation still matches its feeds, unless a later time is recorded.
    ///
    /// @param key signs the confirmation, where snapshots are signed
    /// @throws LayerBusyException when another process or thread writes the layer
    /// @throws SnapshotRefusedException when the generation does not verify, or is not the current one; nothing
    ///     is changed
    public void confirm(String id, SnapshotReader reader, Optional<SigningKey> key, Instant at) throws IOException {
        try (LockFile _ = lock()) {
            SnapshotManifest manifest = reader.verify(resolveGeneration(id));
            byte[] bytes =
                    SnapshotReader.readManifestBytes(resolveGeneration(id).resolve(SnapshotManifest.FILE_NAME));
            replaceConfirmation(id, Confirmation.of(manifest, bytes, at).encode(key), at);
        }
    }

    /// Stores the publisher's confirmation of the current generation.
    ///
    /// @throws LayerBusyException when another process or thread writes the layer
    /// @throws SnapshotRefusedException when it cannot be trusted; nothing is changed
    public void confirm(String id, SnapshotReader reader, byte[] confirmation, Instant now) throws IOException {
        try (LockFile _ = lock()) {
            Instant at = reader.verifyConfirmation(this, id, confirmation, now)
                    .orElseThrow(() ->
                            new SnapshotRefusedException(Confirmation.FILE_NAME + ": is not about " + name + "/" + id));
            replaceConfirmation(id, confirmation, at);
        }
    }

    private void replaceConfirmation(String id, byte[] bytes, Instant at) throws IOException {
        if (!readCurrent().equals(Optional.of(id))) {
            throw new SnapshotRefusedException("layer " + name + ": " + id + " is not current, and is not confirmed");
        }
        if (!isConfirmedAfter(id, at)) {
            DurableFiles.replace(path.resolve(Confirmation.FILE_NAME), bytes);
        }
    }

    /// A late or replayed confirmation must not replace a newer one.
    private boolean isConfirmedAfter(String id, Instant at) throws IOException {
        Optional<byte[]> storedBytes = Confirmation.readBytes(path);
        if (storedBytes.isEmpty()) {
            return false;
        }
        try {
            Confirmation storedConfirmation =
                    Confirmation.parse(storedBytes.get()).confirmation();
            return storedConfirmation.generation().equals(id)
                    && storedConfirmation.at().isAfter(at);
        } catch (SnapshotRefusedException _) {
            return false;
        }
    }

    /// Deletes all but the newest generations, the one that was the newest at the end of each of the last days
    /// (UTC), and the current one, whatever its age.
    ///
    /// @param retainedCount number of the newest
    void prune(int retainedCount, Instant now) throws IOException {
        List<String> generations = listGenerations();
        Set<String> keptGenerations =
                new HashSet<>(generations.subList(Math.max(0, generations.size() - retainedCount), generations.size()));
        readCurrent().ifPresent(keptGenerations::add);
        LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
        for (int days = 0; days < DAYS_KEPT - 1; days++) {
            Instant end = today.minusDays(days).atStartOfDay(ZoneOffset.UTC).toInstant();
            generations.stream()
                    .filter(id -> Generation.parseTime(id).isBefore(end))
                    .reduce((_, later) -> later)
                    .ifPresent(keptGenerations::add);
        }
        for (String id : generations) {
            if (!keptGenerations.contains(id)) {
                retire(id);
            }
        }
    }

    /// Deletes a generation. It is renamed first, so that a half deleted directory does not look like a
    /// generation.
    void retire(String id) throws IOException {
        Path retiredDirectory = path.resolve(RETIRED + id);
        DurableFiles.rename(resolveGeneration(id), retiredDirectory);
        DurableFiles.deleteTree(retiredDirectory);
    }

    /// Deletes the directories that killed writers left behind. The caller holds the lock.
    void sweep() throws IOException {
        sweepAllBut(path);
    }

    /// @param usedDirectory that is not deleted
    void sweepAllBut(Path usedDirectory) throws IOException {
        for (String name : subdirectories(path)) {
            boolean abandoned = name.startsWith(BUILDING) || name.startsWith(INCOMING) || name.startsWith(RETIRED);
            if (abandoned && !path.resolve(name).equals(usedDirectory)) {
                DurableFiles.deleteTree(path.resolve(name));
            }
        }
    }

    private static List<String> subdirectories(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.filter(entry -> Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS))
                    .map(entry -> entry.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }
}
