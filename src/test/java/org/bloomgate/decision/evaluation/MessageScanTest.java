package org.bloomgate.decision.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.content.mime.MessageReader;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Use;
import org.bloomgate.core.limit.MessageLimits;
import org.bloomgate.core.lookalike.LookAlikes;
import org.bloomgate.core.lookalike.People;
import org.bloomgate.decision.policy.Policy;
import org.bloomgate.decision.policy.PolicyOptions;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.LayerSource;
import org.bloomgate.lookup.tier.LookupCounts;
import org.bloomgate.lookup.tier.TwoTierLookup;
import org.bloomgate.lookup.tier.Verdict;
import org.bloomgate.server.api.SmallLayer;
import org.bloomgate.server.http.AnswerJson;
import org.junit.jupiter.api.Test;

class MessageScanTest {
    private static final List<ScanResult.ListedBy> LISTED_BY = List.of(new ScanResult.ListedBy("sample", "phishing"));

    private static final String PLAIN = """
        From: a@sender.example\r
        Subject: hello\r
        \r
        see https://www.evil.example/login\r
        """;

    static MessageScan scanning(LayerSource layers) {
        return new MessageScan(layers, evaluator());
    }

    private static MessageEvaluator evaluator() {
        return evaluator(MessageLimits.defaults());
    }

    static MessageEvaluator evaluator(MessageLimits limits) {
        return EvaluationRig.evaluator(
                new TwoTierLookup(Duration.ofSeconds(1), new LookupCounts()),
                new Policy(PolicyOptions.defaults(), Map.of("default", Action.TAG)),
                new MessageReader(limits),
                Duration.ofDays(36_500),
                InstantSource.fixed(Instant.EPOCH));
    }

    @Test
    void whatLooksLikeSomebodyProtectedIsToldAndNothingIsDone() throws IOException {
        People people = new People(Map.of("Jane Doe", List.of("jane@bank.example")));
        MessageEvaluator evaluator = evaluator()
                .withParts(EvaluationRig.guarding(new LookAlikes(List.of("goldenbank.example"), people, List.of())));
        ScanResult scanned = new MessageScan(
                        new SmallLayer().lists(KeyKind.DOMAIN, "evil.example").inForce(), evaluator)
                .scan("mail.eml", () -> new ByteArrayInputStream("""
                    From: =?utf-8?q?Doe=2C_Jane?= <x@mail.test>
                    Reply-To: a@g0ldenbank.example

                    https://goldenbank.example/ https://goldenbank-login.test/a https://[::1]/
                    """.getBytes(StandardCharsets.UTF_8)), Envelope.NONE);
        assertEquals(
                List.of(
                        new Resemblance("Doe, Jane", "header:From", "Jane Doe", "display-name"),
                        new Resemblance("g0ldenbank.example", "header:Reply-To", "goldenbank.example", "homoglyph"),
                        new Resemblance("goldenbank-login.test", "text", "goldenbank.example", "dictionary")),
                scanned.lookAlikes());
        assertEquals(Action.PASS, scanned.action());
    }

    private static Envelope envelope(Optional<String> mailFrom, String... recipients) {
        return new Envelope(mailFrom, List.of(recipients), ConnectingClient.UNKNOWN);
    }

    private static ScanResult scan(LayerSource layers, String message, Envelope envelope) throws IOException {
        byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
        return scanning(layers).scan("mail.eml", () -> new ByteArrayInputStream(bytes), envelope);
    }

    @Test
    void aMessageWithAListedLinkIsThisJson() throws IOException {
        LayerSource layers =
                new SmallLayer().lists(KeyKind.DOMAIN, "evil.example").inForce();
        assertEquals("""
            {"file":"mail.eml","verdict":"listed","action":"reject","enforced":"reject","identifiers":[\
            {"kind":"address","value":"a@sender.example","where":"header:From","verdict":"clean"},\
            {"kind":"url","value":"https://www.evil.example/login","where":"text","verdict":"listed",\
            "listings":[{"feed":"sample","category":"phishing"}]}],\
            "limits":[]}\
            """, AnswerJson.line(scan(layers, PLAIN, Envelope.NONE)));
    }

