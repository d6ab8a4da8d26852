package org.bloomgate.decision.reports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.bloomgate.decision.reports.ReportQueue.Count;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Reports between their delivery and their reading.
class ReportQueueTest {
    private static final Instant NOW = Instant.parse("2031-05-06T07:08:09Z");
    private static final Reporter ANN = new Reporter("ann@corp.example", "192.0.2.0/24");
    private static final String REPORT = "From: ann@corp.example\r\n\r\nhttps://evil.example/\r\n";

    @TempDir
    Path state;

    private ReportStore store;
    private ReportQueue queue;

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
        queue.readWaiting();
        assertEquals(List.of(), reports());
        queue.end(file, true);
        queue.readWaiting();
        Report report = reports().getFirst();
        assertEquals(ANN, report.voices().getFirst().reporter());
        assertEquals(NOW, report.voices().getFirst().time());
        assertEquals(0, files());
        assertEquals(0, queue.waiting());
        assertEquals(1, queue.total(Count.READ));
    }

    @Test
    void report_ofADeferredMessage_isRemoved() throws IOException {
        queue.end(add("000000000001", ANN).orElseThrow(), false);
        queue.readWaiting();
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
        queue.readWaiting();
        assertEquals(1, reports().size());
        assertEquals(0, files());
    }

    @Test
    void sameMessageTwice_isOneReportOfOneReporter() throws IOException {
        queue.end(add("000000000001", ANN).orElseThrow(), true);
        queue.end(add("000000000002", ANN).orElseThrow(), true);
        queue.readWaiting();
        assertEquals(1, reports().size());
        assertEquals(1, reports().getFirst().voices().size());
    }

    @Test
    void waitingReports_atBoundAndBeyond() throws IOException {
        queue.end(add("000000000001", ANN).orElseThrow(), true);
        queue.end(add("000000000002", ANN).orElseThrow(), true);
        assertEquals(Optional.empty(), add("000000000003", ANN));
        assertEquals(1, queue.total(Count.DEFERRED));
        assertEquals(2, files());
        queue.readWaiting();
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
        assertThrows(IOException.class, queue::readWaiting);
        assertEquals(1, files());
        Files.delete(state.resolve("reports/.lock"));
        queue.readWaiting();
        assertEquals(1, reports().size());
    }

    private static Stream<Supplier<Throwable>> passingFaults() {
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
    @MethodSource("passingFaults")
    void reportThatCannotBeReadNow_stays(Supplier<Throwable> fault) throws IOException {
        queue.end(add("000000000001", ANN).orElseThrow(), true);
        onReading = () -> raise(fault.get());
        for (int i = 1; i < ReportQueue.MAX_FAILURES; i++) {
            assertThrows(IOException.class, queue::readWaiting);
        }
        assertEquals(1, files());
        onReading = () -> {};
        queue.readWaiting();
        assertEquals(1, reports().size());
        assertEquals(1, queue.total(Count.READ));
        assertEquals(0, queue.total(Count.IGNORED));
    }

    @ParameterizedTest
    @MethodSource("passingFaults")
    void reportThatCannotBeRead_doesNotBlockTheNext(Supplier<Throwable> fault) throws IOException {
        queue.end(add("000000000001", ANN).orElseThrow(), true);
        queue.end(add("000000000002", ANN, "Subject: next\r\n" + REPORT).orElseThrow(), true);
        onReading = () -> raise(fault.get());
        for (int i = 1; i < ReportQueue.MAX_FAILURES; i++) {
            assertThrows(IOException.class, queue::readWaiting);
        }
        assertEquals(2, files());
        assertThrows(IOException.class, queue::readWaiting);
        assertEquals(1, files());
        assertEquals(1, queue.total(Count.IGNORED));
        onReading = () -> {};
        queue.readWaiting();
        assertEquals("next", reports().getFirst().message().subject());
        assertEquals(0, queue.waiting());
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
        queue.readWaiting();
        assertEquals(time, reports().getFirst().voices().getFirst().time());
    }

    @Test
    void providerAndDamage_areIgnored() throws IOException {
        queue.end(add("000000000001", new Reporter("", "192.0.2.0/24")).orElseThrow(), true);
        Files.writeString(state.resolve("reports/queue/0-damaged.eml"), "no field");
        queue.readWaiting();
        assertEquals(2, queue.total(Count.IGNORED));
        assertEquals(List.of(), reports());
        assertEquals(0, files());
    }
}
