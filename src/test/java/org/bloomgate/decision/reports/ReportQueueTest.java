package org.bloomgate.decision.reports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.bloomgate.content.mime.MessageReader;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.limit.MessageLimits;
import org.bloomgate.core.limit.ReadingStopped;
import org.bloomgate.decision.journal.JournalOptions;
import org.bloomgate.decision.journal.JsonDecisionJournal;
import org.bloomgate.decision.reports.ReportQueue.Handling;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Reports from the delivery of their message until they are read.
class ReportQueueTest {
    private static final Instant NOW = Instant.parse("2031-05-06T07:08:09Z");
    private static final Reporter ANN = new Reporter("ann@corp.example", "192.0.2.0/24");
    private static final String REPORT = "From: ann@corp.example\r\n\r\nhttps://evil.example/\r\n";

    @TempDir
    Path state;

    private ReportStore store;
    private ReportQueue queue;

    private long nanos;

    /// Called when a message is read.
    private Runnable onReading = () -> {};

    @BeforeEach
    void open() throws IOException {
        store = new ReportStore(state.resolve("reports"));
        queue = open(state, 2);
    }

    private ReportQueue open(Path state, int maxReports) throws IOException {
        JournalOptions options = JournalOptions.defaults(state);
        JsonDecisionJournal decisions = new JsonDecisionJournal(options, () -> NOW);
        decisions.close();
        ReportReader reader = new ReportReader(
                new MessageReader(MessageLimits.defaults()),
                () -> {
                    onReading.run();
                    return PublicSuffixes.bundled();
                },
                new Originals(decisions, options.keys(), "mx.corp.example", InstantSource.fixed(NOW)),
                Set.of("corp.example"));
        Path folder = state.resolve("reports");
        return new ReportQueue(folder.resolve("queue"), reader, new ReportStore(folder), maxReports);
    }

    private Optional<Path> add(String token, Reporter reporter) {
        return add(token, reporter, REPORT);
    }

    private Optional<Path> add(String token, Reporter reporter, String report) {
        return queue.add(token, NOW, reporter, () -> new ByteArrayInputStream(report.getBytes(StandardCharsets.UTF_8)));
    }

    /// One round, after every pause.
    private void read() throws IOException {
        nanos += Duration.ofHours(1).toNanos();
        queue.readWaiting(nanos);
    }

    private List<Report> reports() throws IOException {
        return store.list(Instant.EPOCH, _ -> true, 9);
    }

    private long files() throws IOException {
        try (Stream<Path> files = Files.list(state.resolve("reports/queue"))) {
            return files.count();
        }
    }

    @Test
    void report_isReadOnceItsMessageIsDelivered() throws IOException {
        Path file = add("000000000001", ANN).orElseThrow();
        assertTrue(Files.exists(file));
        read();
        assertEquals(List.of(), reports());
        queue.end(file, true);
        read();
        Report report = reports().getFirst();
        assertEquals(ANN, report.voices().getFirst().reporter());
        assertEquals(NOW, report.voices().getFirst().time());
        assertEquals(0, files());
        assertEquals(0, queue.waiting());
        assertEquals(1, queue.total(Handling.READ));
    }

    @Test
    void report_ofADeferredMessage_isRemoved() throws IOException {
        queue.end(add("000000000001", ANN).orElseThrow(), false);
        read();
        assertEquals(List.of(), reports());
        assertEquals(0, files());
    }

    /// The process ended between the delivery of the message and the reading of the report.
    @Test
    void earlierReports_areReadAfterARestart() throws IOException {
        assertTrue(add("000000000001", ANN).isPresent());
        Files.writeString(state.resolve("reports/queue/000000000002.tmp"), "torn");
        queue = open(state, 2);
        assertEquals(1, queue.waiting());
        read();
        assertEquals(1, reports().size());
        assertEquals(0, files());
    }

    @Test
    void sameMessageTwice_isOneReportOfOneReporter() throws IOException {
        queue.end(add("000000000001", ANN).orElseThrow(), true);
        queue.end(add("000000000002", ANN).orElseThrow(), true);
        read();
        assertEquals(1, reports().size());
        assertEquals(1, reports().getFirst().voices().size());
    }

    @Test
    void waitingReports_atBoundAndBeyond() throws IOException {
        queue.end(add("000000000001", ANN).orElseThrow(), true);
        queue.end(add("000000000002", ANN).orElseThrow(), true);
        assertEquals(Optional.empty(), add("000000000003", ANN));
        assertEquals(1, queue.total(Handling.DEFERRED));
        assertEquals(2, files());
        read();
        assertTrue(add("000000000004", ANN).isPresent());
    }

    @Test
    void reportThatCannotBeWritten_isDeferred() throws IOException {
        Files.createDirectories(state.resolve("reports"));
        Files.writeString(state.resolve("reports/queue"), "not a folder");
        assertEquals(Optional.empty(), add("000000000001", ANN));
        assertEquals(0, queue.waiting());
    }

    @Test
    void reportThatCannotBeStored_stays() throws IOException {
        queue.end(add("000000000001", ANN).orElseThrow(), true);
        Files.createDirectory(state.resolve("reports/.lock"));
        read();
        assertEquals(1, files());
        Files.delete(state.resolve("reports/.lock"));
        read();
        assertEquals(1, reports().size());
    }

    private static Stream<Supplier<Throwable>> transientFaults() {
        return Stream.of(
                () -> new ReadingStopped(ReadingStopped.Reason.HEAP),
                () -> new OutOfMemoryError("simulated"),
                () -> new UncheckedIOException(new IOException("simulated")));
    }

