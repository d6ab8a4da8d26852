package org.bloomgate.decision.authentication;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.benmanes.caffeine.cache.Ticker;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.lookalike.LookAlikes;
import org.bloomgate.decision.evaluation.BrandCheck;
import org.bloomgate.decision.evaluation.EvaluationRig;
import org.bloomgate.decision.evaluation.MessageEvaluation;
import org.bloomgate.decision.evaluation.MessageEvaluator;
import org.bloomgate.decision.evaluation.ReportAddresses;
import org.bloomgate.decision.policy.PolicyOptions;
import org.bloomgate.lookup.dns.DnsClient;
import org.bloomgate.lookup.dns.DnsQuestion.RecordType;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.Entry;
import org.bloomgate.lookup.tier.Exceptions;
import org.bloomgate.lookup.tier.LocalRules;
import org.bloomgate.server.dns.ListedHosts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Messages of a partner whose signature leaves the fields unsigned that say how a body is read, as Google signs, with
/// an exception for the partner; and what somebody who replays them with other fields makes of them.
class BodyReadingsTest {
    private static final String FROM = "From: a@partner.example\r\nTo: b@customer.example\r\n";
    private static final String LINK = "http://evil.example/";
    private static final String QP = "Content-Transfer-Encoding: quoted-printable\r\n";
    private static final String MULTIPART = "Content-Type: multipart/alternative; boundary=\"0000000000009c2f1e\"\r\n";

    private final ZoneQueries zones =
            new ZoneQueries().with("x._domainkey.partner.example", RecordType.TXT, SignedMessage.record());
    private final EvaluationRig rig =
            new EvaluationRig(new ListedHosts().lists("evil.example").inForce());
    /// In three encodings five types, and in one of them a digest by each boundary.
    private static final int MAX_READINGS = 3 * 5 + BodyReadings.MAX_BOUNDARIES;

    private final AtomicInteger opened = new AtomicInteger();
    private String reason = "";

    BodyReadingsTest() {
        Entry.Scope scope =
                new Entry.Scope(Optional.empty(), Optional.empty(), Optional.empty(), Optional.of("partner.example"));
        rig.rules = Optional.of(new LocalRules(
                List.of(),
                List.of(Exceptions.of(new Key(KeyKind.DOMAIN, "partner.example"), Match.SUFFIX, scope, true)),
                7));
    }

