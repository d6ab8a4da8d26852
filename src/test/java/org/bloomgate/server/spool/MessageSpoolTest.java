package org.bloomgate.server.spool;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageSpoolTest {
    private static final int MEMORY_BYTES = 1_000;
    private static final int MAX_BYTES = 100_000;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 999, 1_000, 1_001, 2_000, 54_321, 100_000})
    void whatWasWrittenIsReadBackMoreThanOnce(int size) throws IOException {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        try (MessageSpool spool = spool(directory)) {
            for (int at = 0; at < size; at += 700) {
                spool.write(bytes, at, Math.min(size, at + 700));
            }
            assertEquals(Optional.empty(), spool.fault());
            assertEquals(size, spool.sizeBytes());
            assertArrayEquals(bytes, read(spool));
            assertArrayEquals(bytes, read(spool));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 1_000, 1_001, 1_002, 2_000, 54_321})
    void theEndOfAMessageIsKnownWhereverItIsHeld(int size) throws IOException {
        byte[] bytes = new byte[size];
        bytes[size - 2] = '\r';
        bytes[size - 1] = '\n';
        try (MessageSpool spool = spool(directory)) {
            assertTrue(spool.endsWithCrlf());
            spool.write(bytes, 0, size - 2);
            assertEquals(size == 2, spool.endsWithCrlf());
            spool.write(bytes, size - 2, size);
            assertTrue(spool.endsWithCrlf());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {32_767, 32_768, 32_769, 65_535, 65_536, 65_537, 80_000, 80_001, 98_304, 100_000})
    void aMessageOfManyBlocksIsReadBackWhereverTheyEnd(int size) throws IOException {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        bytes[size - 1] = '\n';
        MemoryBudget budget = new MemoryBudget(MAX_BYTES);
        try (MessageSpool spool = new MessageSpool(budget, 80_000, directory, MAX_BYTES)) {
            for (int at = 0; at < size; at += 10_007) {
                spool.write(bytes, at, Math.min(size, at + 10_007));
            }
            assertEquals(size, spool.sizeBytes());
            assertTrue(spool.endsWithCrlf());
            assertArrayEquals(bytes, read(spool));
            ByteArrayOutputStream transferred = new ByteArrayOutputStream();
            spool.open().transferTo(transferred);
            assertArrayEquals(bytes, transferred.toByteArray());
        }
        assertTrue(budget.take(MAX_BYTES));
    }

    @Test
    void twoReadersDoNotDisturbEachOther() throws IOException {
        byte[] bytes = new byte[5_000];
        Arrays.fill(bytes, 3_000, 5_000, (byte) 1);
        try (MessageSpool spool = spool(directory)) {
            spool.write(bytes, 0, bytes.length);
            try (InputStream first = spool.open();
                    InputStream second = spool.open()) {
                assertEquals(3_000, first.readNBytes(3_000).length);
                assertEquals(0, second.read());
                assertEquals(1, first.read());
            }
        }
    }

    @Test
    void theTemporaryFileIsGone() throws IOException {
        try (MessageSpool spool = spool(directory)) {
            spool.write(new byte[10_000], 0, 10_000);
        }
        assertNoFiles();
    }

    @Test
    void oneByteTooManyIsTooLargeAndLeavesNothing() throws IOException {
        try (MessageSpool spool = spool(directory)) {
            spool.write(new byte[MAX_BYTES], 0, MAX_BYTES);
            spool.write(new byte[1], 0, 1);
            spool.write(new byte[1], 0, 1);
            assertEquals(Optional.of(MessageSpool.Fault.TOO_LARGE), spool.fault());
            assertNoFiles();
        }
    }

    @Test
    void aDiskThatCannotBeWrittenIsAFaultOfItsOwn() {
        try (MessageSpool spool = spool(directory.resolve("missing"))) {
            spool.write(new byte[10_000], 0, 10_000);
            assertEquals(Optional.of(MessageSpool.Fault.DISK), spool.fault());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 999, 1_000, 1_001, 54_321})
    void aMessageWithoutAShareOfTheMemoryIsHeldAllTheSame(int size) throws IOException {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        MemoryBudget budget = new MemoryBudget(MEMORY_BYTES);
        try (MessageSpool first = spool(budget, directory);
                MessageSpool second = spool(budget, directory)) {
            assertFalse(budget.take(1));
            second.write(bytes, 0, size);
            assertArrayEquals(bytes, read(second));
            first.write(bytes, 0, size);
            assertArrayEquals(bytes, read(first));
        }
    }

    @Test
    void sharesAreGivenBackOnce() throws IOException {
        MemoryBudget budget = new MemoryBudget(MEMORY_BYTES);
        for (int i = 0; i < 3; i++) {
            MessageSpool spool = spool(budget, directory);
            spool.write(new byte[MAX_BYTES], 0, MAX_BYTES);
            spool.write(new byte[1], 0, 1);
            spool.close();
            spool.close();
            assertTrue(budget.take(MEMORY_BYTES));
            assertFalse(budget.take(1));
            budget.giveBack(MEMORY_BYTES);
        }
    }

    @Test
    void aMessageGrowsWhileTheBudgetLasts() throws IOException {
        MemoryBudget budget = new MemoryBudget(40_000);
        byte[] bytes = new byte[90_000];
        new Random(1).nextBytes(bytes);
        try (MessageSpool spool = new MessageSpool(budget, 80_000, directory, MAX_BYTES)) {
            spool.write(bytes, 0, 10_000);
            spool.write(bytes, 10_000, 90_000);
            assertArrayEquals(bytes, read(spool));
            assertTrue(budget.take(7_000));
        }
        assertFalse(budget.take(33_001));
        assertTrue(budget.take(33_000));
    }

    @Test
    void blocksGoBackWhenTheMessageEnds() throws IOException {
        MemoryBudget budget = new MemoryBudget(200_000);
        byte[] bytes = new byte[60_000];
        new Random(2).nextBytes(bytes);
        try (MessageSpool small = new MessageSpool(budget, 100_000, directory, MAX_BYTES);
                MessageSpool large = new MessageSpool(budget, 100_000, directory, MAX_BYTES)) {
            small.write(bytes, 0, 30_000);
            large.write(bytes, 0, 30_000);
            assertEquals(0, budget.blocks().freeBlocks());
            large.write(bytes, 30_000, 60_000);
            assertEquals(0, budget.blocks().freeBlocks());
            assertArrayEquals(bytes, read(large));
            assertArrayEquals(Arrays.copyOf(bytes, 30_000), read(small));
        }
        assertEquals(3, budget.blocks().freeBlocks());
    }

    @Test
    void aReaderLeftOpenReadsNothingOfTheNextMail() throws IOException {
        MemoryBudget budget = new MemoryBudget(100_000);
        MessageSpool first = new MessageSpool(budget, 100_000, directory, MAX_BYTES);
        first.write("first".getBytes(StandardCharsets.US_ASCII), 0, 5);
        InputStream leftOpen = first.open();
        first.close();
        try (MessageSpool next = new MessageSpool(budget, 100_000, directory, MAX_BYTES)) {
            next.write("other".getBytes(StandardCharsets.US_ASCII), 0, 5);
            assertThrows(IOException.class, leftOpen::read);
            assertThrows(IOException.class, () -> leftOpen.transferTo(OutputStream.nullOutputStream()));
        }
    }

    @Test
    void whatAKilledProcessLeftIsRemovedAndNothingElse() throws IOException {
        Files.createFile(directory.resolve("message-0123456789AB"));
        Path foreign = Files.createFile(directory.resolve("message-of-the-day"));
        MessageSpool.removeLeftovers(directory);
        try (Stream<Path> files = Files.list(directory)) {
            assertEquals(List.of(foreign), files.toList());
        }
    }

    private void assertNoFiles() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            assertEquals(0, files.count());
        }
    }

    private static byte[] read(MessageSpool spool) throws IOException {
        try (InputStream in = spool.open()) {
            return in.readAllBytes();
        }
    }

    private static MessageSpool spool(Path directory) {
        return spool(new MemoryBudget(MEMORY_BYTES), directory);
    }

    private static MessageSpool spool(MemoryBudget budget, Path directory) {
        return new MessageSpool(budget, MEMORY_BYTES, directory, MAX_BYTES);
    }
}
