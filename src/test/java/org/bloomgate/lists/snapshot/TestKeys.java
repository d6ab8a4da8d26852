package org.bloomgate.lists.snapshot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.Optional;

/// Pairs of keys in a folder, as `openssl` writes them: NAME.key, and the public half for a file of trusted keys.
///
/// @param folder that they are written to
public record TestKeys(Path folder) {

    /// Writes NAME.key, and returns the public half.
    public String pair(String name, String algorithm) throws IOException {
        try {
            KeyPair pair = KeyPairGenerator.getInstance(algorithm).generateKeyPair();
            Files.writeString(file(name), pem("PRIVATE KEY", pair.getPrivate().getEncoded()));
            return pem("PUBLIC KEY", pair.getPublic().getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    public Path file(String name) {
        return folder.resolve(name + ".key");
    }

    public Optional<SigningKey> signing(String name) throws IOException {
        return Optional.of(SigningKey.read("key", file(name)));
    }

    /// @param text of the file of trusted keys
    public SnapshotKeys trusted(String text) throws IOException {
        return SnapshotKeys.read("snapshotKey", Files.writeString(folder.resolve("trusted.pub"), text));
    }

    private static String pem(String label, byte[] encoded) {
        return "-----BEGIN " + label + "-----\n" + Base64.getMimeEncoder().encodeToString(encoded) + "\n-----END "
                + label + "-----\n";
    }
}
