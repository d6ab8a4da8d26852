package org.bloomgate.lists.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.lists.snapshot.LayerDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PastHashesTest {
    @TempDir
    private Path folder;

    private static String id(int number) {
        return "20261121T%02d%02d00Z-09af".formatted(number / 60, number % 60);
    }

    private Path made(String layer, int number) throws IOException {
        Path directory = Files.createDirectories(folder.resolve(layer).resolve(id(number)));
        Files.writeString(directory.resolve("manifest.json"), "{}");
        Files.writeString(directory.resolve("domain.bloom"), "bits");
        Files.writeString(directory.resolve("domain.hashes"), "hashes " + number);
        return directory;
    }

    private static List<String> names(List<Path> generations) {
        return generations.stream().map(one -> one.getFileName().toString()).toList();
    }

    @ParameterizedTest
    @CsvSource({"nightly, 7", "hourly, 48", "minutes, 48"})
    void hashes_outliveGenerationsByCadence(String layer, int kept) throws IOException {
        PastHashes past = new PastHashes(new LayerDirectory(folder, layer));
        for (int number = 0; number < kept + 2; number++) {
            Path generation = made(layer, number);
            past.update();
            DurableFiles.deleteTree(generation);
        }
        List<Path> left = past.listGenerations();
        assertEquals(kept, left.size());
        assertEquals(id(2), names(left).getFirst());
        assertEquals("hashes 2", Files.readString(left.getFirst().resolve("domain.hashes")));
        assertFalse(Files.exists(left.getFirst().resolve("domain.bloom")), "hashes and no more");
        assertFalse(Files.exists(folder.resolve(layer).resolve(".past").resolve(id(1))));
    }

    @Test
    void incompleteHashes_areReplaced() throws IOException {
        PastHashes past = new PastHashes(new LayerDirectory(folder, "nightly"));
        Path half = Files.createDirectories(folder.resolve("nightly/.past/.new"));
        Files.writeString(half.resolve("domain.hashes"), "hash");
        made("nightly", 1);
        assertEquals(List.of(id(1)), names(past.listGenerations()));
        past.update();
        assertFalse(Files.exists(half));
        assertTrue(Files.exists(folder.resolve("nightly/.past").resolve(id(1)).resolve("manifest.json")));
    }
}
