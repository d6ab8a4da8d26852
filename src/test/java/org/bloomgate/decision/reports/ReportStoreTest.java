package org.bloomgate.decision.reports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.decision.reports.Report.State;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// One report of one message, within bounds.
class ReportStoreTest {
    private static final Instant NOW = Instant.parse("2031-05-06T07:08:09Z");

    @TempDir
    Path directory;

    private ReportStore store;

    @BeforeEach
    void open() {
        store = new ReportStore(directory);
    }

    private static Reporter reporter(String name) {
        return new Reporter(name + "@corp.example", "192.0.2.0/24");
    }

    private static ReportedMessage message(String token, String... hosts) {
        return new ReportedMessage(
                "invoice",
                "sender@bad.example",
                "1@bad.example",
                Optional.of(token).filter(text -> !text.isEmpty()),
                Optional.empty(),
                List.of(),
                List.of(hosts).stream()
                        .map(host -> new ReportedIdentifier(new Key(KeyKind.DOMAIN, host), "link", Optional.empty()))
                        .toList());
    }

    private List<String> ids() throws IOException {
        return store.list(Instant.EPOCH, _ -> true, 9).stream().map(Report::id).toList();
    }

    private Report report(String id) throws IOException {
        return store.find(id).orElseThrow();
    }

    @Test
    void laterReporter_joins() throws IOException {
        String id = store.add(NOW, reporter("ann"), message("0123456789AB", "one.example"));
        String same =
                store.add(NOW.plusSeconds(60), reporter("ben"), message("0123456789AB", "one.example", "two.example"));

        assertEquals(id, same);
        Report report = report(id);
        assertEquals(
                List.of("ann@corp.example", "ben@corp.example"),
                report.voices().stream()
                        .map(voice -> voice.reporter().mailbox())
                        .toList());
        assertEquals(
                List.of(List.of(0), List.of(0, 1)),
                report.voices().stream().map(Report.Voice::identifiers).toList());
        assertEquals(NOW.plusSeconds(60), report.lastReported());
    }

    @Test
    void sameReporter_countsOnce() throws IOException {
        String id = store.add(NOW, reporter("ann"), message("0123456789AB", "one.example"));
        store.add(NOW.plusSeconds(60), reporter("ann"), message("0123456789AB", "one.example"));

        assertEquals(1, report(id).voices().size());
    }

