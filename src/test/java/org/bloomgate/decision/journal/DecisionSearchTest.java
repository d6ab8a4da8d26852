package org.bloomgate.decision.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import org.bloomgate.Rounds;
import org.bloomgate.decision.journal.DecisionQuery.By;
import org.bloomgate.decision.keyjournal.KeyJournalOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A search finds what a walk over every line finds.
class DecisionSearchTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    @TempDir
    private Path folder;

    private final List<Decision> all = new ArrayList<>();

    private DayFileWriter writer() {
        return new DayFileWriter(
                new JournalOptions(folder, 14, 1 << 30, true, KeyJournalOptions.defaults(Path.of("var"))),
                InstantSource.fixed(Decisions.NOON));
    }

    private static final Map<Integer, Decision> NUMBERED = new ConcurrentHashMap<>();

    private static Decision numbered(int number) {
        return NUMBERED.computeIfAbsent(number, DecisionSearchTest::made);
    }

    /// @param number makes its texts
    private static Decision made(int number) {
        ObjectNode fields = DecisionLine.JSON.valueToTree(Decisions.listed("%012d".formatted(number)));
        fields.put("time", Decisions.NOON.plusSeconds(number).toString());
        fields.put("mailFrom", number % 97 == 0 ? "" : "User" + number % 5_000 + "@s" + number % 7 + ".example");
        fields.set("recipients", DecisionLine.JSON.valueToTree(List.of("r" + number % 3_000 + "@to.example")));
        fields.put("client", "192.0.2." + number % 250);
        fields.put("messageId", " <M" + number + "@x.example> ");
        fields.put("action", number % 3 == 0 ? "tag" : "reject");
        fields.put("subject", "s".repeat(200));
        return DecisionLine.read(fields.toString()).orElseThrow();
    }

    private void write(int from, int to) throws IOException {
        DayFileWriter writer = writer();
        List<Decision> some = new ArrayList<>();
        for (int i = from; i < to; i++) {
            some.add(numbered(i));
        }
        writer.append(some);
        writer.close();
        all.addAll(some);
    }

    private List<String> found(DecisionQuery query) throws IOException {
        return DecisionSearch.find(query, List.of(), Optional.empty(), folder, LONG).decisions().stream()
                .map(Decision::token)
                .toList();
    }

    private List<String> walked(DecisionQuery query) {
        return all.reversed().stream()
                .filter(query.plain()::matches)
                .limit(query.limit())
                .map(Decision::token)
                .toList();
    }

    private static DecisionQuery by(By by, String text) {
        return DecisionQuery.since(Map.of(by, text), Instant.EPOCH, 100);
    }

    @ParameterizedTest
    @CsvSource({
        "MAIL_FROM, a@sender.example",
        "MAIL_FROM, <A@SENDER.example>",
        "MAIL_FROM, sender.example",
        "MAIL_FROM, @Sender.Example",
        "RCPT_TO, b@rcpt.example",
        "RCPT_TO, rcpt.example",
        "RCPT_TO, c@rcpt.example",
        "CLIENT, 192.0.2.7",
        "VALUE, EVIL.example",
        "FEED, sample",
        "ACTION, reject",
        "MESSAGE_ID, 1@sender.example",
        "MESSAGE_ID, <1@sender.example>",
    })
    void decision_isFoundByEachField(By by, String text) throws IOException {
        DayFileWriter writer = writer();
        writer.append(List.of(Decisions.listed("0123456789AB")));
        writer.close();
        assertEquals(List.of("0123456789AB"), found(by(by, text)));
        assertEquals(List.of(), found(by(by, text.replace(">", "") + "x")));
    }

    @Test
    void urlFinding_isFoundByHostAndKey() throws IOException {
        ObjectNode fields = DecisionLine.JSON.valueToTree(Decisions.listed("0123456789AB"));
        ((ObjectNode) fields.at("/found/0")).put("value", "https://Www.evil.example/a?b=c@d");
        ((ObjectNode) fields.at("/found/0")).put("key", "evil.example/a");
        DayFileWriter writer = writer();
        writer.append(List.of(DecisionLine.read(fields.toString()).orElseThrow()));
        writer.close();
        assertEquals(1, found(by(By.VALUE, "www.evil.example")).size());
        assertEquals(1, found(by(By.VALUE, "evil.example/a")).size());
    }

    @Test
    void newLink_isFoundByDomainOrAny() throws IOException {
        ObjectNode fields = DecisionLine.JSON.valueToTree(Decisions.listed("0123456789AB"));
        fields.putObject("history")
                .put("links", 2)
                .putObject("link")
                .put("domain", "new.example")
                .put("firstSeen", "2026-01-08T12:00:00Z")
                .put("messages", 1)
                .put("recipients", 1);
        DayFileWriter writer = writer();
        writer.append(List.of(DecisionLine.read(fields.toString()).orElseThrow(), Decisions.listed("BA9876543210")));
        writer.close();
        assertEquals(List.of("0123456789AB"), found(by(By.NEW_LINK, DecisionQuery.ANY)));
        assertEquals(List.of("0123456789AB"), found(by(By.NEW_LINK, "New.example")));
        assertEquals(List.of(), found(by(By.NEW_LINK, "other.example")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"\"an odd \\name\"@sender.example", "m\u00fcller@b\u00fccher.example", "Ordinary@sender.example"
            })
    void unusualSender_isFound(String sender) throws IOException {
        ObjectNode fields = DecisionLine.JSON.valueToTree(Decisions.listed("0123456789AB"));
        fields.put("mailFrom", sender);
        DayFileWriter writer = writer();
        writer.append(List.of(DecisionLine.read(fields.toString()).orElseThrow()));
        writer.close();
        assertEquals(List.of("0123456789AB"), found(by(By.MAIL_FROM, sender)));
    }

    @Test
    void nullSender_isFound() throws IOException {
        write(0, 200);
        assertEquals(
                List.of("%012d".formatted(194), "%012d".formatted(97), "%012d".formatted(0)),
                found(by(By.MAIL_FROM, "<>")));
    }

    @Test
    void randomQuery_findsWhatAFullScanFinds() throws IOException {
        write(0, 6_000);
        write(6_000, 9_000);
        Random random = new Random(7);
        int hits = 0;
        for (int i = 0; i < Rounds.of(200); i++) {
            Map<By, String> texts = new HashMap<>();
            Decision one = all.get(random.nextInt(all.size()));
            for (By by : By.values()) {
                if (random.nextInt(4) == 0) {
                    texts.put(by, text(by, one));
                }
            }
            DecisionQuery query = DecisionQuery.since(
                    texts, Decisions.NOON.plusSeconds(random.nextInt(9_500)), 1 + random.nextInt(40));
            assertEquals(walked(query), found(query), query::toString);
            hits += walked(query).size();
        }
        assertTrue(hits > 100);
    }

    private static String text(By by, Decision one) {
        return switch (by) {
            case MAIL_FROM ->
                one.envelope().mailFrom().isEmpty() ? "<>" : one.envelope().mailFrom();
            case RCPT_TO -> one.envelope().recipients().getFirst();
            case CLIENT -> one.connection().client();
            case VALUE -> one.content().lookup().found().getFirst().value();
            case FEED -> one.outcome().feed();
            case ACTION -> one.outcome().action();
            case MESSAGE_ID -> one.content().heading().messageId();
            case NEW_LINK -> DecisionQuery.ANY;
            case TOKEN -> one.token();
        };
    }

    @Test
    void unwrittenDecision_isFoundOnce() throws IOException {
        write(0, 10);
        DecisionQuery query = by(By.FEED, "sample");
        List<Decision> waiting = List.of(numbered(9), numbered(10));
        List<Decision> found = DecisionSearch.find(query, waiting, Optional.empty(), folder, LONG)
                .decisions();
        assertEquals(11, found.size());
        assertEquals("%012d".formatted(10), found.getFirst().token());
    }

    @Test
    void searchOutOfTime_returnsTheNextPosition() throws IOException {
        write(0, 1_000);
        DecisionJournal.SearchResult found =
                DecisionSearch.find(by(By.CLIENT, "203.0.113.1"), List.of(), Optional.empty(), folder, Duration.ZERO);
        assertTrue(found.next().isPresent());
    }

    @Test
    void pages_areTheWholeResultInOrder() throws IOException {
        write(0, 4_000);
        DecisionQuery query = new DecisionQuery(Map.of(By.ACTION, "tag"), Instant.EPOCH, Instant.MAX, 70);
        assertEquals(walked(new DecisionQuery(query.texts(), Instant.EPOCH, Instant.MAX, 10_000)), pages(query, LONG));
    }

    @Test
    void pagesWithoutTime_reachTheEnd() throws IOException {
        write(0, 100);
        DecisionQuery query = by(By.CLIENT, "192.0.2.3");
        assertEquals(walked(query), pages(query, Duration.ZERO));
    }

    /// All pages of a search, each begun at the text of the position where the one before ended.
    private List<String> pages(DecisionQuery query, Duration within) throws IOException {
        List<String> tokens = new ArrayList<>();
        Optional<JournalPosition> from = Optional.empty();
        do {
            DecisionJournal.SearchResult page = DecisionSearch.find(query, List.of(), from, folder, within);
            page.decisions().forEach(one -> tokens.add(one.token()));
            from = page.next().flatMap(next -> JournalPosition.parse(next.toString()));
        } while (from.isPresent());
        return tokens;
    }

    @Test
    void spanOfTime_findsWhatAFullScanFinds() throws IOException {
        write(0, 9_000);
        Random random = new Random(11);
        for (int i = 0; i < Rounds.of(200); i++) {
            Instant since = Decisions.NOON.plusSeconds(random.nextInt(9_000));
            DecisionQuery query =
                    new DecisionQuery(Map.of(By.ACTION, "tag"), since, since.plusSeconds(random.nextInt(900)), 1_000);
            assertEquals(walked(query), found(query), query::toString);
        }
    }

    @Test
    void spanOfTime_readsOnlyLinesAroundIt() throws IOException {
        write(0, 9_000);
        Instant before = Decisions.NOON.plusSeconds(2_000);
        List<String> read = new ArrayList<>();
        JournalWalk.newestFirst(
                folder, new JournalWalk.Span(before.minusSeconds(60), before), Optional.empty(), LONG, read::add);
        assertTrue(read.size() < 1_000, () -> read.size() + " lines");
    }

    @Test
    void moreWaitingThanTheLimit_areLeftToTheNextSearch() throws IOException {
        write(0, 10);
        DecisionQuery query = new DecisionQuery(Map.of(), Instant.EPOCH, Instant.MAX, 2);
        List<Decision> waiting = List.of(numbered(10), numbered(11), numbered(12));
        assertEquals(
                "%012d".formatted(9),
                DecisionSearch.find(query, waiting, Optional.empty(), folder, LONG)
                        .decisions()
                        .getFirst()
                        .token());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "@", "2026-03-05.jsonl", "2026-03-05.jsonl@", "2026-03-05.jsonl@-1", "x@1"})
    void otherText_isNoPosition(String text) {
        assertEquals(Optional.empty(), JournalPosition.parse(text));
    }

    @Test
    void prunedFile_continuesWithTheOneBefore() throws IOException {
        write(0, 10);
        JournalPosition pruned = JournalPosition.parse("2026-03-06.jsonl@99999").orElseThrow();
        assertEquals(
                10,
                DecisionSearch.find(by(By.ACTION, "reject"), List.of(), Optional.of(pruned), folder, LONG)
                        .decisions()
                        .size());
    }

    @Test
    void limitOutsideOneToMost_isRejected() {
        assertThrows(IllegalArgumentException.class, () -> DecisionQuery.since(Map.of(), Instant.EPOCH, 0));
        assertThrows(
                IllegalArgumentException.class,
                () -> DecisionQuery.since(Map.of(), Instant.EPOCH, DecisionQuery.MAX_LIMIT + 1));
        assertEquals(
                DecisionQuery.MAX_LIMIT,
                DecisionQuery.since(Map.of(), Instant.EPOCH, DecisionQuery.MAX_LIMIT)
                        .limit());
    }
}
