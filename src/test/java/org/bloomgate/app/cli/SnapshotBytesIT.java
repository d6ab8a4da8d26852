package org.bloomgate.app.cli;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.bloomgate.base.io.Sha256;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The bytes of the snapshot that a rebuild makes of the samples at a fixed time with a fixed seed, compared with a
/// recorded state. Run with `-Dcontract.record=true` to record a new state after a change that is meant.
class SnapshotBytesIT {
    private static final Path RECORDED = Path.of("src/test/resources/contract");

    /// A file with digests of all others and the random part of the generation.
    private static final Set<String> VARIES = Set.of("manifest.json");

    @TempDir
    private Path folder;

    @Test
    void rebuildOfTheSamples_givesTheRecordedBytes() throws IOException {
        Path snapshots = folder.resolve("snapshots");
        Invocation rebuild = Invocation.of(
                "",
                List.of(
                        "rebuild",
                        "--all",
                        "--created-at",
                        "2026-01-02T03:04:05Z",
                        "--seed",
                        "5",
                        "--set",
                        "snapshots=" + snapshots,
                        "--set",
                        "local.directory=" + folder.resolve("local"),
                        "--set",
                        "journal.directory=" + folder.resolve("decisions"),
                        "--set",
                        "journal.keys.directory=" + folder.resolve("keys")));
        assertEquals(0, rebuild.status(), rebuild::err);
        Invocation inspect = Invocation.of("", List.of("inspect", "--digest", "--set", "snapshots=" + snapshots));
        assertEquals(0, inspect.status(), inspect::err);
        Path layer = snapshots.resolve("nightly");
        String generation = Files.readString(layer.resolve("current")).strip();
        try (Stream<Path> files = Files.list(layer.resolve(generation))) {
            String images = files.filter(Files::isRegularFile)
                    .map(SnapshotBytesIT::digest)
                    .sorted()
                    .collect(joining("\n", "", "\n"));
            compare("snapshot.txt", inspect.out().replace(generation, "GENERATION") + images);
        }
    }

    private static String digest(Path file) {
        try {
            String name = file.getFileName().toString();
            return VARIES.contains(name) ? name : name + " " + Sha256.hex(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void compare(String name, String now) throws IOException {
        Path file = RECORDED.resolve(name);
        if (Boolean.getBoolean("contract.record")) {
            Files.writeString(file, now);
        }
        assertEquals(Files.readString(file), now);
    }
}