    @Test
    void sameMessageIdOfAnotherSender_isAnotherReport() throws IOException {
        ReportedMessage message = message("", "one.example");
        ReportedMessage forged = new ReportedMessage(
                message.subject(),
                "other@bad.example",
                message.messageId(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                message.identifiers());

        assertNotEquals(store.add(NOW, reporter("ann"), message), store.add(NOW, reporter("ben"), forged));
    }

    @Test
    void nextReporter_opensLaterButNotHarmless() throws IOException {
        String later = store.add(NOW, reporter("ann"), message("0123456789AB", "one.example"));
        String harmless = store.add(NOW, reporter("ann"), message("0123456789AC", "one.example"));
        store.change(later, report -> report.with(new Report.Outcome(State.LATER, "ola", NOW)));
        store.change(harmless, report -> report.with(new Report.Outcome(State.HARMLESS, "ola", NOW)));

        store.add(NOW, reporter("ben"), message("0123456789AB", "one.example"));
        store.add(NOW, reporter("ben"), message("0123456789AC", "one.example"));

        assertEquals(State.OPEN, report(later).outcome().state());
        assertEquals(State.HARMLESS, report(harmless).outcome().state());
    }

    @Test
    void identifiersAndVoices_areBounded() throws IOException {
        String[] hosts = IntStream.rangeClosed(0, ReportedMessage.MAX_IDENTIFIERS)
                .mapToObj(i -> "h" + i + ".example")
                .toArray(String[]::new);
        String id = "";
        for (int i = 0; i <= ReportStore.MAX_VOICES; i++) {
            id = store.add(NOW, reporter("r" + i), message("0123456789AB", hosts));
        }

        assertEquals(ReportStore.MAX_VOICES, report(id).voices().size());
        assertEquals(
                ReportedMessage.MAX_IDENTIFIERS,
                report(id).message().identifiers().size());
    }

    @Test
    void longTexts_areCut_longIdentifiersLeftOut() throws IOException {
        String longest = "h".repeat(ReportedMessage.MAX_TEXT);
        ReportedMessage message = new ReportedMessage(
                longest + "x",
                longest,
                "",
                Optional.empty(),
                Optional.empty(),
                List.of(longest, longest + "x"),
                message("", longest, longest + "x").identifiers());

        ReportedMessage stored =
                report(store.add(NOW, reporter("ann"), message)).message();

        assertEquals(longest, stored.subject());
        assertEquals(longest, stored.from());
        assertEquals(List.of(longest), stored.recipients());
        assertEquals(
                List.of(longest),
                stored.identifiers().stream()
                        .map(identifier -> identifier.key().text())
                        .toList());
    }

    @Test
    void oldestReport_makesRoomBeyondTheBound() throws IOException {
        store = new ReportStore(directory, 2);
        String first = store.add(NOW, reporter("ann"), message("0123456789A1"));
        Files.setLastModifiedTime(directory.resolve(first + ".json"), FileTime.from(NOW.minusSeconds(9)));
        String second = store.add(NOW, reporter("ann"), message("0123456789A2"));
        assertEquals(2, store.list(Instant.EPOCH, _ -> true, 9).size());

        String third = store.add(NOW, reporter("ann"), message("0123456789A3"));

        assertEquals(Optional.empty(), store.find(first));
        assertTrue(ids().contains(third));
        assertNotEquals(second, third);
    }

    @Test
    void manyReports_neverExceedTheBound() throws IOException {
        int bound = 120;
        store = new ReportStore(directory, bound);
        for (int i = 0; i < 2 * bound; i++) {
            String _ = store.add(NOW.plusSeconds(i), reporter("ann"), message("%012X".formatted(i)));
            int stored = Objects.requireNonNull(directory.toFile().list((_, name) -> name.endsWith(".json"))).length;
            assertTrue(stored <= bound && (i >= bound || stored == i + 1), i + ": " + stored);
        }
        assertEquals(
                NOW.plusSeconds(2 * bound - 1),
                store.list(Instant.EPOCH, _ -> true, 1).getFirst().lastReported());
    }

    @Test
    void oldReport_expiresWithinAnHour() throws IOException {
        String old = store.add(NOW, reporter("ann"), message("0123456789A1"));
        Instant end = NOW.plus(ReportStore.MAX_AGE);
        String _ = store.add(end, reporter("ann"), message("0123456789A2"));
        assertTrue(store.find(old).isPresent(), "at the bound");
        String _ = store.add(end.plus(ReportStore.SCAN_INTERVAL), reporter("ann"), message("0123456789A3"));
        assertEquals(Optional.empty(), store.find(old));
    }

    @Test
    void oldReport_expires() throws IOException {
        String atBound = store.add(NOW, reporter("ann"), message("0123456789A1"));
        String beyond = store.add(NOW, reporter("ann"), message("0123456789A2"));
        FileTime end = FileTime.from(NOW);
        Files.setLastModifiedTime(directory.resolve(atBound + ".json"), end);
        Files.setLastModifiedTime(directory.resolve(beyond + ".json"), FileTime.from(NOW.minus(Duration.ofSeconds(1))));

        new ReportStore(directory).add(NOW.plus(ReportStore.MAX_AGE), reporter("ann"), message("0123456789A3"));

        assertTrue(store.find(atBound).isPresent());
        assertEquals(Optional.empty(), store.find(beyond));
    }

    @Test
    void damagedReport_isLeftOut() throws IOException {
        String damaged = store.add(NOW, reporter("ann"), message("0123456789A1"));
        String whole = store.add(NOW, reporter("ann"), message("0123456789A2"));
        Files.writeString(directory.resolve(damaged + ".json"), "{");

        assertEquals(List.of(whole), ids());
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "", "{\"id\":1}", "long"})
    void damagedReport_isSetAsideByTheNextReporter(String content) throws IOException {
        String id = store.add(NOW, reporter("ann"), message("0123456789A1"));
        String text = content.equals("long") ? " ".repeat(2 << 20) : content;
        Files.writeString(directory.resolve(id + ".json"), text);

        assertEquals(id, store.add(NOW, reporter("ben"), message("0123456789A1")));

        assertEquals(
                "ben@corp.example", report(id).voices().getFirst().reporter().mailbox());
        assertEquals(1, report(id).voices().size());
        assertEquals(text, Files.readString(directory.resolve(id + ".json.damaged")));
        assertEquals(List.of(id), ids());
    }

    /// An older voice must not hide a newer one from those who look at the latest reports.
    @Test
    void lastReported_isTheLatestVoice() throws IOException {
        String id = store.add(NOW, reporter("ann"), message("0123456789A1"));
        store.add(NOW.plusSeconds(60), reporter("ben"), message("0123456789A1"));
        store.add(NOW.minusSeconds(60), reporter("eve"), message("0123456789A1"));

        assertEquals(NOW.plusSeconds(60), report(id).lastReported());
        assertEquals(1, store.list(NOW.plusSeconds(60), _ -> true, 9).size());
    }

    @Test
    void unknownIdentifier_isNotFound() throws IOException {
        assertEquals(Optional.empty(), store.find("../../etc/passwd"));
        assertEquals(Optional.empty(), store.find("0123456789AB"));
        assertEquals(Optional.empty(), store.change("0123456789AB", report -> report));
    }
}
