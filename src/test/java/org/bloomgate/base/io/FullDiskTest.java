package org.bloomgate.base.io;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FullDiskTest {
    @TempDir
    private Path folder;

    @Test
    void aDiskWithoutRoomIsToldByWhatItSaysOrByTheRoomItHas() {
        assertTrue(FullDisk.isCauseOf(new IOException("No space left on device"), folder, 1));
        assertTrue(FullDisk.isCauseOf(new IOException("Disk quota exceeded"), folder, 1));
        assertTrue(FullDisk.isCauseOf(new IOException("anything"), folder, Long.MAX_VALUE));
    }

    @Test
    void anotherFaultIsNone() {
        assertFalse(FullDisk.isCauseOf(new IOException("Input/output error"), folder, 1));
        assertFalse(FullDisk.isCauseOf(new IOException("Input/output error"), folder.resolve("gone"), 1));
    }
}
