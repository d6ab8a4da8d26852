package org.bloomgate.lists.layer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bloomgate.base.io.DiskSpace;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.base.io.LockFile;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.bloomgate.lists.snapshot.PublishedFiles;
import org.bloomgate.lists.snapshot.PublishedFiles.PublishedFile;
import org.bloomgate.lists.snapshot.PublishedState;
import org.bloomgate.lists.snapshot.PublishedState.CurrentGeneration;
import org.bloomgate.lists.snapshot.SharedEntries;
import org.bloomgate.lists.snapshot.SnapshotManifest;
import org.bloomgate.lists.snapshot.SnapshotReader;
import org.bloomgate.lists.snapshot.SnapshotRefusedException;
import org.bloomgate.lists.snapshot.Statement;
import org.bloomgate.lists.snapshot.StatementForm;

/// A directory with all that mirrors fetch, at the paths of the HTTP interface (`v1/snapshots/..`), for a static
/// web server or object storage. Every user may read it.
///
/// Generations are complete before a statement names them, and files and directories appear by rename: after a
/// kill at any instant no statement names a missing generation, and the next update continues. Thread-safe, and safe
/// between processes.
public final class PublishedTree {
    /// The time that a generation stays after the last statement that named it, for gateways and caches that still
    /// use that statement.
    static final Duration RETENTION = Duration.ofHours(1);

    private static final Duration LOCK_TIMEOUT = Duration.ofMinutes(10);
    private static final String LOCK = ".directory.lock";
    private static final String UNFINISHED = ".unfinished-";
    private static final Set<PosixFilePermission> FILE_MODE = PosixFilePermissions.fromString("rw-r--r--");
    private static final Set<PosixFilePermission> DIRECTORY_MODE = PosixFilePermissions.fromString("rwxr-xr-x");

    private final Path snapshots;
    private final Path tree;
    private final PublishedFiles files;
    private final SnapshotReader reader = new SnapshotReader();
    private final InstantSource clock;
    private final DiskSpace.Meter disks;

    /// @param snapshots root of all layers of this machine
    /// @param directory in which `v1/snapshots` is written
    public PublishedTree(Path snapshots, Path directory, InstantSource clock) {
        this(snapshots, directory, clock, DiskSpace::measure);
    }

    PublishedTree(Path snapshots, Path directory, InstantSource clock, DiskSpace.Meter disks) {
        this.snapshots = snapshots;
        this.tree = directory.resolve(PublishedFiles.PATH.substring(1));
        this.files = new PublishedFiles(snapshots);
        this.clock = clock;
        this.disks = disks;
    }

    /// Writes what has changed since the last update.
    ///
    /// @return whether anything had changed
    /// @throws IOException if the directory cannot be written, or a generation is damaged or has been deleted
    ///     meanwhile; the statements then stay as they are
    public boolean update() throws IOException {
        if (isCurrent(PublishedState.FORM) && isCurrent(SharedEntries.FORM)) {
            return false;
        }
        try (LockFile _ = LockFile.hold(snapshots, LOCK, LOCK_TIMEOUT)) {
            createDirectories(tree);
            sweep();
            updateStatement(SharedEntries.FORM, SharedEntries.FORM.readBytes(snapshots));
            updateGenerations();
        }
        return true;
    }

    private boolean isCurrent(StatementForm<?> form) throws IOException {
        return form.readHead(snapshots)
                .map(Statement::tag)
                .equals(readPublished(form).map(Statement::tag));
    }

    /// The statement in the tree; empty if it cannot be read, because then it is replaced.
    private <T extends StatementForm.Content> Optional<Statement<T>> readPublished(StatementForm<T> form)
            throws IOException {
        try {
            return form.readHead(tree);
        } catch (SnapshotRefusedException _) {
            return Optional.empty();
        }
    }

    private void updateGenerations() throws IOException {
        Optional<byte[]> statement = PublishedState.FORM.readBytes(snapshots);
        if (statement.isEmpty()) {
            return;
        }
        List<CurrentGeneration> current =
                PublishedState.FORM.parse(statement.get()).content().layers();
        for (CurrentGeneration generation : current) {
            updateGeneration(generation);
        }
        Set<String> replaced = namesOf(readPublished(PublishedState.FORM)
                .map(last -> last.content().layers())
                .orElse(List.of()));
        for (String id : replaced) {
            setTime(tree.resolve(id), clock.instant());
        }
        updateStatement(PublishedState.FORM, statement);
        prune(namesOf(current));
    }

    private void updateGeneration(CurrentGeneration generation) throws IOException {
        Path target = tree.resolve(generation.generation());
        if (!isComplete(target, generation)) {
            Path unfinished = tree.resolve(UNFINISHED + generation.generation());
            copy(generation, unfinished);
            if (!isComplete(unfinished, generation)) {
                throw new IOException(generation.generation() + ": its manifest is not the published one");
            }
            if (Files.exists(target)) {
                delete(target);
            }
            DurableFiles.rename(unfinished, target);
        }
        Optional<PublishedFile> confirmation = files.findConfirmation(generation.layer(), generation.generation());
        if (confirmation.isPresent()) {
            Path file = confirmation.get().file();
            replace(target.resolve(file.getFileName()), Files.readAllBytes(file));
        }
    }

