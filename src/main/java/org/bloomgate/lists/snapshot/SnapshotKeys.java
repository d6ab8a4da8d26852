package org.bloomgate.lists.snapshot;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bloomgate.base.io.StateFile;
import org.bloomgate.base.tls.PemFile;

/// The keys of the publishers that are trusted. With none, nothing needs a signature; with one or more, every
/// snapshot needs one by any key for manifests, so that an old key and its successor may be trusted together
/// for a while, and the published state needs one by any key for it, see [TrustedKey]. Immutable, thread-safe.
public final class SnapshotKeys {
    private static final SnapshotKeys NONE = new SnapshotKeys(List.of());

    private final List<TrustedKey> keys;

    private SnapshotKeys(List<TrustedKey> keys) {
        this.keys = List.copyOf(keys);
    }

    /// No signature is required.
    public static SnapshotKeys none() {
        return NONE;
    }

    /// @param name of the configuration key that names the file, for messages
    /// @param file PEM with one or more public keys, as `openssl pkey -pubout` writes them, and above each the
    ///     line that [TrustedKey] describes
    /// @throws IOException when the file cannot be read or is malformed
    public static SnapshotKeys read(String name, Path file) throws IOException {
        List<TrustedKey> keys = new ArrayList<>();
        for (PemFile.RemarkedKey key : new PemFile(name, file).readPublicKeys(List.of(TrustedKey.ALGORITHM))) {
            keys.add(TrustedKey.parse(name + ": " + file, key));
        }
        for (KeyUse use : KeyUse.values()) {
            if (keys.stream().noneMatch(key -> key.uses().contains(use))) {
                throw new IOException(name + ": " + file + " holds no Ed25519 key for use: " + use.label());
            }
        }
        return new SnapshotKeys(keys);
    }

    boolean isEmpty() {
        return keys.isEmpty();
    }

    /// @param directory of the snapshot
    /// @param manifest its bytes
    /// @throws SnapshotRefusedException if a signature is required and none is by a trusted key
    SignatureState check(Path directory, byte[] manifest) throws IOException {
        byte[] bytes;
        try (var in = StateFile.stream(directory.resolve(ManifestSignature.FILE_NAME))) {
            bytes = in.readNBytes(ManifestSignature.MAX_BYTES + 1);
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
        if (!isVerified(KeyUse.MANIFEST, ManifestSignature.decode(bytes), manifest)) {
            throw new SnapshotRefusedException(ManifestSignature.FILE_NAME
                    + ": not the signature of manifest.json by a key for manifests in snapshotKey");
        }
        return SignatureState.VERIFIED;
    }

    /// @throws SnapshotRefusedException if a signature is required and this one is not by a trusted key
    void check(Confirmation.Statement statement) throws SnapshotRefusedException {
        Optional<String> signature = statement.signature();
        boolean isTrusted = keys.isEmpty()
                || (signature.isPresent()
                        && isVerified(
                                KeyUse.MANIFEST,
                                ManifestSignature.decode(signature.get().getBytes(US_ASCII)),
                                statement.signedText().getBytes(US_ASCII)));
        if (!isTrusted) {
            throw new SnapshotRefusedException(
                    Confirmation.FILE_NAME + ": not signed by a key in snapshotKey, the age of the snapshot stays");
        }
    }

    /// @param fileName of the file that holds the statement
    /// @throws SnapshotRefusedException when a required signature is missing, or is by no key for this use
    void check(Statement<?> statement, String fileName) throws SnapshotRefusedException {
        boolean isTrusted = keys.isEmpty()
                || statement
                        .signature()
                        .filter(bytes -> isVerified(
                                KeyUse.CURRENT, bytes, statement.signedText().getBytes(US_ASCII)))
                        .isPresent();
        if (!isTrusted) {
            throw new SnapshotRefusedException(
                    fileName + ": no Ed25519 signature by a key in snapshotKey for use: " + KeyUse.CURRENT.label());
        }
    }

    /// Whether a key for manifests signed a text.
    boolean isVouched(byte[] signature, String text) {
        return isVerified(KeyUse.MANIFEST, signature, text.getBytes(US_ASCII));
    }

    private boolean isVerified(KeyUse use, byte[] signature, byte[] text) {
        return keys.stream().anyMatch(key -> key.uses().contains(use) && key.verifies(signature, text));
    }
}
