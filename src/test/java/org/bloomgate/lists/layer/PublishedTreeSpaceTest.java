package org.bloomgate.lists.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bloomgate.base.io.DiskSpace;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.bloomgate.lists.snapshot.PublishedState;
import org.bloomgate.lists.snapshot.PublishedStateWriter;
import org.bloomgate.lists.snapshot.Snapshots;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A directory for web servers on a disk that is nearly full.
class PublishedTreeSpaceTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Snapshots.NOW);

    @TempDir
    private Path folder;

    private Path snapshots() {
        return folder.resolve("snapshots");
    }

    private Path written() {
        return folder.resolve("www/v1/snapshots");
    }

    private String publish(String domain) throws IOException {
        String generation = Snapshots.publish(snapshots(), "nightly", domain).generation();
        assertTrue(new PublishedStateWriter(snapshots(), Optional.empty(), Duration.ofHours(1), CLOCK).publish());
        return generation;
    }

    private PublishedTree on(long total, long usable) {
        return new PublishedTree(snapshots(), folder.resolve("www"), CLOCK, _ -> new DiskSpace(total, usable));
    }

    private List<String> listWritten() throws IOException {
        try (Stream<Path> entries = Files.list(written())) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        }
    }

    /// A twentieth of a disk of 2 GB, and a gibibyte of one of 2 TB.
    @ParameterizedTest
    @CsvSource({"2000000000, 100000000", "2000000000000, 1073741824"})
    void generationBeyondFreeSpace_isNotCopied(long total, long reserve) throws Exception {
        String first = publish("bad.example");
        assertTrue(on(total, total).update());
        String second = publish("evil.example");
        long size = 0;
        for (Path file :
                DurableFiles.regularFiles(new LayerDirectory(snapshots(), "nightly").resolveGeneration(second))) {
            size += Files.size(file);
        }

        PublishedTree full = on(total, reserve + size - 1);
        IOException e = assertThrows(IOException.class, full::update);
        assertTrue(e.toString().contains("no space: " + size + " bytes to write"), e::toString);
        assertEquals(List.of(first, PublishedState.FILE_NAME), listWritten());

        assertTrue(on(total, reserve + size).update());
        assertEquals(List.of(first, second, PublishedState.FILE_NAME), listWritten());
        assertFalse(on(total, 0).update(), "there is nothing to copy");
    }
}
