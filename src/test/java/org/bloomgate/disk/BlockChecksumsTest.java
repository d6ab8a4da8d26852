package org.bloomgate.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlockChecksumsTest {
    private static final int BLOCK = BlockChecksums.BLOCK_BYTES;

    @TempDir
    private Path folder;

    private final Random random = new Random(7);

    private Path file(String name, int length) throws IOException {
        byte[] octets = new byte[length];
        random.nextBytes(octets);
        return Files.write(folder.resolve(name), octets);
    }

    /// The check values of both in the catalogue of parametrised CRC algorithms.
    @Test
    void oneTwoThreeHasTheValuesOfTheStandards() throws Exception {
        Path file = Files.writeString(folder.resolve("check"), "123456789", StandardCharsets.US_ASCII);
        assertEquals(List.of(List.of(0xe3069283cbf43926L)), BlockChecksums.of(List.of(file)));
    }

    @Test
    void aFileHasAsManyAsItBeginsBlocks() throws Exception {
        List<Path> files = new ArrayList<>();
        List<Integer> expected = new ArrayList<>();
        for (int length : new int[] {0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 17 * BLOCK, 16 * BLOCK}) {
            files.add(file("f" + length, length));
            expected.add((int) BlockChecksums.count(length));
        }
        assertEquals(List.of(0, 1, 1, 1, 2, 17, 16), expected);
        assertEquals(expected, BlockChecksums.of(files).stream().map(List::size).toList());
    }

    @Test
    void inPiecesOnAllProcessorsTheyAreThoseOfOneReading() throws Exception {
        List<Path> files = List.of(file("large", 35 * BLOCK + 7), file("empty", 0), file("small", 12345));
        List<List<Long>> oneByOne = new ArrayList<>();
        List<FileDigest> digests = FileDigest.of(files);
        for (Path file : files) {
            BlockChecksums checksums = new BlockChecksums();
            ByteBuffer octets = ByteBuffer.wrap(Files.readAllBytes(file));
            while (octets.hasRemaining()) {
                int length = Math.min(octets.remaining(), 1 + random.nextInt(2 * BLOCK));
                checksums.update(octets.slice(octets.position(), length));
                octets.position(octets.position() + length);
            }
            oneByOne.add(checksums.finish());
        }
        assertEquals(oneByOne, BlockChecksums.of(files));
        assertEquals(oneByOne, digests.stream().map(FileDigest::checksums).toList());
        assertEquals(Sha256.hex(files), digests.stream().map(FileDigest::sha256).toList());
    }

    @Test
    void aBitAnywhereChangesTheChecksumsOfItsBlockAlone() throws Exception {
        Path file = file("file", 2 * BLOCK + 100);
        byte[] octets = Files.readAllBytes(file);
        List<Long> before = BlockChecksums.of(List.of(file)).getFirst();
        for (int i = 0; i < 30; i++) {
            int at = random.nextInt(octets.length);
            octets[at] ^= (byte) (1 << random.nextInt(8));
            List<Long> after =
                    BlockChecksums.of(List.of(Files.write(file, octets))).getFirst();
            for (int block = 0; block < 3; block++) {
                if (block == at / BLOCK) {
                    assertNotEquals(before.get(block) >>> 32, after.get(block) >>> 32);
                    assertNotEquals((int) (long) before.get(block), (int) (long) after.get(block));
                } else {
                    assertEquals(before.get(block), after.get(block));
                }
            }
            before = after;
        }
    }

    @Test
    void theFirstDifferenceIsWhereABlockIsAnotherOrMissing() {
        assertEquals(OptionalLong.empty(), BlockChecksums.firstDifference(List.of(1L, 2L), List.of(1L, 2L)));
        assertEquals(OptionalLong.of(BLOCK), BlockChecksums.firstDifference(List.of(1L, 2L, 3L), List.of(1L, 3L, 2L)));
        assertEquals(OptionalLong.of(BLOCK), BlockChecksums.firstDifference(List.of(1L, 2L), List.of(1L)));
        assertEquals(OptionalLong.of(0), BlockChecksums.firstDifference(List.of(), List.of(1L)));
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        List<Path> files = List.of(folder.resolve("absent"));
        assertThrows(NoSuchFileException.class, () -> BlockChecksums.of(files));
    }
}
