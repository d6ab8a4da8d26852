package org.bloomgate.base.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WriteProbeTest {
    @TempDir
    private Path folder;

    @Test
    void aFolderThatTakesBytesIsFineAndLeftAsItWas() throws Exception {
        assertEquals(Optional.empty(), WriteProbe.findFault(folder));
        try (var left = Files.list(folder)) {
            assertEquals(0, left.count());
        }
    }

    @Test
    void aFolderThatIsNotThereIsTriedWhereItWouldBeMadeAndIsNotMade() {
        assertEquals(Optional.empty(), WriteProbe.findFault(folder.resolve("a/b")));
        assertFalse(Files.exists(folder.resolve("a")));
    }

    @Test
    void aFileIsNoFolderNorIsWhatWouldStandBelowIt() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "x");
        assertEquals(Optional.of(file + " is not a directory"), WriteProbe.findFault(file));
        assertEquals(Optional.of(file + " is not a directory"), WriteProbe.findFault(file.resolve("below")));
    }
}
