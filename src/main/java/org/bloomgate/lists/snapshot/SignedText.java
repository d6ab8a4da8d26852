package org.bloomgate.lists.snapshot;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A statement of a publisher, and the line after it with the signature over it:
///
/// ```
///   signature ed25519 <base64>
/// ```
///
/// @param text in ASCII
record SignedText(String text, Optional<byte[]> signature) {
    /// Regular expression of the line of the signature.
    static final String SIGNATURE_LINE = "(?:signature [^\\n]*\\n)?";

    private static final Pattern LINE = Pattern.compile("signature ed25519 ([A-Za-z0-9+/=]{88})\n");

    static SignedText sign(Optional<SigningKey> key, String text) {
        return new SignedText(text, key.map(signingKey -> signingKey.sign(text.getBytes(US_ASCII))));
    }

    /// @param line of the signature; empty without one
    /// @throws IllegalArgumentException when it is not such a line
    static SignedText parse(String text, String line) {
        if (line.isEmpty()) {
            return new SignedText(text, Optional.empty());
        }
        Matcher form = LINE.matcher(line);
        byte[] bytes = form.matches() ? Base64.getDecoder().decode(form.group(1)) : new byte[0];
        if (bytes.length != TrustedKey.SIGNATURE_BYTES) {
            throw new IllegalArgumentException(line);
        }
        return new SignedText(text, Optional.of(bytes));
    }

    byte[] encode() {
        String line = signature
                .map(bytes -> "signature ed25519 " + Base64.getEncoder().encodeToString(bytes) + "\n")
                .orElse("");
        return (text + line).getBytes(US_ASCII);
    }

    boolean isSigned() {
        return signature.isPresent();
    }

    /// Ed25519 is deterministic: one key gives one signature for one text.
    boolean isSignedBy(SigningKey key) {
        return signature
                .filter(bytes -> Arrays.equals(bytes, key.sign(text.getBytes(US_ASCII))))
                .isPresent();
    }
}
