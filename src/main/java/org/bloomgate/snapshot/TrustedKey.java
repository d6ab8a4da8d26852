package org.bloomgate.snapshot;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bloomgate.tls.PemFile;

/// A public key, what it may sign and when. All of it stands in the file of keys, in lines above the key:
///
/// ```
///   use: current
///   valid-from: 2026-11-01T00:00:00Z
///   valid-until: 2027-05-01T00:00:00Z
///   -----BEGIN PUBLIC KEY-----
/// ```
///
/// Without a line a key signs both, for ever. An ML-DSA-44 key (FIPS 204) signs `current` alone: the digests in it
/// are those of the manifests.
///
/// @param until the first moment at which it is not valid any more
record TrustedKey(PublicKey key, Algorithm algorithm, Set<KeyUse> uses, Instant from, Instant until) {
    private static final Pattern REMARK =
            Pattern.compile("(?m)^[# \\t]*(use|valid)([^:\\r\\n]*):?[ \\t]*([^\\r\\n]*?)[ \\t]*$");

    TrustedKey {
        uses = Set.copyOf(uses);
    }

    /// @param where the key stands, for messages
    /// @throws IOException when a line above it says what cannot be
    static TrustedKey of(String where, PemFile.RemarkedKey remarked) throws IOException {
        Algorithm algorithm = Algorithm.of(remarked.key().getAlgorithm())
                .orElseThrow(() ->
                        new IOException(where + ": a key of " + remarked.key().getAlgorithm()));
        TrustedKey key = new TrustedKey(remarked.key(), algorithm, algorithm.uses(), Instant.MIN, Instant.MAX);
        Matcher remark = REMARK.matcher(remarked.remarks());
        while (remark.find()) {
            String name = remark.group(1) + remark.group(2);
            try {
                key = key.with(name, remark.group(3));
            } catch (IllegalArgumentException | DateTimeParseException wrong) {
                throw new IOException(where + ": \"" + remark.group().strip() + "\" above a key is none of"
                        + " use: manifest, use: current, valid-from: INSTANT, valid-until: INSTANT");
            }
        }
        if (key.uses.isEmpty() || !key.from.isBefore(key.until)) {
            throw new IOException(where + ": a key that is never valid, or for nothing");
        }
        return key;
    }

    private TrustedKey with(String name, String value) {
        return switch (name) {
            case "use" -> new TrustedKey(key, algorithm, only(value), from, until);
            case "valid-from" -> new TrustedKey(key, algorithm, uses, Instant.parse(value), until);
            case "valid-until" -> new TrustedKey(key, algorithm, uses, from, Instant.parse(value));
            default -> throw new IllegalArgumentException(name);
        };
    }

    private Set<KeyUse> only(String label) {
        Set<KeyUse> said = EnumSet.noneOf(KeyUse.class);
        for (KeyUse use : KeyUse.values()) {
            if (use.label().equals(label) && uses.contains(use)) {
                said.add(use);
            }
        }
        if (said.isEmpty()) {
            throw new IllegalArgumentException(label);
        }
        return said;
    }

    boolean mayBeUsed(KeyUse use, Instant at) {
        return uses.contains(use) && !at.isBefore(from) && at.isBefore(until);
    }

    boolean verifies(byte[] signature, byte[] signed) {
        try {
            Signature verifier = Signature.getInstance(algorithm.jdkName());
            verifier.initVerify(key);
            verifier.update(signed);
            return verifier.verify(signature);
        } catch (GeneralSecurityException malformed) {
            // octets that are no point of the curve, for instance
            return false;
        }
    }

    /// How it is signed.
    enum Algorithm {
        ED25519("ed25519", "Ed25519", 64),
        ML_DSA_44("ml-dsa-44", "ML-DSA-44", 2420);

        private final String label;
        private final String jdkName;
        private final int signatureBytes;

        Algorithm(String label, String jdkName, int signatureBytes) {
            this.label = label;
            this.jdkName = jdkName;
            this.signatureBytes = signatureBytes;
        }

        /// @param name as keys of the JDK have it: those of Ed25519 are of `EdDSA`, those of ML-DSA of `ML-DSA`
        static Optional<Algorithm> of(String name) {
            return switch (name) {
                case "EdDSA", "Ed25519" -> Optional.of(ED25519);
                case "ML-DSA", "ML-DSA-44" -> Optional.of(ML_DSA_44);
                default -> Optional.empty();
            };
        }

        /// @throws IllegalArgumentException when there is none of that name
        static Algorithm ofLabel(String label) {
            return Stream.of(values())
                    .filter(one -> one.label.equals(label))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(label));
        }

        /// The word for it in signed text.
        String label() {
            return label;
        }

        String jdkName() {
            return jdkName;
        }

        int signatureBytes() {
            return signatureBytes;
        }

        Set<KeyUse> uses() {
            return switch (this) {
                case ED25519 -> EnumSet.allOf(KeyUse.class);
                case ML_DSA_44 -> EnumSet.of(KeyUse.CURRENT);
            };
        }
    }
}
