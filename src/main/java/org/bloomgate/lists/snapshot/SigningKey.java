package org.bloomgate.lists.snapshot;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.util.List;
import org.bloomgate.base.tls.PemFile;

/// An Ed25519 key that a publisher signs with. Immutable, thread-safe.
public final class SigningKey {
    private final PrivateKey key;

    private SigningKey(PrivateKey key) {
        this.key = key;
    }

    /// @param name of the configuration key that names the file, for messages
    /// @param file PEM, unencrypted PKCS #8, as `openssl genpkey -algorithm ed25519` writes it; the first key
    ///     counts
    /// @throws IOException when the file cannot be read or holds no such key
    public static SigningKey read(String name, Path file) throws IOException {
        return new SigningKey(new PemFile(name, file).readPrivateKey(List.of(TrustedKey.ALGORITHM)));
    }

    /// The content of [ManifestSignature#FILE_NAME].
    byte[] signManifest(byte[] manifest) {
        return ManifestSignature.encode(sign(manifest));
    }

    byte[] sign(byte[] bytes) {
        try {
            Signature signature = Signature.getInstance(TrustedKey.ALGORITHM);
            signature.initSign(key);
            signature.update(bytes);
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the key was read as one of this algorithm", e);
        }
    }
}
