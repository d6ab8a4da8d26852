package org.bloomgate.decision.authentication;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.decision.authentication.DkimResult.Reason;
import org.bloomgate.lookup.dns.DnsReply;

/// A message with one signature (simple/simple, Ed25519), whose tags, text and key record a test changes one by one.
final class SignedMessage {
    static final Instant NOW = Instant.parse("2026-11-28T00:00:00Z");

    private static final KeyPair KEYS = keys();

    private final Map<String, String> tags = new LinkedHashMap<>();
    private String fields = "From: a@partner.example\r\nTo: b@customer.example\r\n";
    private String signedFields = fields;
    private String body = "Hello\r\n";
    private String above = "";
    private String appended = "";
    private DnsReply answer = new DnsReply.Found(List.of(record()), Duration.ZERO);

    SignedMessage() {
        tag("v", "1").tag("a", "ed25519-sha256").tag("c", "simple/simple").tag("d", "partner.example");
        tag("s", "x").tag("h", "from:to").tag("bh", base64(sha256(body)));
    }

    private static KeyPair keys() {
        try {
            return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException(missing);
        }
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(ISO_8859_1));
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException(missing);
        }
    }

    /// The `p=` tag of the key.
    static String key() {
        byte[] info = KEYS.getPublic().getEncoded();
        return "p=" + base64(Arrays.copyOfRange(info, info.length - 32, info.length));
    }

    static String record() {
        return "v=DKIM1; k=ed25519; " + key();
    }

    /// @param value empty removes the tag
    SignedMessage tag(String name, String value) {
        tags.put(name, value);
        return this;
    }

    /// @param signed as `h=` selects them
    SignedMessage fields(String fields, String signed) {
        this.fields = fields;
        this.signedFields = signed;
        return this;
    }

    SignedMessage body(String text) {
        this.body = text;
        return tag("bh", base64(sha256(text)));
    }

    /// Text behind the signed body.
    SignedMessage append(String text) {
        this.appended = text;
        return this;
    }

    SignedMessage above(String text) {
        this.above = text;
        return this;
    }

    SignedMessage records(String... records) {
        return answer(new DnsReply.Found(List.of(records), Duration.ZERO));
    }

    SignedMessage answer(DnsReply of) {
        this.answer = of;
        return this;
    }

    String signatureField() {
        StringBuilder list = new StringBuilder("DKIM-Signature:");
        tags.forEach((name, value) -> list.append(value.isEmpty() ? "" : " " + name + "=" + value + ";"));
        String field = list + " b=";
        try {
            Signature signer = Signature.getInstance("Ed25519");
            signer.initSign(KEYS.getPrivate());
            signer.update(sha256(signedFields + field));
            return field + base64(signer.sign()) + "\r\n";
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    String text() {
        return above + signatureField() + fields + "\r\n" + body + appended;
    }

    DnsQueries dns() {
        return (name, type) -> answer;
    }

    List<DkimResult> verify() {
        return verify(text(), dns());
    }

    static List<DkimResult> verify(String text, DnsQueries dns) {
        try {
            return new DkimVerifier(dns, NOW)
                    .verify(
                            () -> new ByteArrayInputStream(text.getBytes(ISO_8859_1)),
                            "partner.example"::equals,
                            _ -> false);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /// The reason for the only signature.
    Reason reason() {
        return Optional.of(verify())
                .filter(results -> results.size() == 1)
                .orElseThrow()
                .getFirst()
                .reason();
    }
}
