package org.bloomgate.snapshot;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.util.ArrayList;
import java.util.List;
import org.bloomgate.tls.PemFile;

/// A key that a publisher signs with. Immutable, thread-safe.
public final class SigningKey {
    private final PrivateKey key;
    private final TrustedKey.Algorithm algorithm;

    private SigningKey(PrivateKey key, TrustedKey.Algorithm algorithm) {
        this.key = key;
        this.algorithm = algorithm;
    }

    /// The Ed25519 key that snapshots are signed with: the first one in the file.
    ///
    /// @param name of the configuration key that names the file, for messages
    /// @param file PEM, unencrypted PKCS #8, as `openssl genpkey -algorithm ed25519` writes it
    /// @throws IOException when the file cannot be read or is not what it should be
    public static SigningKey read(String name, Path file) throws IOException {
        SigningKey first = readAll(name, file).getFirst();
        if (first.algorithm != TrustedKey.Algorithm.ED25519) {
            throw new IOException(name + ": the first key in " + file + " is no Ed25519 key");
        }
        return first;
    }

    /// The keys that say what is current: an Ed25519 key, and beside it one of ML-DSA-44 where there is one.
    ///
    /// @throws IOException when the file cannot be read, or has two of a kind
    public static List<SigningKey> readAll(String name, Path file) throws IOException {
        List<SigningKey> keys = new ArrayList<>();
        for (PrivateKey key : new PemFile(name, file)
                .privateKeys(
                        List.of(TrustedKey.Algorithm.ED25519.jdkName(), TrustedKey.Algorithm.ML_DSA_44.jdkName()))) {
            TrustedKey.Algorithm algorithm = TrustedKey.Algorithm.of(key.getAlgorithm())
                    .orElseThrow(() -> new IOException(name + ": " + file + " holds a key of " + key.getAlgorithm()));
            if (keys.stream().anyMatch(other -> other.algorithm == algorithm)) {
                throw new IOException(name + ": " + file + " holds two " + algorithm.jdkName() + " keys to sign with");
            }
            keys.add(new SigningKey(key, algorithm));
        }
        return List.copyOf(keys);
    }

    TrustedKey.Algorithm algorithm() {
        return algorithm;
    }

    /// The content of [ManifestSignature#FILE_NAME].
    byte[] sign(byte[] manifest) {
        return ManifestSignature.write(signature(manifest));
    }

    byte[] signature(byte[] octets) {
        try {
            Signature signature = Signature.getInstance(algorithm.jdkName());
            signature.initSign(key);
            signature.update(octets);
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the key was read as one of this algorithm", e);
        }
    }
}
