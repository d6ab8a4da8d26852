package org.bloomgate.lists.mirror;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bloomgate.base.io.Sha256;

/// Forges manifests and statements with valid digests and signatures, as someone who has the keys could.
final class ResealedManifest {
    private static final Pattern BLOCK = Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]*)-----END PRIVATE KEY-----");
    private static final Pattern OWN_DIGEST = Pattern.compile("\"sha256\" : \"([0-9a-f]{64})\"\\s*\\}\\s*\\z");

    private ResealedManifest() {}

    static String of(String text) {
        Matcher last = OWN_DIGEST.matcher(text);
        if (!last.find()) {
            throw new IllegalArgumentException(text);
        }
        String before = text.substring(0, last.start(1));
        String after = text.substring(last.end(1));
        return before + Sha256.hex((before + "0".repeat(64) + after).getBytes(UTF_8)) + after;
    }

    static byte[] signature(byte[] bytes, Path keys) throws Exception {
        return Base64.getEncoder().encode(sign(bytes, keys));
    }

    /// The statement with the digest of that manifest for a generation, signed again by the key of each file.
    static byte[] statement(byte[] original, String generation, byte[] manifest, List<Path> keys) throws Exception {
        String lines = new String(original, US_ASCII)
                .replaceAll("(?m)^signature .*\n", "")
                .replaceAll(generation + " [0-9a-f]{64}", generation + " " + Sha256.hex(manifest));
        StringBuilder all = new StringBuilder(lines);
        for (Path file : keys) {
            all.append("signature ed25519 ")
                    .append(Base64.getEncoder().encodeToString(sign(lines.getBytes(US_ASCII), file)))
                    .append('\n');
        }
        return all.toString().getBytes(US_ASCII);
    }

    private static byte[] sign(byte[] bytes, Path file) throws Exception {
        Matcher block = BLOCK.matcher(Files.readString(file));
        if (!block.find()) {
            throw new IllegalArgumentException(file + ": no key");
        }
        PrivateKey key = KeyFactory.getInstance("Ed25519")
                .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(block.group(1))));
        Signature signature = Signature.getInstance("Ed25519");
        signature.initSign(key);
        signature.update(bytes);
        return signature.sign();
    }
}