    private static final String WITH_FILE = """
        From: a@sender.example\r
        Content-Type: application/zip; name=invoice.zip\r
        Content-Transfer-Encoding: base64\r
        \r
        YWJj\r
        """;
    private static final String SHA256_OF_ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    @Test
    void aListedFileIsRefusedByItsDigest() throws IOException {
        LayerSource layers = new SmallLayer().lists(KeyKind.HASH, SHA256_OF_ABC).inForce();
        ScanResult scanned = scan(layers, WITH_FILE, Envelope.NONE);
        assertEquals(Action.REJECT, scanned.action());
        assertEquals(
                new ScanResult.Identified("hash", SHA256_OF_ABC, "attachment", Verdict.Kind.LISTED, LISTED_BY),
                scanned.identifiers().getLast());
    }

    @Test
    void noFileIsDigestedWhenNoneIsListed() throws IOException {
        LayerSource layers =
                new SmallLayer().lists(KeyKind.DOMAIN, "evil.example").inForce();
        assertEquals(1, scan(layers, WITH_FILE, Envelope.NONE).identifiers().size());
    }

    private static String mailOf(String words) {
        return "From: a@sender.example\r\n\r\n" + words;
    }

    @Test
    void aTextWithTooManyListedWordsIsTagged() throws IOException {
        SmallLayer layer = new SmallLayer().lists(KeyKind.KEYWORD, "casino").lists(KeyKind.KEYWORD, "win");
        String spam = mailOf("word ".repeat(17) + "Casino WIN casino");
        ScanResult scanned = scan(layer.inForce(), spam, Envelope.NONE);
        assertEquals(Action.TAG, scanned.action());
        assertEquals(
                new ScanResult.Identified("keyword", "20 words", "content", Verdict.Kind.LISTED, LISTED_BY),
                scanned.identifiers().getLast());
        String honest = mailOf("word ".repeat(17) + "casino casino and");
        assertEquals(
                Verdict.Kind.CLEAN, scan(layer.inForce(), honest, Envelope.NONE).verdict());
    }

    @Test
    void listsOfDigestsAreAskedForDomainsAboveALinkAndForSenders() throws IOException {
        LayerSource digests = new SmallLayer()
                .lists(KeyKind.DOMAIN_SHA1, "eba250a21240d8f30a9d64f4d74b9c6226d52e7b")
                .lists(KeyKind.ADDRESS_SHA1, "3fbc3d90259df985f3c869189c4e3fa5bf462c6d", Use.HEADER, 0)
                .inForce();
        String mail = mailOf("see http://www.Bad.example/x and http://good.example/");
        List<ScanResult.Identified> found = scan(digests, mail, Envelope.NONE).identifiers().stream()
                .filter(one -> one.verdict() == Verdict.Kind.LISTED)
                .toList();
        assertEquals(1, found.size(), found::toString);
        assertEquals("http://www.bad.example/x", found.getFirst().value());
        assertEquals(
                Verdict.Kind.LISTED,
                scan(digests, "From: Boss <Boss@Sender.example>\r\n\r\nhello", Envelope.NONE)
                        .verdict());
        assertEquals(
                Verdict.Kind.CLEAN,
                scan(digests, mailOf("hello"), Envelope.NONE).verdict());
    }

    @Test
    void termsWithoutBlanksAndPhrasesAreFoundInTheirText() throws IOException {
        SmallLayer layer = new SmallLayer()
                .lists(KeyKind.KEYWORD, "发票")
                .lists(KeyKind.KEYWORD, "代开")
                .lists(KeyKind.KEYWORD, "gratis geld");
        for (String listed : List.of("我们公司代开发票请联系我们优惠", "Hier gibt es Gratis\r\nGELD, nur heute und nur für Sie")) {
            ScanResult scanned = scan(layer.inForce(), utf8MailOf(listed), Envelope.NONE);
            assertEquals(Verdict.Kind.LISTED, scanned.identifiers().getLast().verdict(), listed);
        }
        for (String honest :
                List.of("请把增值税发票寄给我们公司的财务部门谢谢大家的合作", "Geld ist nicht gratis, es ist aus gutem Grund knapp")) {
            ScanResult scanned = scan(layer.inForce(), utf8MailOf(honest), Envelope.NONE);
            assertEquals(Verdict.Kind.CLEAN, scanned.verdict(), honest);
        }
    }

