package org.bloomgate.base.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AppendedLinesTest {
    @TempDir
    private Path folder;

    private AppendedLines lines(long maxBytes) {
        return new AppendedLines(folder.resolve("lines"), maxBytes);
    }

    @Test
    void whatIsAppendedIsReadInOrder() throws IOException {
        assertEquals(List.of(), lines(1_000).read());
        lines(1_000).append(List.of("one", "two"));
        lines(1_000).append(List.of("three"));
        assertEquals(List.of("one", "two", "three"), lines(1_000).read());
    }

    @Test
    void aPartOfALineThatAKillLeftIsCutOff() throws IOException {
        lines(1_000).append(List.of("one"));
        Files.writeString(folder.resolve("lines"), "tor", StandardOpenOption.APPEND);
        assertEquals(List.of("one"), lines(1_000).read());
        lines(1_000).append(List.of("two"));
        assertEquals("one\ntwo\n", Files.readString(folder.resolve("lines")));
    }

    @Test
    void aDiskThatFillsUpLeavesWholeLines() throws IOException {
        lines(1_000).append(List.of("one"));
        boolean refused = true;
        for (int steps = 0; refused; steps++) {
            try (EndingDisk disk = EndingDisk.after(steps, EndingDisk.End.FULL)) {
                refused = refuses(new AppendedLines(disk.of(folder.resolve("lines")), 1_000), List.of("two", "three"));
            }
            assertEquals(
                    refused ? "one\n" : "one\ntwo\nthree\n",
                    Files.readString(folder.resolve("lines")),
                    "after steps: " + steps);
        }
    }

    private static boolean refuses(AppendedLines lines, List<String> added) {
        try {
            lines.append(added);
            return false;
        } catch (IOException full) {
            return true;
        }
    }

    @Test
    void bothFilesStayWithinTheBoundAndTheNewestHalfIsKept() throws IOException {
        for (int i = 0; i < 100; i++) {
            lines(100).append(List.of("line %02d".formatted(i)));
            assertTrue(bytes() <= 100, () -> "bytes " + bytes());
        }
        List<String> kept = lines(100).read();
        assertEquals("line 99", kept.getLast());
        assertTrue(kept.size() >= 100 / 2 / 8, kept::toString);
        assertEquals(
                IntStream.range(100 - kept.size(), 100)
                        .mapToObj("line %02d"::formatted)
                        .toList(),
                kept);
    }

    private long bytes() {
        return List.of("lines", "lines.1").stream()
                .map(folder::resolve)
                .mapToLong(file -> file.toFile().length())
                .sum();
    }

    @Test
    void aLineAtTheLimitIsKeptAndALongerOneRefusedWithAllBesideIt() throws IOException {
        String longest = "x".repeat(AppendedLines.MAX_LINE_BYTES - 1);
        lines(1 << 20).append(List.of(longest));
        assertThrows(IOException.class, () -> lines(1 << 20).append(List.of("short", longest + "x")));
        assertEquals(List.of(longest), lines(1 << 20).read());
    }

    @Test
    void writersAtATimeLoseNothing() throws InterruptedException, IOException {
        ConcurrentLinkedQueue<IOException> faults = new ConcurrentLinkedQueue<>();
        List<Thread> writers = IntStream.range(0, 4)
                .mapToObj(writer -> Thread.startVirtualThread(() -> {
                    for (int i = 0; i < 10; i++) {
                        try {
                            lines(1 << 20).append(List.of(writer + " " + i));
                        } catch (IOException e) {
                            faults.add(e);
                        }
                    }
                }))
                .toList();
        for (Thread writer : writers) {
            writer.join();
        }
        assertEquals(List.of(), List.copyOf(faults));
        assertEquals(40, lines(1 << 20).read().stream().distinct().count());
    }
}
