package org.bloomgate.lists.snapshot;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The keys and the golden signature in the resources were made with openssl: `genpkey -algorithm ed25519`,
/// `pkey -pubout`, and `pkeyutl -sign -rawin -in manifest.json` through `base64`, which breaks it into two lines.
class SignatureFormatTest {
    @TempDir
    Path root;

    @Test
    void signatureOfGoldenManifest_equalsGolden() throws Exception {
        byte[] golden = bytes("manifest.json.sig");
        byte[] ours = signingKey().signManifest(bytes("manifest.json"));
        assertEquals(89, ours.length);
        assertArrayEquals(ManifestSignature.decode(golden), ManifestSignature.decode(ours));
        assertEquals(new String(golden, US_ASCII).replace("\n", "") + "\n", new String(ours, US_ASCII));
    }

    @Test
    void snapshotSignedByTrustedKey_isOpened() throws Exception {
        Path snapshot = signed();
        assertEquals(SignatureState.VERIFIED, state(snapshot, "signing.pub"));
        assertEquals(SignatureState.VERIFIED, state(snapshot, "both.pub"), "an old key and its successor");
        assertEquals(SignatureState.UNCHECKED, state(snapshot));
        Files.write(
                snapshot.resolve("manifest.json.sig"),
                Base64.getMimeEncoder(76, new byte[] {'\r', '\n'})
                        .encode(ManifestSignature.decode(Files.readAllBytes(snapshot.resolve("manifest.json.sig")))));
        assertEquals(SignatureState.VERIFIED, state(snapshot, "signing.pub"));
    }

    @Test
    void unsignedSnapshot_isOpenedWithoutKey() throws Exception {
        Path snapshot = unsigned();
        assertFalse(Files.exists(snapshot.resolve("manifest.json.sig")));
        assertEquals(SignatureState.UNSIGNED, state(snapshot));
        assertReason("missing, and snapshotKey asks for a signature", snapshot, "signing.pub");
    }

    @Test
    void snapshotSignedByOtherKey_isRejected() throws Exception {
        assertReason("not the signature of manifest.json", signed(), "other.pub");
    }

    @Test
    void signatureOfOtherBytes_isRejected() throws Exception {
        Path snapshot = signed();
        Path manifest = snapshot.resolve("manifest.json");
        byte[] bytes = Files.readAllBytes(manifest);
        for (int at = 0; at < bytes.length; at += 37) {
            Snapshots.flip(manifest, at);
            assertReason("not the signature of manifest.json", snapshot, "signing.pub");
            Files.write(manifest, bytes);
        }
        byte[] signature = ManifestSignature.decode(Files.readAllBytes(snapshot.resolve("manifest.json.sig")));
        for (int bit = 0; bit < signature.length * 8; bit += 5) {
            byte[] other = signature.clone();
            other[bit / 8] ^= (byte) (1 << (bit % 8));
            Files.write(snapshot.resolve("manifest.json.sig"), ManifestSignature.encode(other));
            assertReason("not the signature of manifest.json", snapshot, "signing.pub");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "AAAA", "no base64", "%", "{}"})
    void malformedSignature_isRejected(String text) throws Exception {
        Path snapshot = signed();
        Files.writeString(snapshot.resolve("manifest.json.sig"), text);
        assertReason("is not an Ed25519 signature in base64", snapshot, "signing.pub");
    }

    @Test
    void signatureFileAboveLimit_isRejected() throws Exception {
        Path snapshot = signed();
        Path file = snapshot.resolve("manifest.json.sig");
        String text = Files.readString(file);
        Files.writeString(file, text + " ".repeat(ManifestSignature.MAX_BYTES - text.length()));
        assertEquals(SignatureState.VERIFIED, state(snapshot, "signing.pub"));
        Files.writeString(file, text + " ".repeat(ManifestSignature.MAX_BYTES + 1 - text.length()));
        assertReason("is not an Ed25519 signature in base64", snapshot, "signing.pub");
    }

    @Test
    void keyOfOtherAlgorithm_isNamed() {
        for (String other :
                List.of("../../tls/server-ec.key", "../../tls/server-rsa-pkcs1.key", "signing.pub", "none.key")) {
            IOException refused =
                    assertThrows(IOException.class, () -> SigningKey.read("rebuild.signingKey", file(other)));
            assertTrue(message(refused).startsWith("rebuild.signingKey: "), message(refused));
        }
        for (String other : List.of("signing.key", "../../tls/server-ec.pem")) {
            IOException refused = assertThrows(IOException.class, () -> SnapshotKeys.read("snapshotKey", file(other)));
            assertTrue(message(refused).contains("holds no PEM public key (BEGIN PUBLIC KEY)"), message(refused));
        }
    }

    private Path signed() throws Exception {
        try (SnapshotWriter writer = SnapshotWriter.begin(root, "nightly", Snapshots.NOW)) {
            Snapshots.write(writer, Snapshots.SUFFIXES, "bad.example");
            writer.signWith(signingKey());
            return root.resolve("nightly")
                    .resolve(writer.publish(List.of(Snapshots.feed(1)), 1).generation());
        }
    }

    private Path unsigned() throws Exception {
        return root.resolve("nightly")
                .resolve(Snapshots.publish(root, "nightly", "bad.example").generation());
    }

    private static SignatureState state(Path snapshot) throws Exception {
        try (Snapshot opened = new SnapshotReader().open(snapshot)) {
            return opened.signature();
        }
    }

    private static SignatureState state(Path snapshot, String keys) throws Exception {
        try (Snapshot opened = reader(keys).open(snapshot)) {
            return opened.signature();
        }
    }

    private static void assertReason(String reason, Path snapshot, String keys) {
        SnapshotRefusedException refused =
                assertThrows(SnapshotRefusedException.class, () -> reader(keys).open(snapshot));
        assertTrue(message(refused).contains(reason), message(refused));
    }

    private static String message(IOException refused) {
        return String.valueOf(refused.getMessage());
    }

    private static SnapshotReader reader(String keys) throws Exception {
        return new SnapshotReader(SnapshotScope.WHOLE, SnapshotKeys.read("snapshotKey", file(keys)));
    }

    private static SigningKey signingKey() throws Exception {
        return SigningKey.read("rebuild.signingKey", file("signing.key"));
    }

    private static byte[] bytes(String name) throws Exception {
        return Files.readAllBytes(file(name));
    }

    private static Path file(String name) throws URISyntaxException {
        return Path.of(SignatureFormatTest.class
                        .getResource("/snapshots/signed/manifest.json")
                        .toURI())
                .resolveSibling(name);
    }
}
