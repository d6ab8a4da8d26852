package org.bloomgate.lists.layer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.fetch.Cadence;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.bloomgate.lists.snapshot.SnapshotFiles;
import org.bloomgate.lists.snapshot.SnapshotManifest;

/// The hashes of deleted generations of a layer, each in a directory of its name with its manifest, so that a
/// mirror that was offline receives only changes. If the process is killed, a directory is either complete or
/// absent.
public final class PastHashes {
    /// A week.
    static final int NIGHTLY = 7;

    /// Two days of an hourly layer, four hours of one of five minutes.
    static final int OFTEN = 48;

    private static final String FOLDER = ".past";
    private static final String NEW = ".new";

    private final LayerDirectory layer;
    private final Path folder;
    private final int maxGenerations;

    public PastHashes(LayerDirectory layer) {
        this.layer = layer;
        this.folder = layer.path().resolve(FOLDER);
        this.maxGenerations = maxGenerations(layer.name());
    }

    /// The number of generations of a layer for mirrors that were offline.
    static int maxGenerations(String layer) {
        return layer.equals(Cadence.NIGHTLY.layer()) ? NIGHTLY : OFTEN;
    }

    /// The newest generations, also deleted ones, the oldest first: folders with a manifest and hashes.
    List<Path> listGenerations() throws IOException {
        Set<String> names = new TreeSet<>(listNames());
        names.addAll(layer.listGenerations());
        return names.stream()
                .skip(Math.max(0, names.size() - maxGenerations))
                .map(name -> Files.isDirectory(layer.resolveGeneration(name))
                        ? layer.resolveGeneration(name)
                        : folder.resolve(name))
                .toList();
    }

    private List<String> listNames() throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.map(entry -> entry.getFileName().toString())
                    .filter(LayerDirectory::isGenerationId)
                    .toList();
        }
    }

    /// Copies the hashes of the present generations, before these are deleted, and deletes hashes that are too
    /// old.
    public void update() throws IOException {
        Set<String> keptNames = new TreeSet<>();
        listGenerations()
                .forEach(generation -> keptNames.add(generation.getFileName().toString()));
        for (String name : keptNames) {
            if (!Files.isDirectory(folder.resolve(name))) {
                copy(name);
            }
        }
        for (String name : listNames()) {
            if (!keptNames.contains(name)) {
                DurableFiles.deleteTree(folder.resolve(name));
            }
        }
    }

    private void copy(String name) throws IOException {
        Path incomplete = folder.resolve(NEW);
        DurableFiles.deleteTree(incomplete);
        Files.createDirectories(incomplete);
        Path generation = layer.resolveGeneration(name);
        for (KeyKind kind : KeyKind.values()) {
            copy(generation, incomplete, SnapshotFiles.nameHashesFile(kind));
        }
        copy(generation, incomplete, SnapshotManifest.FILE_NAME);
        DurableFiles.forceTree(incomplete);
        DurableFiles.rename(incomplete, folder.resolve(name));
    }

    private static void copy(Path from, Path to, String file) throws IOException {
        if (Files.exists(from.resolve(file))) {
            Files.copy(from.resolve(file), to.resolve(file));
        }
    }
}
