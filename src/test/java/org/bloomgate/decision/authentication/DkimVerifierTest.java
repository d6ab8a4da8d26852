package org.bloomgate.decision.authentication;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.bloomgate.decision.authentication.DkimResult.Reason;
import org.bloomgate.lookup.dns.DnsReply;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class DkimVerifierTest {
    private static final String FROM = "From: a@partner.example\r\n";
    private static final String TO = "To: b@customer.example\r\n";

    @Test
    void signature_unchanged_passes() {
        assertEquals(
                List.of(new DkimResult(Reason.PASS, "partner.example", Set.of("from", "to"), false)),
                new SignedMessage().verify());
    }

    @ParameterizedTest
    @EnumSource(Reason.class)
    void label_ofEachReason_isWordsWithHyphens(Reason reason) {
        assertEquals(reason.label().toUpperCase(Locale.ROOT).replace('-', '_'), reason.name());
        assertEquals(reason == Reason.PASS, reason.result() == MechanismResult.PASS);
    }

    @Nested
    class Tags {
        @ParameterizedTest
        @CsvSource({
            "v, 2, UNSUPPORTED",
            "v, '', UNSUPPORTED",
            "a, rsa-sha1, WEAK",
            "a, ed25519-sha1, UNSUPPORTED",
            "a, '', UNSUPPORTED",
            "c, relaxed, INVALID",
            "c, simple, PASS",
            "c, '', PASS",
            "c, nofws, UNSUPPORTED",
            "c, simple/nofws, UNSUPPORTED",
            "c, simple/simple/simple, UNSUPPORTED",
            "q, dns/txt, PASS",
            "q, http, UNSUPPORTED",
            "q, dns/txt:http, PASS",
            "q, http:dns/txt, PASS",
            "q, https/well-known : dns/txt : x, PASS",
            "q, dns/txt/x, UNSUPPORTED",
            "q, dns/txtx:dns, UNSUPPORTED",
            "q, DNS/TXT, UNSUPPORTED",
            "q, a:b:c:d:e:f:g:h:i:dns/txt, PASS",
            "q, a:b:c:d:e:f:g:h:i:j:dns/txt, UNSUPPORTED",
            "s, '', MALFORMED",
            "s, a.b, PASS",
            "s, a..b, MALFORMED",
            "s, '*', MALFORMED",
            "bh, '', MALFORMED",
            "bh, AAAA, BODY_CHANGED",
            "bh, A*AA, MALFORMED",
            "bh, AAA, MALFORMED",
            "h, '', FROM_UNSIGNED",
            "i, a@partner.example, PASS",
            "i, @sub.PARTNER.example, PASS",
            "i, a@other@partner.example, PASS",
            "i, partner.example, MALFORMED",
            "i, @otherpartner.example, MALFORMED",
            "i, @example, MALFORMED",
            "t, 1x, MALFORMED",
            "t, -1, MALFORMED",
            "t, 0000000000001, MALFORMED",
            "z, From:a|To:b, PASS",
            "1, x, MALFORMED"
        })
        void signature_withTag_hasReason(String name, String value, Reason reason) {
            assertEquals(reason, new SignedMessage().tag(name, value).reason());
        }

        @Test
        void signature_withTagTwice_isMalformed() {
            assertEquals(
                    Reason.MALFORMED, new SignedMessage().tag("z", "1; z=1").reason());
        }

        @Test
        void signature_withTagWithoutValue_isMalformed() {
            assertEquals(Reason.MALFORMED, new SignedMessage().tag("z", "1; y").reason());
        }

        @Test
        void signature_withBadBase64_isMalformed() {
            SignedMessage message = new SignedMessage();
            String text = message.text().replaceFirst(" b=.", " b=*");
            assertEquals(
                    Reason.MALFORMED,
                    SignedMessage.verify(text, message.dns()).getFirst().reason());
        }

        @Test
        void domain_inUpperCase_isAligned() {
            assertEquals(
                    Reason.PASS, new SignedMessage().tag("d", "Partner.EXAMPLE").reason());
        }

        @Test
        void names_atBoundAndBeyond_areBounded() {
            String names = "from:to" + ":x".repeat(DkimSignature.MAX_NAMES - 2);
            assertEquals(Reason.PASS, new SignedMessage().tag("h", names).reason());
            assertEquals(
                    Reason.MALFORMED, new SignedMessage().tag("h", names + ":x").reason());
        }

        @Test
        void field_atBoundAndBeyond_isIgnoredBeyond() {
            int length = new SignedMessage().tag("z", "x").signatureField().length() - 2;
            String filler = "x".repeat(DkimVerifier.MAX_FIELD_BYTES - length + 1);
            assertEquals(Reason.PASS, new SignedMessage().tag("z", filler).reason());
            assertEquals(List.of(), new SignedMessage().tag("z", filler + "x").verify());
        }
    }

    @Nested
    class Times {
        private static final long NOW = SignedMessage.NOW.getEpochSecond();

        @ParameterizedTest
        @CsvSource({"0, PASS", "-1, EXPIRED", "1, PASS", "-1795824000, EXPIRED"})
        void expiry_atBoundAndBeyond_isExpiredBeyond(long seconds, Reason reason) {
            assertEquals(
                    reason, new SignedMessage().tag("x", "" + (NOW + seconds)).reason());
        }

        @ParameterizedTest
        @CsvSource({"300, PASS", "301, FUTURE"})
        void signingTime_atBoundAndBeyond_isFutureBeyond(long seconds, Reason reason) {
            assertEquals(
                    reason, new SignedMessage().tag("t", "" + (NOW + seconds)).reason());
        }

        @Test
        void expiry_notAfterSigningTime_isMalformed() {
            assertEquals(
                    Reason.MALFORMED,
                    new SignedMessage().tag("t", "" + NOW).tag("x", "" + NOW).reason());
        }
    }

    @Nested
    class Body {
        @ParameterizedTest
        @CsvSource({
            "7, '', PASS",
            "7, '\r\n\r\n', PASS",
            "7, x, TRUNCATED",
            "6, '', TRUNCATED",
            "0, '', TRUNCATED",
            "8, '', BODY_CHANGED",
            "99999999999999999999999999999999999999, '', BODY_CHANGED"
        })
        void length_comparedWithBody_hasReason(String length, String appended, Reason reason) {
            assertEquals(
                    reason,
                    new SignedMessage().tag("l", length).append(appended).reason());
        }

        @Test
        void body_changed_costsNoQuery() {
            SignedMessage message =
                    new SignedMessage().append("x").answer(new DnsReply.Failed(DnsReply.Cause.TIMEOUT, ""));
            assertEquals(Reason.BODY_CHANGED, message.reason());
        }

        @Test
        void message_withoutEmptyLine_hasEmptyBody() {
            SignedMessage message = new SignedMessage().body("\r\n");
            String header = message.text().substring(0, message.text().length() - 4);
            assertEquals(
                    Reason.PASS,
                    SignedMessage.verify(header, message.dns()).getFirst().reason());
        }

        @Test
        void stream_thatFails_throwsItsException() {
            byte[] message = new SignedMessage().text().getBytes(ISO_8859_1);
            MessageSource failing = () -> new FilterInputStream(new ByteArrayInputStream(message)) {
                @Override
                public int read(byte[] target, int offset, int length) throws IOException {
                    if (available() == 0) {
                        throw new IOException("disk");
                    }
                    return super.read(target, offset, length);
                }
            };
            DkimVerifier verifier = new DkimVerifier(new SignedMessage().dns(), SignedMessage.NOW);
            assertThrows(IOException.class, () -> verifier.verify(failing, domain -> true, _ -> false));
        }
    }

    @Nested
    class Header {
        @ParameterizedTest
        @CsvSource({"to, FROM_UNSIGNED", "from:to, FROM_UNSIGNED", "from:from:to, INVALID"})
        void secondFrom_unlessSigned_isFromUnsigned(String names, Reason reason) {
            assertEquals(reason, new SignedMessage().tag("h", names).above(FROM).reason());
        }

        @Test
        void from_neitherPresentNorSigned_isFromUnsigned() {
            SignedMessage message = new SignedMessage().fields(TO, TO);
            assertEquals(Reason.PASS, message.reason());
            assertEquals(Reason.FROM_UNSIGNED, message.tag("h", "to").reason());
        }

        @Test
        void bothFroms_signedFromTheBottom_pass() {
            String other = "From: c@partner.example\r\n";
            SignedMessage message = new SignedMessage().fields(FROM + other + TO, other + FROM + TO);
            assertEquals(Reason.PASS, message.tag("h", "from:FROM : to").reason());
        }

        @Test
        void addedInstance_ofSignedField_isNotCovered() {
            SignedMessage message = new SignedMessage().above("to: listed@listed.example\r\n");
            assertEquals(Set.of("from"), message.verify().getFirst().signedFields());
        }

        @Test
        void fieldWithBlankBeforeColon_isAnInstance() {
            SignedMessage message = new SignedMessage().above("From : listed@listed.example\r\n");
            assertEquals(Reason.FROM_UNSIGNED, message.reason());
        }

        @Test
        void oversignedField_added_invalidates() {
            SignedMessage message = new SignedMessage().tag("h", "from:to:cc");
            assertEquals(Reason.PASS, message.reason());
            assertEquals(
                    Reason.INVALID, message.above("Cc: c@listed.example\r\n").reason());
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "Pay here\r\n",
                    " Pay: here\r\n",
                    "X: a\nY: b\r\n",
                    "X: a\rb\r\n",
                    "X: a\n\nb\r\n",
                    ": x\r\n",
                    "a b: x\r\n",
                    "\u00fc: x\r\n"
                })
        void header_withOtherThanFields_isMalformed(String line) {
            assertEquals(Reason.MALFORMED, new SignedMessage().above(line).reason());
        }

        @Test
        void header_atBoundAndBeyond_isTooLargeBeyond() {
            int others = new SignedMessage().text().indexOf("\r\n\r\n") + 4;
            String filler = "X:" + "x".repeat(DkimHeader.MAX_BYTES - others - 4);
            assertEquals(Reason.PASS, new SignedMessage().above(filler + "\r\n").reason());
            SignedMessage beyond = new SignedMessage().above(filler + "x\r\n");
            assertEquals(List.of(new DkimResult(Reason.HEADER_TOO_LARGE, "", Set.of(), false)), beyond.verify());
            assertEquals(MechanismResult.FAIL, beyond.reason().result());
        }

        @Test
        void fields_atBoundAndBeyond_areTooLargeBeyond() {
            String filler = "X:\r\n".repeat(DkimHeader.MAX_FIELDS - 3);
            assertEquals(Reason.PASS, new SignedMessage().above(filler).reason());
            assertEquals(
                    Reason.HEADER_TOO_LARGE,
                    new SignedMessage().above(filler + "X:\r\n").reason());
        }
    }

    @Nested
    class Signatures {
        private final List<String> queries = new ArrayList<>();

        private List<DkimResult> verify(String text, Set<String> enough) throws IOException {
            DnsQueries dns = (name, type) -> {
                queries.add(type + " " + name);
                return new SignedMessage().dns().query(name, type);
            };
            return new DkimVerifier(dns, SignedMessage.NOW)
                    .verify(
                            () -> new ByteArrayInputStream(text.getBytes(ISO_8859_1)),
                            "partner.example"::equals,
                            result -> result.reason() == Reason.PASS
                                    && result.signedFields().containsAll(enough));
        }

        @Test
        void unalignedSignatures_costNoQuery() throws IOException {
            String unaligned = new SignedMessage()
                    .tag("d", "listed.example")
                    .signatureField()
                    .repeat(100);
            assertEquals(
                    1, verify(unaligned + new SignedMessage().text(), Set.of()).size());
            assertEquals(List.of("TXT x._domainkey.partner.example"), queries);
        }

        @Test
        void unsignedMessage_hasNoResult() throws IOException {
            assertEquals(List.of(), verify(FROM + "\r\nx", Set.of()));
            assertEquals(List.of(), verify("\r\nx", Set.of()));
            assertEquals(List.of(), verify("", Set.of()));
            assertEquals(List.of(), queries);
        }

        @Test
        void sixthSignature_isNotTried() throws IOException {
            String broken = "DKIM-Signature: d=partner.example\r\n";
            String four = broken.repeat(DkimVerifier.MAX_SIGNATURES - 1);
            String text = new SignedMessage().text();
            assertEquals(Reason.PASS, verify(four + text, Set.of()).getLast().reason());
            List<DkimResult> results = verify(four + broken + text, Set.of());
            assertEquals(
                    Collections.nCopies(5, new DkimResult(Reason.MALFORMED, "partner.example", Set.of(), false)),
                    results);
        }

        @Test
        void verification_withEnoughSigned_stops() throws IOException {
            String first =
                    new SignedMessage().tag("h", "from").fields(FROM, FROM).signatureField();
            String text = new SignedMessage().text();
            assertEquals(1, verify(first + text, Set.of("from")).size());
            assertEquals(
                    2,
                    verify(first + new SignedMessage().signatureField() + text, Set.of("from", "to"))
                            .size());
            assertEquals(3, queries.size());
        }
    }
}
