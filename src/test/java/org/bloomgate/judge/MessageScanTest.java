package org.bloomgate.judge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.http.AnswerJson;
import org.bloomgate.http.SmallLayer;
import org.bloomgate.judge.MessageScan.Envelope;
import org.bloomgate.key.KeyKind;
import org.bloomgate.key.Use;
import org.bloomgate.lookup.LayerSource;
import org.bloomgate.lookup.LookupCounts;
import org.bloomgate.lookup.TwoTierLookup;
import org.bloomgate.message.MessageLimits;
import org.bloomgate.message.MessageReader;
import org.bloomgate.policy.Action;
import org.bloomgate.policy.Policy;
import org.bloomgate.policy.PolicyOptions;
import org.junit.jupiter.api.Test;

class MessageScanTest {
    private static final String PLAIN = """
            From: a@sender.example\r
            Subject: hello\r
            \r
            see https://www.evil.example/login\r
            """;

    static MessageScan scanning(LayerSource layers) {
        return new MessageScan(
                layers,
                new TwoTierLookup(Duration.ofSeconds(1), new LookupCounts()),
                new Policy(PolicyOptions.defaults(), Map.of("default", Action.TAG)),
                new MessageReader(MessageLimits.defaults()));
    }

    private static ScanResult scan(LayerSource layers, String message, Envelope envelope) throws IOException {
        byte[] octets = message.getBytes(StandardCharsets.UTF_8);
        return scanning(layers).scan("mail.eml", new ByteArrayInputStream(octets), envelope);
    }

    @Test
    void aMessageWithAListedLinkIsThisJson() throws IOException {
        LayerSource layers =
                new SmallLayer().lists(KeyKind.DOMAIN, "evil.example").inForce();
        assertEquals("""
                {"file":"mail.eml","verdict":"listed","action":"reject","identifiers":[\
                {"kind":"address","value":"a@sender.example","where":"header:From","verdict":"clean"},\
                {"kind":"url","value":"https://www.evil.example/login","where":"text","verdict":"listed"}],\
                "limits":[]}""", AnswerJson.line(scan(layers, PLAIN, Envelope.NONE)));
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
        assertEquals("reject", scanned.action());
        assertEquals(
                new ScanResult.Identified("hash", SHA256_OF_ABC, "attachment", "listed"),
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
        assertEquals("tag", scanned.action());
        assertEquals(
                new ScanResult.Identified("keyword", "20 words", "content", "listed"),
                scanned.identifiers().getLast());
        String honest = mailOf("word ".repeat(17) + "casino casino and");
        assertEquals("clean", scan(layer.inForce(), honest, Envelope.NONE).verdict());
    }

    @Test
    void wordsTheExactTierIsSilentAboutAreUnresolvedOnlyWhenTheyWouldBeEnough() throws IOException {
        SmallLayer layer = new SmallLayer().lists(KeyKind.KEYWORD, "casino").fallSilent();
        assertEquals(
                "unresolved",
                scan(layer.inForce(), mailOf("casino casino"), Envelope.NONE).verdict());
        assertEquals(
                "clean",
                scan(layer.inForce(), mailOf("word ".repeat(19) + "casino"), Envelope.NONE)
                        .verdict());
    }

    @Test
    void theEnvelopesSenderIsJudgedToo() throws IOException {
        LayerSource layers = new SmallLayer()
                .lists(KeyKind.DOMAIN, "bulk.example", Use.SENDER, 0)
                .inForce();
        Envelope envelope = new Envelope(Optional.of("x@bulk.example"), List.of());
        assertEquals("listed", scan(layers, PLAIN, envelope).verdict());
        assertEquals("clean", scan(layers, PLAIN, Envelope.NONE).verdict());
    }

    @Test
    void theHardestActionOfAllRecipientsCounts() throws IOException {
        LayerSource layers =
                new SmallLayer().lists(KeyKind.DOMAIN, "evil.example").inForce();
        Envelope exempt = new Envelope(Optional.empty(), List.of("postmaster@rcpt.example"));
        Envelope both = new Envelope(Optional.empty(), List.of("postmaster@rcpt.example", "b@rcpt.example"));
        assertEquals("tag", scan(layers, PLAIN, exempt).action());
        assertEquals("reject", scan(layers, PLAIN, both).action());
    }

    @Test
    void whatTheExactTierCannotSayIsUnresolvedAndNeverRefusedForGood() throws IOException {
        LayerSource layers = new SmallLayer()
                .lists(KeyKind.DOMAIN, "evil.example")
                .fallSilent()
                .inForce();
        ScanResult result = scan(layers, PLAIN, Envelope.NONE);
        assertEquals("unresolved", result.verdict());
        assertEquals("tag", result.action());
    }

    @Test
    void withoutASnapshotNothingIsClean() throws IOException {
        ScanResult result = scan(SmallLayer.none(), PLAIN, Envelope.NONE);
        assertEquals("unresolved", result.verdict());
        assertEquals("tag", result.action());
        assertTrue(result.identifiers().stream()
                .allMatch(identified -> identified.verdict().equals("unresolved")));
        assertEquals("", result.generation());
    }

    @Test
    void aStreamThatFailsIsNoVerdict() throws IOException {
        InputStream broken = InputStream.nullInputStream();
        broken.close();
        assertThrows(
                IOException.class, () -> scanning(new SmallLayer().inForce()).scan("-", broken, Envelope.NONE));
    }
}
