package org.bloomgate.base.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MappedFilesTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1})
    void whatIsWrittenToMemoryIsInTheFile(int size, @TempDir Path directory) throws Exception {
        Path file = directory.resolve("mapped");
        byte[] bytes = new byte[size];
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mapped = MappedFiles.create(file, size, arena);
            assertArrayEquals(bytes, mapped.toArray(ValueLayout.JAVA_BYTE));
            if (size > 0) {
                bytes[size - 1] = 7;
                mapped.set(ValueLayout.JAVA_BYTE, size - 1, (byte) 7);
            }
        }
        assertArrayEquals(bytes, Files.readAllBytes(file));
    }

    @Test
    void temporaryRoomHasNoNameAndCanBeWritten(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("waiting");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment room = MappedFiles.temporary(file, 1 << 21, arena);
            assertFalse(Files.exists(file));
            room.fill((byte) 1);
            assertEquals(1, room.get(ValueLayout.JAVA_BYTE, (1 << 21) - 1));
        }
    }

    @Test
    void aFileThatIsThereIsLeftAlone(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("mapped"), "somebody's");
        try (Arena arena = Arena.ofConfined()) {
            assertThrows(FileAlreadyExistsException.class, () -> MappedFiles.create(file, 4, arena));
            assertThrows(FileAlreadyExistsException.class, () -> MappedFiles.temporary(file, 4, arena));
        }
        assertEquals("somebody's", Files.readString(file));
    }
}