    @Test
    void termsThatOverlapCoverAWordOnce() throws IOException {
        SmallLayer layer = new SmallLayer()
                .lists(KeyKind.KEYWORD, "free money")
                .lists(KeyKind.KEYWORD, "free")
                .lists(KeyKind.KEYWORD, "money");
        assertEquals(
                Verdict.Kind.CLEAN,
                scan(layer.inForce(), mailOf("word ".repeat(18) + "free money"), Envelope.NONE)
                        .verdict());
        assertEquals(
                Verdict.Kind.LISTED,
                scan(layer.inForce(), mailOf("word ".repeat(17) + "free money"), Envelope.NONE)
                        .verdict());
    }

    private static String utf8MailOf(String words) {
        return "From: a@sender.example\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n" + words;
    }

    @Test
    void unansweredWords_areUnresolvedOnlyIfTheyWouldBeEnough() throws IOException {
        SmallLayer layer = new SmallLayer().lists(KeyKind.KEYWORD, "casino").fallSilent();
        assertEquals(
                Verdict.Kind.UNRESOLVED,
                scan(layer.inForce(), mailOf("casino casino"), Envelope.NONE).verdict());
        assertEquals(
                Verdict.Kind.CLEAN,
                scan(layer.inForce(), mailOf("word ".repeat(19) + "casino"), Envelope.NONE)
                        .verdict());
    }

    @Test
    void theEnvelopesSenderIsJudgedToo() throws IOException {
        LayerSource layers = new SmallLayer()
                .lists(KeyKind.DOMAIN, "bulk.example", Use.SENDER, 0)
                .inForce();
        Envelope envelope = envelope(Optional.of("x@bulk.example"));
        assertEquals(Verdict.Kind.LISTED, scan(layers, PLAIN, envelope).verdict());
        assertEquals(Verdict.Kind.CLEAN, scan(layers, PLAIN, Envelope.NONE).verdict());
    }

    @Test
    void recipientsWithDifferentActions_areQuarantinedAsByTheRelay() throws IOException {
        LayerSource layers =
                new SmallLayer().lists(KeyKind.DOMAIN, "evil.example").inForce();
        Envelope exemptFirst = envelope(Optional.empty(), "postmaster@rcpt.example", "b@rcpt.example");
        Envelope exemptLast = envelope(Optional.empty(), "b@rcpt.example", "postmaster@rcpt.example");
        assertEquals(Action.QUARANTINE, scan(layers, PLAIN, exemptFirst).action());
        assertEquals(Action.QUARANTINE, scan(layers, PLAIN, exemptLast).enforced());
    }

    @Test
    void whoIsRefusedForTheSenderDoesNotCountWhenAnotherIsExempt() throws IOException {
        LayerSource layers = new SmallLayer()
                .lists(KeyKind.DOMAIN, "bulk.example", Use.SENDER, 0)
                .inForce();
        Optional<String> listed = Optional.of("x@bulk.example");
        assertEquals(
                Action.REJECT,
                scan(layers, PLAIN, envelope(listed, "b@rcpt.example")).action());
        assertEquals(
                Action.TAG,
                scan(layers, PLAIN, envelope(listed, "b@rcpt.example", "abuse@rcpt.example"))
                        .action());
    }

    @Test
    void whatTheExactTierCannotSayIsUnresolvedAndNeverRefusedForGood() throws IOException {
        LayerSource layers = new SmallLayer()
                .lists(KeyKind.DOMAIN, "evil.example")
                .fallSilent()
                .inForce();
        ScanResult result = scan(layers, PLAIN, Envelope.NONE);
        assertEquals(Verdict.Kind.UNRESOLVED, result.verdict());
        assertEquals(Action.TAG, result.action());
    }

    @Test
    void withoutASnapshotNothingIsClean() throws IOException {
        ScanResult result = scan(SmallLayer.none(), PLAIN, Envelope.NONE);
        assertEquals(Verdict.Kind.UNRESOLVED, result.verdict());
        assertEquals(Action.TAG, result.action());
        assertTrue(
                result.identifiers().stream().allMatch(identified -> identified.verdict() == Verdict.Kind.UNRESOLVED));
        assertEquals("", result.evaluation().generations());
    }

    @Test
    void aStreamThatFailsIsNoVerdict() throws IOException {
        InputStream broken = InputStream.nullInputStream();
        broken.close();
        assertThrows(
                IOException.class, () -> scanning(new SmallLayer().inForce()).scan("-", () -> broken, Envelope.NONE));
    }
}
