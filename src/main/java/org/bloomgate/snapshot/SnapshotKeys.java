package org.bloomgate.snapshot;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.bloomgate.tls.PemFile;

/// The keys of the publishers that are trusted. With none, nothing needs a signature; with one or more, every
/// snapshot needs one by any Ed25519 key for manifests, so that an old key and its successor may be trusted together
/// for a while, and what is said to be current one by a key of each algorithm there is a key of, see [TrustedKey].
///
/// Manifests and confirmations are judged by the keys of their own time: a snapshot in force does not fall with its
/// key. What is current is judged by the keys of now, and names the manifest: who has an old key alone cannot make
/// anybody adopt anything. Immutable, thread-safe.
public final class SnapshotKeys {
    private static final SnapshotKeys NONE = new SnapshotKeys(List.of());

    private final List<TrustedKey> keys;

    private SnapshotKeys(List<TrustedKey> keys) {
        this.keys = List.copyOf(keys);
    }

    /// Nobody is asked for a signature.
    public static SnapshotKeys none() {
        return NONE;
    }

    /// @param name of the configuration key that names the file, for messages
    /// @param file PEM with one or more public keys, as `openssl pkey -pubout` writes them, and above each what
    ///     [TrustedKey] says
    /// @throws IOException when the file cannot be read or is not what it should be
    public static SnapshotKeys read(String name, Path file) throws IOException {
        List<TrustedKey> keys = new ArrayList<>();
        List<String> algorithms = Arrays.stream(TrustedKey.Algorithm.values())
                .map(TrustedKey.Algorithm::jdkName)
                .toList();
        for (PemFile.RemarkedKey key : new PemFile(name, file).publicKeys(algorithms)) {
            keys.add(TrustedKey.of(name + ": " + file, key));
        }
        for (KeyUse use : KeyUse.values()) {
            if (keys.stream()
                    .noneMatch(key -> key.uses().contains(use) && key.algorithm() == TrustedKey.Algorithm.ED25519)) {
                throw new IOException(name + ": " + file + " holds no Ed25519 key for use: " + use.label());
            }
        }
        return new SnapshotKeys(keys);
    }

    boolean isEmpty() {
        return keys.isEmpty();
    }

    /// What the signature of a manifest is, before anything in it is believed.
    ///
    /// @param by the keys that verify it
    record Checked(SignatureState state, List<TrustedKey> by) {
        /// @throws SnapshotRefusedException when none of them was valid when the snapshot was made
        SignatureState madeAt(Instant createdAt) throws SnapshotRefusedException {
            if (state == SignatureState.VERIFIED
                    && by.stream().noneMatch(key -> key.mayBeUsed(KeyUse.MANIFEST, createdAt))) {
                throw new SnapshotRefusedException(ManifestSignature.FILE_NAME + ": by a key in snapshotKey that is"
                        + " not for manifests, or was not valid at " + createdAt);
            }
            return state;
        }
    }

    /// @param directory of the snapshot
    /// @param manifest its octets
    /// @throws SnapshotRefusedException when a signature is needed and there is none by a trusted key
    Checked check(Path directory, byte[] manifest) throws IOException {
        byte[] octets;
        try (var in = Files.newInputStream(directory.resolve(ManifestSignature.FILE_NAME))) {
            octets = in.readNBytes(ManifestSignature.MAX_BYTES + 1);
        } catch (NoSuchFileException e) {
            if (keys.isEmpty()) {
                return new Checked(SignatureState.UNSIGNED, List.of());
            }
            throw new SnapshotRefusedException(
                    ManifestSignature.FILE_NAME + ": missing, and snapshotKey asks for a signature");
        }
        if (keys.isEmpty()) {
            return new Checked(SignatureState.UNCHECKED, List.of());
        }
        List<TrustedKey> by = by(octets, manifest);
        if (by.isEmpty()) {
            throw new SnapshotRefusedException(
                    ManifestSignature.FILE_NAME + ": not the signature of manifest.json by a key in snapshotKey");
        }
        return new Checked(SignatureState.VERIFIED, by);
    }

    /// @throws SnapshotRefusedException when a signature is needed and this is none by a trusted key
    void check(Confirmation.Statement confirmed) throws SnapshotRefusedException {
        Optional<String> signature = confirmed.signature();
        Instant at = confirmed.confirmation().at();
        boolean believed = keys.isEmpty()
                || (signature.isPresent()
                        && by(
                                        signature.get().getBytes(US_ASCII),
                                        confirmed.signed().getBytes(US_ASCII))
                                .stream()
                                .anyMatch(key -> key.mayBeUsed(KeyUse.MANIFEST, at)));
        if (!believed) {
            throw new SnapshotRefusedException(
                    Confirmation.FILE_NAME + ": not signed by a key in snapshotKey, the age of the snapshot stays");
        }
    }

    /// @param name of the file that says it
    /// @throws SnapshotRefusedException when a signature that is needed is missing, or by no key that is valid now
    void check(SignedText said, String name, Instant now) throws SnapshotRefusedException {
        for (TrustedKey.Algorithm algorithm : TrustedKey.Algorithm.values()) {
            List<TrustedKey> trusted = keys.stream()
                    .filter(key -> key.algorithm() == algorithm && key.uses().contains(KeyUse.CURRENT))
                    .toList();
            Optional<byte[]> signature = said.signature(algorithm);
            byte[] signed = said.text().getBytes(US_ASCII);
            boolean believed = trusted.isEmpty()
                    || (signature.isPresent()
                            && trusted.stream()
                                    .anyMatch(key -> key.mayBeUsed(KeyUse.CURRENT, now)
                                            && key.verifies(signature.get(), signed)));
            if (!believed) {
                throw new SnapshotRefusedException(name + ": no " + algorithm.jdkName()
                        + " signature by a key in snapshotKey that says what is current and is valid now");
            }
        }
    }

    /// Whether the owner of a key for manifests stands in for a text.
    ///
    /// @param at when the key must be valid; empty for a text that was believed before
    boolean vouched(byte[] signature, String text, Optional<Instant> at) {
        return keys.stream()
                .filter(key -> key.algorithm() == TrustedKey.Algorithm.ED25519)
                .filter(key -> at.isPresent()
                        ? key.mayBeUsed(KeyUse.MANIFEST, at.get())
                        : key.uses().contains(KeyUse.MANIFEST))
                .anyMatch(key -> key.verifies(signature, text.getBytes(US_ASCII)));
    }

    private List<TrustedKey> by(byte[] signature, byte[] signed) throws SnapshotRefusedException {
        byte[] octets = ManifestSignature.read(signature);
        return keys.stream()
                .filter(key -> key.algorithm() == TrustedKey.Algorithm.ED25519 && key.verifies(octets, signed))
                .toList();
    }
}