    private Action deliver(String message) {
        AuthenticationDns dns = new AuthenticationDns(new DnsClient(
                question -> CompletableFuture.completedFuture(zones.query(question.name(), question.type())),
                Ticker.systemTicker()));
        Authenticator authenticator = new Authenticator(
                new AuthenticationOptions(List.of(), AuthenticationOptions.OnUnknown.DEFER, Duration.ofSeconds(5)),
                Set.of(),
                dns,
                () -> SignedMessage.NOW);
        MessageSource source = () -> {
            opened.incrementAndGet();
            return new ByteArrayInputStream(message.getBytes(ISO_8859_1));
        };
        try (MessageEvaluation evaluation = rig.evaluator(PolicyOptions.defaults())
                .withParts(new MessageEvaluator.SenderChecks(
                        LookAlikes.NONE,
                        BrandCheck.NONE,
                        MessageEvaluator.History.NONE,
                        authenticator,
                        ReportAddresses.NONE))
                .open(rig.lease(), EvaluationRig.client("203.0.113.9"))) {
            evaluation.mailFrom("bounce@stranger.example");
            evaluation.rcptTo("bob@rcpt.example");
            evaluation.message(source, 0);
            evaluation.lookUp();
            Action action = evaluation.decide(source).enforced();
            reason = evaluation.authentication().map(Authentication::text).orElse("");
            return action;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String google(String fields, String body) {
        return new SignedMessage()
                .fields(fields + FROM, FROM)
                .body(latin1(body))
                .text();
    }

    /// The bytes of the text in UTF-8, each as a character.
    private static String latin1(String text) {
        return new String(text.getBytes(UTF_8), ISO_8859_1);
    }

    private static String part(String type, String encoding, String content) {
        return "Content-Type: " + type + "; charset=\"UTF-8\"\r\n" + encoding + "\r\n" + content + "\r\n";
    }

    private static String multipart(String boundary, String... parts) {
        return "--" + boundary + "\r\n" + String.join("--" + boundary + "\r\n", parts) + "--" + boundary + "--\r\n";
    }

    private static String alternative() {
        return multipart(
                "0000000000009c2f1e",
                part(
                        "text/plain",
                        QP,
                        "Gr=C3=BC=C3=9Fe, siehe unsere Seite <" + LINK + "invoice?id=3D17>\r\n\r\n-- =\r\n\r\nAda"),
                part(
                        "text/html",
                        QP,
                        "<div dir=3D\"ltr\">Gr=C3=BC=C3=9Fe, siehe <a href=3D\"" + LINK
                                + "invoice?id=3D17\" target=3D\"_bl=\r\n"
                                + "ank\">unsere Seite</a><br clear=3D\"all\"></div>"));
    }

    static Stream<Arguments> partners() {
        return Stream.of(
                Arguments.of(MULTIPART, alternative()),
                Arguments.of(
                        "Content-Type: text/plain; charset=\"UTF-8\"\r\n",
                        "Grüße, siehe unsere Seite:\r\n\r\n" + LINK + "invoice\r\n\r\n-- \r\nAda\r\n"),
                Arguments.of(
                        "Content-Type: text/html; charset=\"UTF-8\"\r\n" + QP,
                        "<!DOCTYPE html><html><head><title>Invoice</title></head><body style=3D\"margin:0\">=\r\n"
                                + "<p>See <a href=3D\"" + LINK + "?a=3Db\">it</a></p></body></html>\r\n"),
                Arguments.of(
                        "Content-Type: text/plain; charset=\"UTF-8\"; format=flowed; delsp=yes\r\n" + QP,
                        """
                        Gr=C3=BC=C3=9Fe, siehe www.evil.example/a=3Db =E2=80=93 oder ruf an.

                        ---------- Forwarded message ---------
                        From: Bob <bob@customer.example>

                        When?
                        """.replace("\n", "\r\n")),
                Arguments.of(
                        "Content-Type: multipart/mixed; boundary=\"000000000000aa11\"\r\n",
                        multipart(
                                "000000000000aa11",
                                MULTIPART + "\r\n" + alternative(),
                                "Content-Type: application/octet-stream; name=\"a.bin\"\r\n"
                                        + "Content-Disposition: attachment; filename=\"a.bin\"\r\n"
                                        + "Content-Transfer-Encoding: base64\r\n\r\n"
                                        + base64("Nothing of interest, but of several lines. ".repeat(20))
                                        + "\r\n")));
    }

    private static String base64(String text) {
        return Base64.getMimeEncoder().encodeToString(text.getBytes(UTF_8));
    }

    @ParameterizedTest
    @MethodSource("partners")
    void partner_whoseSignatureLeavesTheTypeOpen_passes(String fields, String body) {
        assertEquals(Action.PASS, deliver(google(fields, body)), reason);
        assertEquals("dkim:partner.example", reason);
    }

    /// A field that a stranger adds, with the link it makes of lines that are harmless as they were meant.
    private static final Map<String, String> FIELDS = Map.ofEntries(
            Map.entry(QP, "http://evil.exam=\r\nple/\r\n"),
            Map.entry("Content-Transfer-Encoding: base64\r\n", base64("See " + LINK + " now") + "\r\n"),
            Map.entry("Content-Type: text/html\r\n", "<a href=\"htt&#112;&#58;//evil&#46;example/\">it</a>\r\n"),
            Map.entry(
                    "Content-Type: multipart/mixed; boundary=b\r\n",
                    multipart("b", part("text/plain", "Content-Transfer-Encoding: base64\r\n", base64(LINK)))),
            Map.entry(
                    "Content-Type: multipart/digest; boundary=b\r\n",
                    multipart("b", "\r\nContent-Transfer-Encoding: base64\r\n\r\n" + base64(LINK) + "\r\n")),
            Map.entry("Content-Type: text/plain; charset=utf-7\r\n", "http+ADo-//evil+AC4-example/\r\n"),
            Map.entry(
                    "Content-Type: text/plain; charset=iso-2022-jp\r\n",
                    "http://\u001b$B#e#v#i#l\u001b(B.example/\r\n"),
            Map.entry(
                    "Content-Type: text/html\r\nContent-Base: http://evil.example/\r\n",
                    "<a href=\"/invoice\">invoice</a>\r\n"),
            Map.entry(
                    "Content-Type: text/html\r\nContent-Location: http://evil.example/\r\n",
                    "<a href=\"/invoice\">invoice</a>\r\n"),
            Map.entry(
                    "Content-Type: message/external-body; access-type=URL; URL=\"http://evil.example/\"\r\n",
                    "Hello\r\n"));

    static Stream<Arguments> forgeries() {
        return FIELDS.entrySet().stream()
                .flatMap(field -> Stream.of("", "Dear all,\r\n\r\n", "<p>Hello world</p>\r\n")
                        .map(before ->
                                Arguments.of(field.getKey(), before(field.getKey(), before) + field.getValue())));
    }

    /// Lines before base64 that are base64 too.
    private static String before(String field, String lines) {
        return field.contains("base64") ? "abcd\r\n".repeat(lines.length() / 8) : lines;
    }

    @ParameterizedTest
    @MethodSource("forgeries")
    void fieldOfAStranger_thatMakesALink_isRejected(String added, String body) {
        assertEquals(Action.REJECT, deliver(google(added, body)), added + body);
        assertEquals("fail:dkim=not-covered,spf=not-aligned", reason);
    }

    static Stream<Arguments> hidden() {
        return Stream.of(
                Arguments.of("quoted-printable", "see http://evil.example=2Egood.example/\r\n"),
                Arguments.of("iso-2022-jp", "\u001b$Bhttp://evil.example/\u001b(B\r\n"),
                Arguments.of("gb18030", "http://\u0081@evil.example/\r\n"),
                Arguments.of("message", "Subject: hello\r\nX-Note: http://evil.example/\r\n\r\nHello\r\n"));
    }

    /// The lines have a listed host as plain text, but not as the signer meant them.
    @ParameterizedTest
    @MethodSource("hidden")
    void missingField_thatHidALink_isRejected(String meant, String body) {
        assertEquals(
                Action.REJECT,
                deliver(new SignedMessage().fields(FROM, FROM).body(body).text()),
                meant);
    }

    @Test
    void listedLink_withoutException_isReadOnceAndAsksNothing() {
        rig.rules = Optional.empty();
        assertEquals(Action.REJECT, deliver(google(MULTIPART, alternative())));
        assertEquals(1, opened.get());
        assertEquals(List.of(), zones.queried());
    }

    @Test
    void signedMultipart_isNotReadAgain() {
        assertEquals(
                Action.PASS,
                deliver(new SignedMessage()
                        .tag("h", "from:to:content-type")
                        .fields(FROM + MULTIPART, FROM + MULTIPART)
                        .body(alternative())
                        .text()));
        assertEquals(2, opened.get(), "for its keys and for its signature");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void body_beyondTheBound_isNotCovered(int beyond) {
        String line = "All is well, and the weather is fine.\r\n";
        int bytes = BodyReadings.MAX_BYTES + beyond - LINK.length() - 2;
        String body =
                LINK + "\r\n" + line.repeat(bytes / line.length()) + "a".repeat(bytes % line.length() - 2) + "\r\n";
        assertEquals(beyond == 0 ? Action.PASS : Action.REJECT, deliver(google("", body)));
    }

    static Stream<String> fillers() {
        String boundaries = IntStream.range(0, BodyReadings.MAX_BOUNDARIES)
                .mapToObj("--b%d\r\n\r\n"::formatted)
                .collect(Collectors.joining());
        return Stream.of(
                boundaries,
                "--" + "b".repeat(BodyReadings.MAX_BYTES / 2),
                "--" + "\"\\".repeat(BodyReadings.MAX_BYTES / 4),
                "--b\r\nContent-Type: multipart/digest; boundary=b\r\n\r\n",
                "Content-Type: message/rfc822\r\n\r\n",
                "<a <a </a\r\n",
                "PGEgPGEg=3D\r\n",
                "http://a.example/?u=http://b.example/?u=\r\n",
                "\u001b$B%PDF-1.7 /URI(\u0081\r\n");
    }

    /// Bodies at the bound, in forms that are slow to read, are read as often as the work of the message allows.
    @ParameterizedTest
    @MethodSource("fillers")
    void hostileBody_isReadToAnAnswer(String filler) {
        String body = LINK + "\r\n" + filler.repeat(BodyReadings.MAX_BYTES / filler.length() + 1);
        Action action = deliver(google("", body.substring(0, BodyReadings.MAX_BYTES - LINK.length()) + "\r\n"));
        assertTrue(action == Action.PASS || action == Action.REJECT, reason);
        assertTrue(opened.get() <= 3 + MAX_READINGS, "" + opened);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void boundaries_beyondTheBound_areNotCovered(int beyond) {
        StringBuilder body = new StringBuilder(LINK + "\r\n");
        for (int i = 0; i < BodyReadings.MAX_BOUNDARIES + beyond; i++) {
            body.append("--b").append(i).append("\r\n");
        }
        assertEquals(beyond == 0 ? Action.PASS : Action.REJECT, deliver(google("", body.toString())));
    }
}