    private static void raise(Throwable fault) {
        switch (fault) {
            case RuntimeException exception -> throw exception;
            case Error error -> throw error;
            default -> throw new IllegalStateException(fault);
        }
    }

    @ParameterizedTest
    @MethodSource("transientFaults")
    void reportThatCannotBeReadNow_stays(Supplier<Throwable> fault) throws IOException {
        queue.end(add("000000000001", ANN).orElseThrow(), true);
        onReading = () -> raise(fault.get());
        for (int i = 1; i < ReportQueue.MAX_FAILURES; i++) {
            read();
        }
        assertEquals(1, files());
        onReading = () -> {};
        read();
        assertEquals(1, reports().size());
        assertEquals(1, queue.total(Handling.READ));
        assertEquals(0, queue.total(Handling.IGNORED));
    }

    @ParameterizedTest
    @MethodSource("transientFaults")
    void reportThatCannotBeRead_doesNotBlockTheNext(Supplier<Throwable> fault) throws IOException {
        queue.end(add("000000000001", ANN).orElseThrow(), true);
        queue.end(add("000000000002", ANN, "Subject: next\r\n" + REPORT).orElseThrow(), true);
        for (int i = 1; i < ReportQueue.MAX_FAILURES; i++) {
            failsOnce(fault.get());
            read();
        }
        assertEquals("next", reports().getFirst().message().subject());
        assertEquals(1, files());
        failsOnce(fault.get());
        read();
        assertEquals(1, queue.total(Handling.IGNORED));
        assertEquals(0, queue.waiting());
    }

    private void failsOnce(Throwable fault) {
        onReading = () -> {
            onReading = () -> {};
            raise(fault);
        };
    }

    /// What cannot be opened, at the beginning, in the middle and at the end of the queue.
    @ParameterizedTest
    @CsvSource({"1, 0", "1, 1", "1, 2", "3, 0", "3, 1", "9, 2"})
    void fileThatCannotBeOpened_doesNotStopTheOthers(int broken, int before) throws IOException {
        queue = open(state, 99);
        for (int i = 0; i < 2; i++) {
            breakFiles(i == before, broken, 10 * i);
            String subject = "Subject: " + i + "\r\n";
            queue.end(add("%012d".formatted(10 * i + 9), ANN, subject + REPORT).orElseThrow(), true);
        }
        breakFiles(before == 2, broken, 20);
        read();
        assertEquals(2, reports().size());
        assertEquals(broken, files());
    }

    /// Files with an odd number are links to nothing.
    private void breakFiles(boolean isHere, int number, int first) throws IOException {
        for (int i = first; isHere && i < first + number; i++) {
            Path file = state.resolve("reports/queue/%013d-%012d.eml".formatted(NOW.toEpochMilli(), i));
            Files.createDirectories(i % 2 == 0 ? file : file.getParent());
            if (i % 2 == 1) {
                Files.createSymbolicLink(file, state.resolve("none"));
            }
        }
    }

    /// A round ends after some failures in a row; the next one begins behind them.
    @Test
    void manyBrokenFiles_delayAReport() throws IOException {
        breakFiles(true, ReportQueue.MAX_FAILURES_IN_A_ROW, 0);
        queue = open(state, 99);
        queue.end(add("000000000099", ANN).orElseThrow(), true);
        queue.readWaiting(0);
        assertEquals(0, reports().size());
        queue.readWaiting(1);
        assertEquals(1, reports().size());
    }

    @Test
    void brokenReport_isReadAgainAfterAPause() throws IOException {
        Path file = add("000000000001", ANN).orElseThrow();
        queue.end(file, true);
        Path good = Files.move(file, state.resolve("good"));
        Files.createDirectory(file);
        queue.readWaiting(0);
        long pause = ReportQueue.RETRY.toNanos();
        queue.readWaiting(pause);
        Files.move(good, file, StandardCopyOption.REPLACE_EXISTING);
        queue.readWaiting(3 * pause - 1);
        assertEquals(0, reports().size());
        queue.readWaiting(3 * pause);
        assertEquals(1, reports().size());
    }

    @ParameterizedTest
    @CsvSource({
        "'Tue, 6 May 2031 07:08:08 +0000', 2031-05-06T07:08:08Z",
        "'Tue, 6 May 2031 09:08:08 +0200 (CEST)', 2031-05-06T07:08:08Z",
        "'Tue, 6 May 2031 07:08:10 +0000', 2031-05-06T07:08:09Z",
        "'Thu, 1 Jan 1970 00:00:00 +0000', 2031-03-22T07:08:09Z",
        "yesterday, 2031-05-06T07:08:09Z"
    })
    void reportThatIsSentAgain_isNotNew(String date, Instant time) throws IOException {
        queue.end(add("000000000001", ANN, "Date: " + date + "\r\n" + REPORT).orElseThrow(), true);
        read();
        assertEquals(time, reports().getFirst().voices().getFirst().time());
    }

    @Test
    void providerAndDamage_areIgnored() throws IOException {
        queue.end(add("000000000001", new Reporter("", "192.0.2.0/24")).orElseThrow(), true);
        Files.writeString(state.resolve("reports/queue/0-damaged.eml"), "no field");
        read();
        assertEquals(2, queue.total(Handling.IGNORED));
        assertEquals(List.of(), reports());
        assertEquals(0, files());
    }
}