    private static boolean isComplete(Path directory, CurrentGeneration generation) throws IOException {
        return Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
                && generation.matches(SnapshotReader.readManifestBytes(directory.resolve(SnapshotManifest.FILE_NAME)));
    }

    private void copy(CurrentGeneration generation, Path target) throws IOException {
        Path source = new LayerDirectory(snapshots, generation.layer()).resolveGeneration(generation.generation());
        List<PublishedFile> published = files.listAll(source);
        requireSpace(published);
        createDirectories(target);
        for (PublishedFile file : published) {
            Path copy = target.resolve(source.relativize(file.file()).toString());
            createDirectories(copy.resolveSibling(""));
            Files.copy(file.file(), copy, StandardCopyOption.COPY_ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
            Files.setPosixFilePermissions(copy, FILE_MODE);
        }
        DurableFiles.forceTree(target);
        setTime(target, clock.instant());
    }

    private void requireSpace(List<PublishedFile> published) throws IOException {
        long bytes = 0;
        for (PublishedFile file : published) {
            bytes += Files.size(file.file());
        }
        Optional<String> shortage = disks.measure(tree).findShortage(bytes, tree);
        if (shortage.isPresent()) {
            throw new IOException(shortage.get());
        }
    }

    private void updateStatement(StatementForm<?> form, Optional<byte[]> statement) throws IOException {
        Path file = tree.resolve(form.fileName());
        if (statement.isPresent()) {
            replace(file, statement.get());
        } else {
            Files.deleteIfExists(file);
        }
    }

    /// Deletes generations that are not among the newest of their layer and not named by a recent statement.
    private void prune(Set<String> current) throws IOException {
        Map<String, List<Path>> layers = new TreeMap<>();
        for (Path generation : listDirectories(LayerDirectory::isGenerationId)) {
            layers.computeIfAbsent(readLayer(generation), _ -> new ArrayList<>())
                    .add(generation);
        }
        Instant end = clock.instant().minus(RETENTION);
        for (var layer : layers.entrySet()) {
            List<Path> generations = layer.getValue();
            int kept = layer.getKey().isEmpty() ? 0 : PastHashes.maxGenerations(layer.getKey());
            int older = Math.max(0, generations.size() - kept);
            for (Path generation : generations.subList(0, older)) {
                boolean isCurrent = current.contains(generation.getFileName().toString());
                if (!isCurrent
                        && Files.getLastModifiedTime(generation).toInstant().isBefore(end)) {
                    delete(generation);
                }
            }
        }
    }

    /// The layer of a generation; empty if its manifest is damaged, so that no one can use it.
    private String readLayer(Path generation) throws IOException {
        try {
            return reader.readManifest(generation).layer();
        } catch (SnapshotRefusedException _) {
            return "";
        }
    }

    /// Deletes a directory, renamed first, so that it is never seen in part.
    private void delete(Path directory) throws IOException {
        Path unfinished = tree.resolve(UNFINISHED + "deleted");
        DurableFiles.deleteTree(unfinished);
        DurableFiles.rename(directory, unfinished);
        DurableFiles.deleteTree(unfinished);
    }

    /// Deletes what killed writers left.
    private void sweep() throws IOException {
        for (Path unfinished : listDirectories(name -> name.startsWith(UNFINISHED))) {
            DurableFiles.deleteTree(unfinished);
        }
    }

    /// The directories whose names match, sorted.
    private List<Path> listDirectories(Predicate<String> condition) throws IOException {
        try (Stream<Path> entries = Files.list(tree)) {
            return entries.filter(entry -> condition.test(entry.getFileName().toString()))
                    .sorted()
                    .toList();
        }
    }

    private static Set<String> namesOf(List<CurrentGeneration> generations) {
        return generations.stream().map(CurrentGeneration::generation).collect(Collectors.toSet());
    }

    private static void setTime(Path directory, Instant time) throws IOException {
        if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            Files.setLastModifiedTime(directory, FileTime.from(time));
        }
    }

    /// Leaves a file alone that has these bytes. A new one has its time in a later second: web servers make the
    /// entity tag from size and seconds, so a mirror would not see the second of two statements made in one second.
    private void replace(Path file, byte[] bytes) throws IOException {
        if (!Files.exists(file)) {
            replaceAt(clock.instant(), file, bytes);
        } else if (!Arrays.equals(Files.readAllBytes(file), bytes)) {
            Instant next = Files.getLastModifiedTime(file).toInstant().plusSeconds(1);
            Instant now = clock.instant();
            replaceAt(now.isAfter(next) ? now : next, file, bytes);
        }
    }

    private static void replaceAt(Instant time, Path file, byte[] bytes) throws IOException {
        DurableFiles.replace(file, bytes, written -> {
            Files.setPosixFilePermissions(written, FILE_MODE);
            Files.setLastModifiedTime(written, FileTime.from(time));
        });
    }

    private static void createDirectories(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            createDirectories(directory.toAbsolutePath().resolveSibling(""));
            Files.createDirectory(directory);
            Files.setPosixFilePermissions(directory, DIRECTORY_MODE);
        }
    }
}
