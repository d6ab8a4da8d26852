package org.bloomgate.snapshot;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.bloomgate.snapshot.TrustedKey.Algorithm;

/// What a publisher says, and behind it the signatures over it, a line each:
///
/// ```
///   signature ed25519 <base64>
///   signature ml-dsa-44 <base64>
/// ```
///
/// @param text in ASCII
record SignedText(String text, Map<Algorithm, byte[]> signatures) {
    /// Regular expression of the lines of the signatures.
    static final String LINES = "(?:signature [^\\n]*\\n){0,2}";

    private static final Pattern LINE = Pattern.compile("signature (ed25519|ml-dsa-44) ([A-Za-z0-9+/=]{88,4000})");

    SignedText {
        signatures = Map.copyOf(signatures);
    }

    static SignedText by(List<SigningKey> keys, String text) {
        Map<Algorithm, byte[]> signatures = new EnumMap<>(Algorithm.class);
        keys.forEach(key -> signatures.put(key.algorithm(), key.signature(text.getBytes(US_ASCII))));
        return new SignedText(text, signatures);
    }

    /// @param lines of the signatures
    /// @throws IllegalArgumentException when one of them is none
    static SignedText of(String text, String lines) {
        Map<Algorithm, byte[]> signatures = new EnumMap<>(Algorithm.class);
        for (String line : lines.lines().toList()) {
            Matcher signature = LINE.matcher(line);
            if (!signature.matches()) {
                throw new IllegalArgumentException(line);
            }
            Algorithm algorithm = Algorithm.ofLabel(signature.group(1));
            byte[] octets = Base64.getDecoder().decode(signature.group(2));
            if (octets.length != algorithm.signatureBytes() || signatures.put(algorithm, octets) != null) {
                throw new IllegalArgumentException(line);
            }
        }
        return new SignedText(text, signatures);
    }

    byte[] octets() {
        StringBuilder all = new StringBuilder(text);
        for (Algorithm algorithm : Algorithm.values()) {
            signature(algorithm)
                    .ifPresent(octets -> all.append("signature ")
                            .append(algorithm.label())
                            .append(' ')
                            .append(Base64.getEncoder().encodeToString(octets))
                            .append('\n'));
        }
        return all.toString().getBytes(US_ASCII);
    }

    Optional<byte[]> signature(Algorithm algorithm) {
        return Optional.ofNullable(signatures.get(algorithm));
    }

    boolean isSigned() {
        return !signatures.isEmpty();
    }

    /// Ed25519 gives one signature for one text; of ML-DSA, which does not, it counts that there is one.
    boolean isBy(List<SigningKey> keys) {
        return signatures
                        .keySet()
                        .equals(keys.stream().map(SigningKey::algorithm).collect(Collectors.toSet()))
                && keys.stream()
                        .filter(key -> key.algorithm() == Algorithm.ED25519)
                        .allMatch(key -> Arrays.equals(
                                signatures.get(Algorithm.ED25519), key.signature(text.getBytes(US_ASCII))));
    }
}
