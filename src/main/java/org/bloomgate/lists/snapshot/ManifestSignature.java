package org.bloomgate.lists.snapshot;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Base64;

/// The format of `manifest.json.sig`: the Ed25519 signature (RFC 8032) of the exact bytes of `manifest.json`, in
/// base64. This class only encodes and decodes the file; [SigningKey] signs and [SnapshotKeys] verifies. White
/// space is skipped, so that the broken lines of the `base64` command can also be read.
///
/// The manifest holds the SHA-256 of every other file, so that all of a snapshot is signed.
public final class ManifestSignature {
    /// Name of the file in a snapshot.
    public static final String FILE_NAME = "manifest.json.sig";

    /// The most bytes of the file; a signature takes 88 characters.
    public static final int MAX_BYTES = 256;

    /// Name of the algorithm in the JDK.
    static final String ALGORITHM = "Ed25519";

    private static final int SIGNATURE_BYTES = 64;

    private ManifestSignature() {}

    static byte[] encode(byte[] signature) {
        return (Base64.getEncoder().encodeToString(signature) + "\n").getBytes(US_ASCII);
    }

    static byte[] decode(byte[] bytes) throws SnapshotRefusedException {
        try {
            byte[] signature = Base64.getDecoder().decode(new String(bytes, US_ASCII).replaceAll("[ \\t\\r\\n]", ""));
            if (bytes.length <= MAX_BYTES && signature.length == SIGNATURE_BYTES) {
                return signature;
            }
        } catch (IllegalArgumentException e) {
            // not base64: reported below
        }
        throw new SnapshotRefusedException(FILE_NAME + ": is not an " + ALGORITHM + " signature in base64");
    }
}
