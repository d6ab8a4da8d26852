package org.bloomgate.snapshot;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Base64;

/// Ed25519 (RFC 8032) over a manifest. The manifest holds the SHA-256 of every file, so it vouches for the whole.
final class ManifestSignature {
    private static final String ALGORITHM = "Ed25519";

    private ManifestSignature() {}

    static SnapshotManifest sign(SnapshotManifest manifest, PrivateKey key) throws GeneralSecurityException {
        Signature signature = Signature.getInstance(ALGORITHM);
        signature.initSign(key);
        signature.update(ManifestJson.write(manifest.signed("")));
        return manifest.signed(Base64.getEncoder().encodeToString(signature.sign()));
    }

    static void verify(SnapshotManifest manifest, PublicKey key) throws SnapshotRefusedException {
        if (manifest.signature().isEmpty()) {
            throw new SnapshotRefusedException("manifest.json: unsigned, but a signature is asked for");
        }
        try {
            Signature signature = Signature.getInstance(ALGORITHM);
            signature.initVerify(key);
            signature.update(ManifestJson.write(manifest.signed("")));
            if (!signature.verify(Base64.getDecoder().decode(manifest.signature()))) {
                throw new SnapshotRefusedException("manifest.json: signature does not match");
            }
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new SnapshotRefusedException("manifest.json: signature is unreadable: " + e.getMessage());
        }
    }
}
