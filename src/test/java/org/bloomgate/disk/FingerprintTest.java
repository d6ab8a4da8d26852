package org.bloomgate.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FingerprintTest {
    @TempDir
    private Path folder;

    @Test
    void eachChangeOfAnOctetAndOfTheLengthShows() throws IOException {
        byte[] octets = new byte[2 * BlockChecksums.BLOCK_BYTES + 5];
        Path file = Files.write(folder.resolve("file"), octets);
        String quick = Fingerprint.of(file);
        String slow = Fingerprint.unforgeable(file);
        assertEquals(quick, Fingerprint.of(file));
        assertTrue(Fingerprint.isOf(file, quick) && Fingerprint.isOf(file, slow));
        for (int at : new int[] {0, BlockChecksums.BLOCK_BYTES - 1, BlockChecksums.BLOCK_BYTES, octets.length - 1}) {
            octets[at] = 1;
            Files.write(file, octets);
            assertFalse(Fingerprint.isOf(file, quick) || Fingerprint.isOf(file, slow), () -> "octet " + at);
            octets[at] = 0;
        }
        Files.write(file, new byte[octets.length + 1]);
        assertFalse(Fingerprint.isOf(file, quick) || Fingerprint.isOf(file, slow));
    }

    @Test
    void anEmptyFileHasOneToo() throws IOException {
        Path file = Files.createFile(folder.resolve("empty"));
        assertTrue(Fingerprint.isOf(file, Fingerprint.of(file)));
        assertFalse(Fingerprint.isOf(file, ""));
    }
}
