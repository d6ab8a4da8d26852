package org.bloomgate.lists.snapshot;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import org.bloomgate.base.io.Sha256;

/// A statement of a publisher: its content with a counter and an expiry, so that an attacker cannot replay an
/// old one, or withhold a new one beyond its expiry. [StatementForm] describes its bytes.
///
/// @param counter higher with each statement; the first one of a publisher is the number of seconds since 1970,
///     so that a publisher that lost its directory continues above the counters that mirrors have seen
/// @param expires after which mirrors no longer trust that it is the newest
/// @param signedText the lines that the signature covers, in ASCII
/// @param signature Ed25519
/// @param body empty if there is none, or if only the lines before it were read
public record Statement<T extends StatementForm.Content>(
        long counter, Instant expires, T content, String signedText, Optional<byte[]> signature, String body) {
    /// A statement with a longer lifetime is invalid.
    public static final Duration MAX_LIFETIME = Duration.ofDays(366);

    public boolean isExpired(Instant now) {
        return now.isAfter(expires);
    }

    /// Distinguishes statements without reading their bodies.
    public String tag() {
        return Sha256.hex(encodeHead());
    }

    /// Ed25519 is deterministic: one key gives one signature for one text.
    boolean isSignedBy(SigningKey key) {
        return signature
                .filter(bytes -> Arrays.equals(bytes, key.sign(signedText.getBytes(US_ASCII))))
                .isPresent();
    }

    /// The lines before the body, the signature included.
    byte[] encodeHead() {
        String line = signature
                .map(bytes -> "signature ed25519 " + Base64.getEncoder().encodeToString(bytes) + "\n")
                .orElse("");
        return (signedText + line).getBytes(US_ASCII);
    }

    byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(encodeHead());
        if (content.bodySha256().isPresent()) {
            bytes.write('\n');
            bytes.writeBytes(body.getBytes(UTF_8));
        }
        return bytes.toByteArray();
    }
}
