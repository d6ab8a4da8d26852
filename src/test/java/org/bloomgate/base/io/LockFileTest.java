package org.bloomgate.base.io;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LockFileTest {
    @TempDir
    private Path folder;

    @Test
    void oneHolderAtATimeGetsIt() throws Exception {
        try (LockFile _ = LockFile.tryHold(folder, ".lock").orElseThrow()) {
            assertTrue(LockFile.tryHold(folder, ".lock").isEmpty());
            assertTrue(LockFile.tryHold(folder.resolve("."), ".lock").isEmpty(), "by whatever path");
        }
        LockFile.tryHold(folder, ".lock").orElseThrow().close();
    }

    @Test
    void theFileStaysWhenItIsLetGo() throws Exception {
        LockFile.tryHold(folder.resolve("new"), ".lock").orElseThrow().close();

        assertTrue(Files.exists(folder.resolve("new", ".lock")));
    }
}
