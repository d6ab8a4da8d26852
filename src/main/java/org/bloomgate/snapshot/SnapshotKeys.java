package org.bloomgate.snapshot;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.util.List;
import org.bloomgate.tls.PemFile;

/// The Ed25519 keys of the publishers that are trusted. With none, snapshots need no signature; with one or
/// more, every snapshot needs one by any of them, so that an old key and its successor may be trusted together
/// for a while.
///
/// A signature says who published, not when: an old snapshot with its signature verifies as well as a new one.
/// Immutable, thread-safe.
public final class SnapshotKeys {
    private static final SnapshotKeys NONE = new SnapshotKeys(List.of());

    private final List<PublicKey> keys;

    private SnapshotKeys(List<PublicKey> keys) {
        this.keys = keys;
    }

    /// Nobody is asked for a signature.
    public static SnapshotKeys none() {
        return NONE;
    }

    /// @param name of the configuration key that names the file, for messages
    /// @param file PEM with one or more public keys, as `openssl pkey -pubout` writes them
    /// @throws IOException when the file cannot be read or is not what it should be
    public static SnapshotKeys read(String name, Path file) throws IOException {
        return new SnapshotKeys(new PemFile(name, file).publicKeys(ManifestSignature.ALGORITHM));
    }

    /// @param directory of the snapshot
    /// @param manifest its octets
    /// @throws SnapshotRefusedException when a signature is needed and there is none by a trusted key
    SignatureState check(Path directory, byte[] manifest) throws IOException {
        byte[] octets;
        try (var in = Files.newInputStream(directory.resolve(ManifestSignature.FILE_NAME))) {
            octets = in.readNBytes(ManifestSignature.MAX_BYTES + 1);
        } catch (NoSuchFileException e) {
            if (keys.isEmpty()) {
                return SignatureState.UNSIGNED;
            }
            throw new SnapshotRefusedException(
                    ManifestSignature.FILE_NAME + ": missing, and snapshotKey asks for a signature");
        }
        if (keys.isEmpty()) {
            return SignatureState.UNCHECKED;
        }
        if (isByOne(octets, manifest)) {
            return SignatureState.VERIFIED;
        }
        throw new SnapshotRefusedException(
                ManifestSignature.FILE_NAME + ": not the signature of manifest.json by a key in snapshotKey");
    }

    /// @throws SnapshotRefusedException when a signature is needed and this is none by a trusted key
    void check(Confirmation.Statement confirmed) throws SnapshotRefusedException {
        boolean believed = keys.isEmpty()
                || (confirmed.signature().isPresent()
                        && isByOne(
                                confirmed.signature().get().getBytes(US_ASCII),
                                confirmed.signed().getBytes(US_ASCII)));
        if (!believed) {
            throw new SnapshotRefusedException(
                    Confirmation.FILE_NAME + ": not signed by a key in snapshotKey, the age of the snapshot stays");
        }
    }

    private boolean isByOne(byte[] signature, byte[] signed) throws SnapshotRefusedException {
        byte[] octets = ManifestSignature.read(signature);
        return keys.stream().anyMatch(key -> verifies(key, octets, signed));
    }

    private static boolean verifies(PublicKey key, byte[] signature, byte[] manifest) {
        try {
            Signature verifier = Signature.getInstance(ManifestSignature.ALGORITHM);
            verifier.initVerify(key);
            verifier.update(manifest);
            return verifier.verify(signature);
        } catch (GeneralSecurityException malformed) {
            // 64 octets that are no point of the curve, for instance
            return false;
        }
    }
}
