package org.bloomgate.base.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class Sha256Test {
    /// The first example of FIPS 180.
    private static final String OF_ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    @TempDir
    private Path folder;

    @Test
    void bytesAndAFileOfThemHaveTheDigestOfTheStandard() throws Exception {
        byte[] abc = "abc".getBytes(StandardCharsets.US_ASCII);
        Path file = Files.write(folder.resolve("abc"), abc);

        assertEquals(OF_ABC, Sha256.hex(abc));
        assertEquals(OF_ABC, Sha256.hex(file));
    }

    @Test
    void severalFilesHaveTheDigestsTheyHaveOneByOne() throws Exception {
        List<Path> files = new ArrayList<>();
        List<String> digests = new ArrayList<>();
        for (int length : new int[] {3, 5 << 20, 0, 9 << 20, 1 << 20, 3}) {
            byte[] bytes = new byte[length];
            Arrays.fill(bytes, (byte) files.size());
            files.add(Files.write(folder.resolve("file" + files.size()), bytes));
            digests.add(Sha256.hex(bytes));
        }

        assertEquals(digests, Sha256.hex(files));
        assertEquals(digests.subList(0, 1), Sha256.hex(files.subList(0, 1)));
        assertEquals(List.of(), Sha256.hex(List.of()));
    }

    @Test
    void anInterruptedReadingOfSeveralFilesEndsAsSuch() throws Exception {
        Path file = Files.write(folder.resolve("large"), new byte[9 << 20]);

        Thread.currentThread().interrupt();

        assertThrows(IOException.class, () -> Sha256.hex(List.of(file, file)));
        assertTrue(Thread.interrupted());
    }
}
