package org.bloomgate.decision.authentication;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.spec.RSAPublicKeySpec;
import java.time.Duration;
import java.util.Base64;
import java.util.stream.Stream;
import org.bloomgate.decision.authentication.DkimResult.Reason;
import org.bloomgate.lookup.dns.DnsReply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DkimKeyTest {
    private static final String KEY = SignedMessage.key();
    private static final BigInteger USUAL_EXPONENT = BigInteger.valueOf(65_537);

    @ParameterizedTest
    @CsvSource({
        "'v=DKIM1; k=ed25519; {}', PASS",
        "'k=ed25519;{};', PASS",
        "'v=DKIM2; k=ed25519; {}', KEY_UNUSABLE",
        "'k=ed25519; h=sha256; {}', PASS",
        "'k=ed25519; h=sha1 : sha256; {}', PASS",
        "'k=ed25519; h=sha1; {}', KEY_UNUSABLE",
        "'k=ed25519; s=email; {}', PASS",
        "'k=ed25519; s=other:*; {}', PASS",
        "'k=ed25519; s=tlsrpt; {}', KEY_UNUSABLE",
        "'k=ed25519; t=y; {}', KEY_TESTING",
        "'k=ed25519; t=s:y; {}', KEY_TESTING",
        "'k=ed25519; t=s; {}', PASS",
        "'k=ed25519; t=x; {}', PASS",
        "'k=ed25519; p=', KEY_REVOKED",
        "'k=ed25519', KEY_UNUSABLE",
        "'k=ed25519; p=AAAA', KEY_UNUSABLE",
        "'k=ed25519; p=*', KEY_UNUSABLE",
        "'k=ed25519; {}; {}', KEY_UNUSABLE",
        "'k=rsa; {}', KEY_UNUSABLE",
        "'{}', KEY_UNUSABLE",
        "'v=spf1 -all', KEY_UNUSABLE",
        "'', KEY_UNUSABLE"
    })
    void record_withTags_hasReason(String record, Reason reason) {
        assertEquals(
                reason, new SignedMessage().records(record.replace("{}", KEY)).reason());
    }

    @Test
    void strictKey_forSubdomain_isUnusable() {
        SignedMessage message = new SignedMessage().tag("i", "@sub.partner.example");
        assertEquals(Reason.PASS, message.reason());
        assertEquals(
                Reason.KEY_UNUSABLE,
                message.records("t=s; " + SignedMessage.record()).reason());
    }

    @Test
    void severalRecords_firstUsable_isTheKey() {
        SignedMessage message = new SignedMessage();
        String other = "k=ed25519; p=" + "A".repeat(43) + "=";
        assertEquals(
                Reason.PASS,
                message.records("v=spf1 -all", SignedMessage.record(), other).reason());
        assertEquals(
                Reason.INVALID, message.records(other, SignedMessage.record()).reason());
        assertEquals(Reason.KEY_REVOKED, message.records("p=; k=ed25519", "x").reason());
    }

    @Test
    void records_atBoundAndBeyond_areIgnoredBeyond() {
        Stream<String> others = Stream.generate(() -> "x").limit(DkimVerifier.MAX_RECORDS - 1);
        String[] records =
                Stream.concat(others, Stream.of(SignedMessage.record())).toArray(String[]::new);
        assertEquals(Reason.PASS, new SignedMessage().records(records).reason());
        String[] more = Stream.concat(Stream.of("x"), Stream.of(records)).toArray(String[]::new);
        assertEquals(Reason.KEY_UNUSABLE, new SignedMessage().records(more).reason());
    }

    @ParameterizedTest
    @CsvSource({"TIMEOUT, TIMEOUT", "ERROR, KEY_UNKNOWN", "BOUND, KEY_UNKNOWN"})
    void query_withoutAnswer_isUnknown(DnsReply.Cause cause, Reason reason) {
        Reason found =
                new SignedMessage().answer(new DnsReply.Failed(cause, "")).reason();
        assertEquals(reason, found);
        assertEquals(MechanismResult.UNKNOWN, found.result());
    }

    @Test
    void query_withoutRecord_isKeyMissing() {
        assertEquals(
                Reason.KEY_MISSING,
                new SignedMessage().answer(new DnsReply.Absent(Duration.ZERO)).reason());
    }

    @ParameterizedTest
    @CsvSource({"512, WEAK", "1023, WEAK", "1024, PASS", "4096, PASS", "4097, KEY_UNUSABLE"})
    void modulus_atBoundAndBeyond_hasReason(int bits, Reason reason) throws GeneralSecurityException {
        assertEquals(reason, rsa(BigInteger.ONE.shiftLeft(bits - 1).setBit(0), USUAL_EXPONENT));
    }

    @ParameterizedTest
    @CsvSource({
        "3, PASS",
        "4, KEY_UNUSABLE",
        "65537, PASS",
        "4294967297, PASS",
        "4294967296, KEY_UNUSABLE",
        "4294967299, KEY_UNUSABLE"
    })
    void exponent_atBoundAndBeyond_hasReason(BigInteger exponent, Reason reason) throws GeneralSecurityException {
        assertEquals(reason, rsa(BigInteger.ONE.shiftLeft(2047).setBit(0), exponent));
    }

    private static Reason rsa(BigInteger modulus, BigInteger exponent) throws GeneralSecurityException {
        byte[] info = KeyFactory.getInstance("RSA")
                .generatePublic(new RSAPublicKeySpec(modulus, exponent))
                .getEncoded();
        byte[] signature = "x:a=rsa-sha256; d=x".getBytes(StandardCharsets.US_ASCII);
        String record = "v=DKIM1; p=" + Base64.getEncoder().encodeToString(info);
        return DkimKey.parse(record, new DkimSignature(new DkimHeader.Field(signature, 2)))
                .reason();
    }
}
