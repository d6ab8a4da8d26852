package org.bloomgate.decision.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.bloomgate.base.io.EndingDisk;
import org.bloomgate.decision.keyjournal.KeyJournalOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JsonDecisionJournalTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Decisions.NOON);

    @TempDir
    Path directory;

    private JsonDecisionJournal open(InstantSource clock) {
        return new JsonDecisionJournal(
                new JournalOptions(directory, 14, 1 << 20, true, KeyJournalOptions.defaults(Path.of("var"))), clock);
    }

    private void write(InstantSource clock, Decision... decisions) {
        try (JsonDecisionJournal journal = open(clock)) {
            List.of(decisions).forEach(journal::record);
        }
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void decision_isFoundByTokenBeforeAndAfterWriting() {
        Decision decision = Decisions.listed("000000000001");
        try (JsonDecisionJournal journal = open(CLOCK)) {
            journal.record(decision);
            assertEquals(Optional.of(decision), journal.find("000000000001"));
        }
        try (JsonDecisionJournal journal = open(CLOCK)) {
            assertEquals(Optional.of(decision), journal.find("000000000001"));
            assertEquals(Optional.empty(), journal.find("000000000002"));
            assertEquals(Optional.empty(), journal.find("evil.example"), "a token, not any text of the line");
        }
    }

    @Test
    void close_writesTheQueue() throws IOException {
        try (JsonDecisionJournal journal = new JsonDecisionJournal(
                new JournalOptions(directory, 14, 1 << 30, true, KeyJournalOptions.defaults(Path.of("var"))), CLOCK)) {
            for (int i = 0; i < 1_000; i++) {
                journal.record(Decisions.listed("%012d".formatted(i)));
            }
        }
        assertEquals(
                1_000, Files.readAllLines(directory.resolve("2026-03-05.jsonl")).size());
    }

    @Test
    void fullQueue_dropsCleanMailFirst() throws InterruptedException {
        CountDownLatch writing = new CountDownLatch(1);
        CountDownLatch diskIsBack = new CountDownLatch(1);
        InstantSource stalled = () -> {
            writing.countDown();
            try {
                diskIsBack.await();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            return Decisions.NOON;
        };
        try (JsonDecisionJournal journal = open(stalled)) {
            journal.record(Decisions.clean("000000000000"));
            writing.await();
            for (int i = 1; i <= JsonDecisionJournal.QUEUE; i++) {
                journal.record(Decisions.clean("%012d".formatted(i)));
            }
            int quarter = JsonDecisionJournal.QUEUE / 4;
            assertEquals(quarter, journal.dropped());
            for (int i = 1; i <= quarter; i++) {
                journal.record(Decisions.listed("9%011d".formatted(i)));
            }
            assertEquals(quarter, journal.dropped());
            journal.record(Decisions.listed("8%011d".formatted(0)));
            assertEquals(quarter + 1, journal.dropped());
            assertTrue(journal.find("000000000000").isPresent(), "in the hands of the writer");
            assertTrue(journal.find("900000000001").isPresent());
            diskIsBack.countDown();
        }
    }

    @Test
    void file_isNamedByUtcDayAndPrivate() throws IOException {
        write(InstantSource.fixed(Instant.parse("2026-03-05T23:59:59Z")), Decisions.listed("000000000001"));
        write(InstantSource.fixed(Instant.parse("2026-03-06T00:00:00Z")), Decisions.listed("000000000002"));
        assertEquals(List.of("2026-03-05.jsonl", "2026-03-06.jsonl"), files());
        assertEquals(
                "rw-------",
                PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("2026-03-05.jsonl"))));
    }

    private Path writeTorn() throws IOException {
        write(CLOCK, Decisions.listed("000000000001"), Decisions.listed("000000000002"));
        Path file = directory.resolve("2026-03-05.jsonl");
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, java.util.Arrays.copyOf(whole, whole.length - 40));
        return file;
    }

    @Test
    void tornLastLine_losesNothingElse() throws IOException {
        Path file = writeTorn();

        write(CLOCK, Decisions.listed("000000000003"));
        assertEquals(List.of("000000000001", "000000000003"), written(file));
    }

    @Test
    void tornLastLine_isCutOffBeforeWriting() throws IOException {
        Path file = writeTorn();
        try (JsonDecisionJournal journal = open(InstantSource.offset(CLOCK, Duration.ofDays(1)))) {
            journal.mend();
            assertEquals(List.of("000000000001"), written(file));
        }
    }

    @Test
    void fullDisk_leavesWholeLines() throws IOException {
        write(CLOCK, Decisions.listed("000000000001"));
        Path file = directory.resolve("2026-03-05.jsonl");
        long dropped = 1;
        for (int steps = 0; dropped > 0; steps++) {
            try (EndingDisk disk = EndingDisk.after(steps, EndingDisk.End.FULL)) {
                JsonDecisionJournal journal = new JsonDecisionJournal(
                        new JournalOptions(
                                disk.of(directory), 14, 1 << 20, true, KeyJournalOptions.defaults(Path.of("var"))),
                        CLOCK);
                journal.record(Decisions.listed("000000000002"));
                journal.close();
                dropped = journal.dropped();
            }
            assertEquals(
                    dropped > 0 ? List.of("000000000001") : List.of("000000000001", "000000000002"),
                    written(file),
                    "after steps: " + steps);
        }
    }

    /// The tokens of all lines, each of which must be a decision.
    private static List<String> written(Path file) throws IOException {
        String text = Files.readString(file);
        assertTrue(text.endsWith("\n"), text);
        return text.lines()
                .map(line -> DecisionLine.read(line).orElseThrow().token())
                .toList();
    }

    @Test
    void daysBeyondTheRetention_areDeleted() throws IOException {
        for (String day : List.of("2026-02-18", "2026-02-19", "2026-02-20-3", "2026-03-04")) {
            Files.writeString(directory.resolve(day + ".jsonl"), "{}\n");
        }
        Files.writeString(directory.resolve("2026-02-30.jsonl"), "no day");
        Files.writeString(directory.resolve("notes.txt"), "not the journal's");
        write(CLOCK, Decisions.listed("000000000001"));
        assertEquals(
                List.of("2026-02-20-3.jsonl", "2026-02-30.jsonl", "2026-03-04.jsonl", "2026-03-05.jsonl", "notes.txt"),
                files());
    }

    @Test
    void allFiles_stayWithinMaxBytes() throws IOException {
        long maxBytes = 64 * 1024;
        for (int run = 0; run < 40; run++) {
            try (JsonDecisionJournal journal = new JsonDecisionJournal(
                    new JournalOptions(directory, 14, maxBytes, true, KeyJournalOptions.defaults(Path.of("var"))),
                    CLOCK)) {
                for (int i = 0; i < 10; i++) {
                    journal.record(Decisions.listed("%012d".formatted(run * 10 + i)));
                }
            }
            long bytes = 0;
            for (String file : files()) {
                bytes += Files.size(directory.resolve(file));
            }
            assertTrue(bytes <= maxBytes, bytes + " bytes");
        }
        try (JsonDecisionJournal journal = open(CLOCK)) {
            assertTrue(journal.find("000000000399").isPresent());
            assertEquals(Optional.empty(), journal.find("000000000000"));
        }
    }

    @Test
    void unwritableDirectory_countsLostDecisions() throws IOException {
        Path blocked = Files.writeString(directory.resolve("file"), "not a directory");
        JsonDecisionJournal journal = new JsonDecisionJournal(
                new JournalOptions(blocked, 14, 1 << 20, true, KeyJournalOptions.defaults(Path.of("var"))), CLOCK);
        journal.record(Decisions.listed("000000000001"));
        journal.close();
        assertEquals(1, journal.dropped());
        assertEquals(Optional.empty(), journal.find("000000000001"));
        journal.record(Decisions.listed("000000000002"));
        assertEquals(2, journal.dropped(), "nothing is taken after closing");
    }
}
