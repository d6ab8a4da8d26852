package org.bloomgate.base.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BoundedRecordsTest {
    private static final int MAX = 1 << 16;
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.EPOCH);

    @TempDir
    Path folder;

    /// Lines whose first word is their holder.
    private record Lines() implements BoundedRecords.Format<String> {
        @Override
        public void read(Path file, BoundedRecords.Visitor<String> visitor) throws IOException {
            try {
                for (String line : Files.readAllLines(file)) {
                    visitor.record(
                            line.substring(0, line.indexOf(' ')),
                            ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
                }
            } catch (NoSuchFileException gone) {
                return;
            }
        }

        @Override
        public String describe(String holder) {
            return holder;
        }
    }

    private BoundedRecords<String> open() throws IOException {
        BoundedRecords<String> bound = new BoundedRecords<>("test", MAX, new Lines(), CLOCK);
        bound.measure(files());
        return bound;
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> !file.getFileName().toString().startsWith("."))
                    .sorted()
                    .toList();
        }
    }

    private void append(BoundedRecords<String> bound, String file, String holder, int number) throws IOException {
        String line = holder + " " + "%06d".formatted(number) + " " + "x".repeat(90) + "\n";
        if (!bound.hasRoom(holder, line.length())) {
            bound.makeRoom(holder, line.length(), files());
        }
        Files.writeString(folder.resolve(file), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        bound.add(holder, line.length());
    }

    private List<String> lines(String holder) throws IOException {
        List<String> lines = new ArrayList<>();
        for (Path file : files()) {
            Files.readAllLines(file).stream()
                    .filter(line -> line.startsWith(holder + " "))
                    .forEach(lines::add);
        }
        return lines;
    }

    private long bytes() throws IOException {
        long bytes = 0;
        for (Path file : files()) {
            bytes += Files.size(file);
        }
        return bytes;
    }

    @Test
    void floodOfOneHolder_losesItsOwnOldest() throws IOException {
        BoundedRecords<String> bound = open();
        for (int i = 0; i < 5_000; i++) {
            if (i % 100 == 0) {
                append(bound, "file" + i / 1_000, "honest", i);
            }
            append(bound, "file" + i / 1_000, "flood", i);
            assertTrue(lines("flood").size() * 104L <= MAX / 8, "at " + i);
        }
        assertEquals(50, lines("honest").size());
        List<String> flood = lines("flood");
        assertTrue(flood.getLast().startsWith("flood 004999"), flood::getLast);
        assertEquals(5_000 - flood.size(), bound.countEvicted());
        assertTrue(flood.size() * 104 > MAX / 8 / 2, "" + flood.size());
    }

    @Test
    void countsAreTheSameAfterARestart() throws IOException {
        BoundedRecords<String> bound = open();
        for (int i = 0; i < 60; i++) {
            append(bound, "file0", "flood", i);
        }
        for (int i = 60; i < 300; i++) {
            append(open(), "file1", "flood", i);
            assertTrue(lines("flood").size() * 104L <= MAX / 8, "at " + i);
        }
    }

    @Test
    void floodOfManyHolders_leavesThoseWithLittle() throws IOException {
        BoundedRecords<String> bound = open();
        for (int i = 0; i < 10; i++) {
            append(bound, "file0", "honest", i);
        }
        for (int i = 0; i < 3_000; i++) {
            append(bound, "file" + i / 1_000, "flood" + i % 20, i);
            assertTrue(bytes() <= MAX, "at " + i);
        }
        assertEquals(10, lines("honest").size());
        assertTrue(lines("flood7").size() > 10);
    }

    @Test
    void holdersWithOneRecordEach_loseTheOldest() throws IOException {
        BoundedRecords<String> bound = open();
        for (int i = 0; i < 2_000; i++) {
            append(bound, "file" + i / 100, "h" + i, i);
            assertTrue(bytes() <= MAX, "at " + i);
        }
        assertEquals(1, lines("h1999").size());
        assertEquals(0, lines("h0").size());
        assertTrue(bytes() > MAX / 8 * 6, "" + bytes());
    }

    @Test
    void endAtAnyStepOfARewrite_losesNoneOfTheOthers() throws IOException {
        boolean over = true;
        for (int steps = 0; over; steps++) {
            for (Path file : files()) {
                Files.delete(file);
            }
            BoundedRecords<String> before = open();
            for (int i = 0; i < 70; i++) {
                append(before, "file" + i / 30, i % 10 == 0 ? "honest" : "flood", i);
            }
            for (int i = 70; i < 85; i++) {
                Files.writeString(folder.resolve("file2"), "flood " + "x".repeat(90) + "\n", StandardOpenOption.APPEND);
            }
            try (EndingDisk disk = EndingDisk.after(steps, EndingDisk.End.KILLED)) {
                BoundedRecords<String> bound = new BoundedRecords<>("test", MAX, new Lines(), CLOCK);
                List<Path> files = files().stream().map(disk::of).toList();
                bound.measure(files);
                try {
                    bound.makeRoom("flood", 1_000, files);
                } catch (EndingDisk.Killed killed) {
                    assertTrue(disk.isOver());
                }
                over = disk.isOver();
            }
            assertEquals(7, lines("honest").size(), "after steps: " + steps);
            open().makeRoom("flood", 1_000, files());
            assertTrue(lines("flood").size() * 97L <= MAX / 8 - 1_000, "after steps: " + steps);
        }
    }
}
