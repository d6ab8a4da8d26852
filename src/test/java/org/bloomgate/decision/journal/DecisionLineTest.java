package org.bloomgate.decision.journal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bloomgate.base.io.PrintableText;
import org.bloomgate.decision.authentication.Authentication;
import org.bloomgate.decision.journal.Decision.RecordedFinding;
import org.bloomgate.lookup.tier.FilterHits;
import org.bloomgate.server.http.AnswerJson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecisionLineTest {

    @Test
    void aDecisionIsThisLine() throws IOException {
        String line = line(Decisions.listed("0123456789AB"));
        assertEquals("""
            {"time":"2026-03-05T12:00:00Z","token":"0123456789AB","client":"192.0.2.7","helo":"mail.example",\
            "tls":"","mailFrom":"a@sender.example","recipients":["b@rcpt.example"],\
            "refused":["c@rcpt.example: 550 5.1.1 unknown"],"messageId":"<1@sender.example>",\
            "subject":"Hello","from":"A <a@sender.example>","sizeBytes":1234,"keys":20,"suspects":1,\
            "found":[{"kind":"domain","value":"evil.example","where":"link","verdict":"listed",\
            "key":"evil.example","feed":"sample","category":"phishing","firstSeen":"2026-03-01T00:00:00Z"}],\
            "limits":["parts"],\
            "verdict":"listed","action":"reject","enforced":"reject","feed":"sample","category":"phishing",\
            "value":"evil.example","reply":"550 5.7.1 refused",\
            "nextHopReply":"250 2.1.5 ok","nextHopId":"4XYZ","snapshot":"20260305T010203Z","millis":{"scan":1.5}}\
            """, line);
        assertEquals(Optional.of(Decisions.listed("0123456789AB")), DecisionLine.read(line));
    }

    @Test
    void decisionWithEveryField_isTheseBytes() throws IOException {
        RecordedFinding found = new RecordedFinding(
                "url",
                "http://evil.example/\"\u00e9",
                "link",
                "overridden",
                "evil.example",
                "domain",
                "sample",
                "phishing",
                Optional.of(Instant.parse("2026-03-01T00:00:00Z")),
                "for everyone");
        Decision decision = new Decision(
                Instant.parse("2026-03-05T12:00:00.123456789Z"),
                "0123456789AB",
                new Decision.Connection("2001:db8::7", "mail.example", "TLSv1.3 TLS_AES_128_GCM_SHA256"),
                new Decision.Envelope(
                        "a@sender.example",
                        List.of("b@rcpt.example", "d@rcpt.example"),
                        List.of("c@rcpt.example: 550 5.1.1 unknown")),
                new Decision.Content(
                        new Decision.Heading("<1@sender.example>", "Hello\t\u674e", "A <a@sender.example>"),
                        1_234,
                        new Decision.Lookup(
                                20,
                                2,
                                List.of(found),
                                List.of("parts"),
                                List.of(new FilterHits("nightly/domain", 2, 1))),
                        List.of("a note"),
                        Optional.empty()),
                new Decision.Outcome(
                        "listed", "reject", "pass", "sample", "phishing", "evil.example", Map.of("second", "defer")),
                new Decision.Processing(
                        "550 5.7.1 refused",
                        "250 2.1.5 ok",
                        "4XYZ",
                        "20260305T010203Z",
                        Map.of("scan", 1.5),
                        Optional.of(new Authentication(
                                "bank.example",
                                "envelope",
                                Authentication.Result.FAIL,
                                "spf",
                                "sender.example",
                                "no match",
                                4))));
        assertBytes("""
            {"time":"2026-03-05T12:00:00.123456789Z","token":"0123456789AB","client":"2001:db8::7",\
            "helo":"mail.example","tls":"TLSv1.3 TLS_AES_128_GCM_SHA256","mailFrom":"a@sender.example",\
            "recipients":["b@rcpt.example","d@rcpt.example"],"refused":["c@rcpt.example: 550 5.1.1 unknown"],\
            "messageId":"<1@sender.example>","subject":"Hello\\t\u674e","from":"A <a@sender.example>",\
            "sizeBytes":1234,"keys":20,"suspects":2,\
            "found":[{"kind":"url","value":"http://evil.example/\\"\u00e9","where":"link","verdict":"overridden",\
            "key":"evil.example","keyKind":"domain","feed":"sample","category":"phishing",\
            "firstSeen":"2026-03-01T00:00:00Z","exception":"for everyone"}],"limits":["parts"],\
            "filters":[{"filter":"nightly/domain","suspects":2,"refuted":1}],"notes":["a note"],\
            "verdict":"listed","action":"reject","enforced":"pass","feed":"sample","category":"phishing",\
            "value":"evil.example","would":{"second":"defer"},"reply":"550 5.7.1 refused",\
            "nextHopReply":"250 2.1.5 ok","nextHopId":"4XYZ","snapshot":"20260305T010203Z","millis":{"scan":1.5},\
            "authentication":{"name":"bank.example","in":"envelope","result":"fail","mechanism":"spf",\
            "domain":"sender.example","reason":"no match","queries":4}}
            """, decision);
    }

    @Test
    void decisionWithoutOptionalFields_isTheseBytes() throws IOException {
        Decision decision = new Decision(
                Instant.parse("2026-03-05T12:00:00Z"),
                "0123456789AB",
                new Decision.Connection("192.0.2.7", "", ""),
                new Decision.Envelope("", List.of(), List.of()),
                new Decision.Content(
                        new Decision.Heading("", "", ""),
                        0,
                        new Decision.Lookup(0, 0, List.of(), List.of(), List.of()),
                        List.of(),
                        Optional.empty()),
                new Decision.Outcome("clean", "none", "none", "", "", "", Map.of()),
                new Decision.Processing("", "", "", "", Map.of(), Optional.empty()));
        assertBytes("""
            {"time":"2026-03-05T12:00:00Z","token":"0123456789AB","client":"192.0.2.7","helo":"","tls":"",\
            "mailFrom":"","recipients":[],"refused":[],"sizeBytes":0,"keys":0,"suspects":0,"found":[],"limits":[],\
            "verdict":"clean","action":"none","enforced":"none","reply":"","nextHopReply":"","snapshot":"",\
            "millis":{}}
            """, decision);
    }

    @Test
    void lineWithoutFeed_hasNone() throws IOException {
        String line = line(Decisions.listed("0123456789AB"));
        String withoutFeed = line.replace("\"reject\",\"feed\":\"sample\",\"category\":\"phishing\"", "\"reject\"");
        Decision read = DecisionLine.read(withoutFeed).orElseThrow();
        assertEquals("", read.outcome().feed());
        assertEquals("", read.outcome().category());
        assertEquals(Map.of(), read.outcome().would());
        assertEquals("sample", read.content().lookup().found().getFirst().feed());
    }

    @Test
    void aLineOfALaterVersionIsStillRead() throws IOException {
        String line = line(Decisions.listed("0123456789AB"));
        String later = line.replaceFirst("\\{", "{\"added\":[1],");
        assertEquals(Optional.of(Decisions.listed("0123456789AB")), DecisionLine.read(later));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{}", "null", "[]", "{\"token\":\"0123456789AB\",", "\u0000\u0000"})
    void aLineThatIsNoDecisionIsLeftOut(String line) {
        assertEquals(Optional.empty(), DecisionLine.read(line));
    }

    @Test
    void whatAClientSentIsCutToTheBounds() throws IOException {
        RecordedFinding unresolved = new RecordedFinding(
                "url", "x".repeat(9_000), "link", "unresolved", "", "", "", "", Optional.empty(), "");
        RecordedFinding listed = new RecordedFinding(
                "url", "y".repeat(9_000), "link", "listed", "y", "", "sample", "phishing", Optional.empty(), "");
        List<RecordedFinding> found = new java.util.ArrayList<>(Collections.nCopies(5_000, unresolved));
        found.add(listed);
        Map<String, String> many = new HashMap<>();
        IntStream.range(0, 1_000).forEach(i -> many.put("feed-" + i, "reject"));
        Decision hostile = new Decision(
                Decisions.NOON,
                "0123456789AB",
                new Decision.Connection("192.0.2.7", "\n".repeat(10_000), ""),
                new Decision.Envelope(
                        "a".repeat(10_000),
                        Collections.nCopies(1_000, "b".repeat(1_000)),
                        Collections.nCopies(1_000, "c".repeat(1_000))),
                new Decision.Content(
                        new Decision.Heading("m".repeat(1_000), "s".repeat(1_000), "g".repeat(1_000)),
                        0,
                        new Decision.Lookup(0, 0, found, List.of(), List.of()),
                        List.of(),
                        Optional.empty()),
                new Decision.Outcome(
                        "listed", "reject", "", "e".repeat(1_000), "f".repeat(1_000), "v".repeat(1_000), many),
                new Decision.Processing(
                        "", "250 " + "d".repeat(1_000), "q".repeat(1_000), "", Map.of(), Optional.empty()));

        Decision bounded = DecisionBounds.ORDINARY.bounded(hostile, true);
        assertEquals(Decision.MAX_TEXT, bounded.connection().helo().length());
        assertEquals(
                DecisionBounds.ORDINARY.recipients(),
                bounded.envelope().recipients().size());
        assertEquals(
                DecisionBounds.ORDINARY.recipients(),
                bounded.envelope().refused().size());
        assertEquals(Decision.MAX_TEXT, bounded.processing().nextHopReply().length());
        assertEquals(Decision.MAX_TEXT, bounded.content().heading().messageId().length());
        assertEquals(Decision.MAX_TEXT, bounded.content().heading().subject().length());
        assertEquals(Decision.MAX_TEXT, bounded.content().heading().from().length());
        assertEquals(Decision.MAX_TEXT, bounded.outcome().value().length());
        assertEquals(Decision.MAX_TEXT, bounded.processing().nextHopId().length());
        assertEquals(
                "",
                DecisionLine.bounded(hostile, false).content().heading().subject()
                        + DecisionLine.bounded(hostile, false)
                                .content()
                                .heading()
                                .from());
        assertEquals(
                DecisionBounds.ORDINARY.found(),
                bounded.content().lookup().found().size());
        assertEquals(Decision.MAX_TEXT, bounded.outcome().feed().length());
        assertEquals(Decision.MAX_TEXT, bounded.outcome().category().length());
        assertEquals(DecisionBounds.ORDINARY.found(), bounded.outcome().would().size());
        assertEquals("listed", bounded.content().lookup().found().getFirst().verdict());
    }

    /// Texts of each kind of character, as long as each field takes them.
    @ParameterizedTest
    @ValueSource(strings = {"a", "\u0001", "\"", "é", "李", "😀", "a😀"})
    void decisionOfLongTexts_isLineOf4KbThatSaysWhatIsMissing(String unit) throws IOException {
        for (int length : new int[] {60, 250, 511, 600}) {
            Decision whole = hostile(unit.repeat(length));
            for (Decision waiting : List.of(whole, DecisionLine.bounded(whole, true))) {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                DecisionLine.write(waiting, out);
                assertTrue(out.size() <= DecisionLine.MAX_BYTES, unit + length + ": " + out.size());
                Decision read =
                        DecisionLine.read(out.toString(StandardCharsets.UTF_8)).orElseThrow();
                assertEquals(whole.token(), read.token());
                assertEquals(whole.connection().client(), read.connection().client());
                assertEquals("a@sender.example", read.envelope().mailFrom());
                assertEquals("listed", read.outcome().verdict());
                assertEquals("reject", read.outcome().action());
                assertTrue(whole.envelope()
                        .recipients()
                        .getFirst()
                        .startsWith(read.envelope().recipients().getFirst()));
                assertEquals(
                        "decides.example",
                        read.content().lookup().found().getFirst().key());
                String note = read.content().notes().getFirst();
                assertTrue(note.startsWith("shortened to 4 KB: ") && !note.contains(" 0 recipients"), note);
                read.content()
                        .lookup()
                        .found()
                        .forEach(one -> assertTrue(
                                one.key().isEmpty()
                                        || whole.content().lookup().found().stream()
                                                .anyMatch(had -> had.key().equals(one.key())),
                                one::key));
            }
        }
    }

    private static Decision hostile(String text) {
        Decision listed = Decisions.listed("0123456789AB");
        Stream<RecordedFinding> others = IntStream.range(0, 19)
                .mapToObj(i -> new RecordedFinding(
                        "domain", text, text, "listed", i + text, "", "other", "c", Optional.empty(), text));
        RecordedFinding decides = new RecordedFinding(
                "domain", "evil.example", "link", "listed", "decides.example", "", "sample", "c", Optional.empty(), "");
        return new Decision(
                listed.time(),
                listed.token(),
                new Decision.Connection(listed.connection().client(), text, ""),
                new Decision.Envelope(
                        listed.envelope().mailFrom(), Collections.nCopies(50, text), Collections.nCopies(50, text)),
                new Decision.Content(
                        new Decision.Heading(text, text, text),
                        1,
                        new Decision.Lookup(
                                2, 3, Stream.concat(others, Stream.of(decides)).toList(), List.of("parts"), List.of()),
                        Collections.nCopies(20, text),
                        Optional.empty()),
                new Decision.Outcome(
                        listed.outcome().verdict(),
                        listed.outcome().action(),
                        listed.outcome().enforced(),
                        listed.outcome().feed(),
                        listed.outcome().category(),
                        listed.outcome().value(),
                        Map.of("trial", "reject")),
                new Decision.Processing(
                        text,
                        text,
                        text,
                        listed.processing().snapshot(),
                        listed.processing().millis(),
                        Optional.of(
                                new Authentication(text, "envelope", Authentication.Result.FAIL, "", "", text, 4))));
    }

    @Test
    void textCutInASurrogatePair_isStillWritten() throws IOException {
        Decision whole = hostile("a" + "😀".repeat(300));
        String subject =
                DecisionBounds.ORDINARY.bounded(whole, true).content().heading().subject();
        assertEquals(Decision.MAX_TEXT - 1, subject.length());
        assertEquals("a" + "😀".repeat(255), subject);
    }

    /// `/v1/decisions`, `decisions --json` and `explain --json` have the fields of the journal, in the same order.
    /// Only characters that are invisible, or beyond 16 bits, are written otherwise.
    @Test
    void answer_isTheLineInPrintableText() throws IOException {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 500; i++) {
            Decision decision = anyDecision(random);
            String line = line(decision).replace("\\uD83D\\uDE00", "😀");
            assertEquals(PrintableText.of(line), AnswerJson.line(decision));
        }
    }

    @Test
    void line_isReadAsTheSameDecision() throws IOException {
        SplittableRandom random = new SplittableRandom(11);
        for (int i = 0; i < 500; i++) {
            Decision decision = anyDecision(random);
            assertEquals(Optional.of(decision), DecisionLine.read(line(decision)));
        }
    }

    private static Decision anyDecision(SplittableRandom random) {
        List<String> texts = List.of("", "a", "\"\\\n\u0000\u2028é李😀", "end");
        Supplier<String> text = () -> texts.get(random.nextInt(texts.size()));
        Supplier<List<String>> some =
                () -> Stream.generate(text).limit(random.nextInt(3)).toList();
        Supplier<RecordedFinding> found = () -> new RecordedFinding(
                text.get(),
                text.get(),
                text.get(),
                text.get(),
                text.get(),
                text.get(),
                text.get(),
                text.get(),
                random.nextBoolean() ? Optional.empty() : Optional.of(Instant.ofEpochSecond(random.nextInt(), 123_000)),
                text.get());
        return new Decision(
                Instant.ofEpochMilli(random.nextLong(4_000_000_000_000L)),
                text.get(),
                new Decision.Connection(text.get(), text.get(), text.get()),
                new Decision.Envelope(text.get(), some.get(), some.get()),
                new Decision.Content(
                        new Decision.Heading(text.get(), text.get(), text.get()),
                        random.nextLong(),
                        new Decision.Lookup(
                                random.nextInt(),
                                random.nextInt(),
                                Stream.generate(found).limit(random.nextInt(3)).toList(),
                                some.get(),
                                random.nextBoolean()
                                        ? List.of()
                                        : List.of(new FilterHits(text.get(), random.nextInt(), -1))),
                        some.get(),
                        Optional.empty()),
                new Decision.Outcome(
                        text.get(),
                        text.get(),
                        text.get(),
                        text.get(),
                        text.get(),
                        text.get(),
                        random.nextBoolean() ? Map.of() : Map.of(text.get(), text.get())),
                new Decision.Processing(
                        text.get(),
                        text.get(),
                        text.get(),
                        text.get(),
                        random.nextBoolean() ? Map.of() : Map.of("scan", random.nextDouble(), "relay", Double.NaN),
                        random.nextBoolean()
                                ? Optional.empty()
                                : Optional.of(new Authentication(
                                        text.get(),
                                        text.get(),
                                        Authentication.Result.UNKNOWN,
                                        text.get(),
                                        text.get(),
                                        text.get(),
                                        random.nextInt()))));
    }

    /// The format of the journal is frozen: other programs read it, and files of earlier versions are kept.
    private static void assertBytes(String expected, Decision decision) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        DecisionLine.write(decision, line);
        assertEquals(expected, line.toString(StandardCharsets.UTF_8));
        assertArrayEquals(expected.getBytes(StandardCharsets.UTF_8), line.toByteArray());
    }

    private static String line(Decision decision) throws IOException {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        DecisionLine.write(decision, lines);
        return lines.toString(StandardCharsets.UTF_8).stripTrailing();
    }

    @Test
    void anOrdinaryDecisionIsKeptAsItIs() {
        Decision decision = Decisions.listed("0123456789AB");
        assertEquals(decision, DecisionLine.bounded(decision, true));
    }
}
