package org.bloomgate.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class Sha256Test {
    /// The first example of FIPS 180.
    private static final String OF_ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    @TempDir
    private Path folder;

    @Test
    void octetsAndAFileOfThemHaveTheDigestOfTheStandard() throws Exception {
        byte[] abc = "abc".getBytes(StandardCharsets.US_ASCII);
        Path file = Files.write(folder.resolve("abc"), abc);

        assertEquals(OF_ABC, Sha256.hex(abc));
        assertEquals(OF_ABC, Sha256.hex(file));
    }
}
