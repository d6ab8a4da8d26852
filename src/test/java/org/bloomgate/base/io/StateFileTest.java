package org.bloomgate.base.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(20)
class StateFileTest {
    private static final byte[] BYTES = {1, 2, 3};

    @TempDir
    private Path folder;

    private Path file() {
        return folder.resolve("file");
    }

    private void assertRefused(String why) {
        for (StandardOpenOption option : new StandardOpenOption[] {StandardOpenOption.READ, StandardOpenOption.WRITE}) {
            IOException refused = assertThrows(
                    StateFile.RefusedException.class,
                    () -> StateFile.open(file(), BYTES.length, option, StandardOpenOption.CREATE));
            assertEquals(file() + ": " + why + "; move it away or restore it", refused.getMessage());
        }
    }

    @Test
    void fileOfTheBound_isRead() throws IOException {
        Files.write(file(), BYTES);
        assertArrayEquals(BYTES, StateFile.bytes(file(), BYTES.length));
    }

    @Test
    void longerFile_isRefused() throws IOException {
        Files.write(file(), new byte[BYTES.length + 1]);
        assertRefused("longer than 3 bytes");
    }

    @Test
    void pipe_isRefusedAndDoesNotBlock() throws Exception {
        assertEquals(0, new ProcessBuilder("mkfifo", file().toString()).start().waitFor());
        assertRefused("not a regular file");
    }

    @Test
    void folder_isRefused() throws IOException {
        Files.createDirectory(file());
        assertRefused("not a regular file");
    }

    @Test
    void link_isRefusedWhereverItLeads() throws IOException {
        for (String to : new String[] {
            "/dev/zero", "nowhere", Files.write(folder.resolve("whole"), BYTES).toString()
        }) {
            Files.deleteIfExists(file());
            Files.createSymbolicLink(file(), Path.of(to));
            assertRefused("a symbolic link");
        }
    }

    @Test
    void linkedFolder_isFollowed() throws IOException {
        Path real = Files.createDirectory(folder.resolve("real"));
        Files.write(real.resolve("file"), BYTES);
        Path link = Files.createSymbolicLink(folder.resolve("link"), real);
        assertArrayEquals(BYTES, StateFile.bytes(link.resolve("file"), BYTES.length));
    }

    @Test
    void missingFile_isMissingUnlessItIsCreated() throws IOException {
        assertThrows(NoSuchFileException.class, () -> StateFile.bytes(file(), 1));
        try (FileChannel _ = StateFile.open(file(), 1, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            assertTrue(Files.isRegularFile(file()));
        }
    }

    /// Where the tests run as root, who may give files away.
    @Test
    void fileOfAnotherUser_isRefusedUnlessTheFolderIsTheirs() throws IOException {
        Files.write(file(), BYTES);
        if (Files.getAttribute(folder, "unix:uid").equals(0)) {
            Files.setAttribute(file(), "unix:uid", 64_000);
            assertRefused("belongs to user 64000, who does not own its folder");
            Files.setAttribute(folder, "unix:uid", 64_000);
        }
        assertArrayEquals(BYTES, StateFile.bytes(file(), BYTES.length));
    }
}
