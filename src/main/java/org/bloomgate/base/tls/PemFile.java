package org.bloomgate.base.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bloomgate.base.io.IoText;

/// A file of PEM blocks (RFC 7468).
///
/// @param name of the configuration key that names the file, for messages
public record PemFile(String name, Path file) {
    private static final Pattern PRIVATE_KEY =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]*)PRIVATE KEY-----([^-]*)-----END ([A-Z0-9 ]*)PRIVATE KEY-----");
    private static final Pattern CERTIFICATE =
            Pattern.compile("-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----");
    private static final Pattern PUBLIC_KEY =
            Pattern.compile("-----BEGIN PUBLIC KEY-----([^-]*)-----END PUBLIC KEY-----");

    /// More than any chain or list of keys needs.
    private static final int MAX_BYTES = 1 << 20;

    /// A public key with the text above its block, which RFC 7468, 2, permits.
    ///
    /// @param remarks the lines between this block and the one before, or the start of the file
    public record RemarkedKey(PublicKey key, String remarks) {}

    /// The first private key in it, which must be in PKCS #8 and not encrypted.
    ///
    /// @param algorithms that are taken, by the names of the JDK
    /// @throws IOException when the file cannot be read or is not what it should be
    public PrivateKey readPrivateKey(List<String> algorithms) throws IOException {
        return readPrivateKeys(algorithms).getFirst();
    }

    /// All private keys in it, at least one, each in PKCS #8 and not encrypted.
    ///
    /// @param algorithms that are taken, by the names of the JDK
    /// @throws IOException when the file cannot be read or is not what it should be
    private List<PrivateKey> readPrivateKeys(List<String> algorithms) throws IOException {
        List<PrivateKey> keys = new ArrayList<>();
        Matcher block = PRIVATE_KEY.matcher(readText());
        while (block.find()) {
            if (!block.group(1).isEmpty()) {
                throw new IOException(name + ": " + file + " is " + describeForm(block.group(1)) + "; convert it with"
                        + " openssl pkcs8 -topk8 -nocrypt -in " + file + " -out NEW.key and name that file");
            }
            byte[] pkcs8 = decode(block.group(2));
            keys.add(decodeFirst(
                    algorithms, factory -> factory.generatePrivate(new PKCS8EncodedKeySpec(pkcs8)), "PKCS #8"));
        }
        if (keys.isEmpty()) {
            throw new IOException(name + ": " + file + " holds no PEM key (BEGIN PRIVATE KEY)");
        }
        return List.copyOf(keys);
    }

    /// All public keys in it, at least one.
    ///
    /// @param algorithms that are taken, by the names of the JDK
    /// @throws IOException when the file cannot be read or is not what it should be
    public List<RemarkedKey> readPublicKeys(List<String> algorithms) throws IOException {
        List<RemarkedKey> keys = new ArrayList<>();
        String text = readText();
        Matcher block = PUBLIC_KEY.matcher(text);
        int end = 0;
        while (block.find()) {
            byte[] encoded = decode(block.group(1));
            PublicKey key = decodeFirst(
                    algorithms, factory -> factory.generatePublic(new X509EncodedKeySpec(encoded)), "a PEM public key");
            keys.add(new RemarkedKey(key, text.substring(end, block.start())));
            end = block.end();
        }
        if (keys.isEmpty()) {
            throw new IOException(name + ": " + file + " holds no PEM public key (BEGIN PUBLIC KEY)");
        }
        return List.copyOf(keys);
    }

    /// The expiry of the first certificate, which is that of the server.
    ///
    /// @throws IOException when the file cannot be read or holds none
    public Instant readCertificateExpiry() throws IOException {
        try {
            Certificate first = CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(readCertificates()));
            return ((X509Certificate) first).getNotAfter().toInstant();
        } catch (GeneralSecurityException e) {
            throw new IOException(name + ": " + file + " is not a PEM certificate: " + e.getMessage(), e);
        }
    }

    /// The blocks of certificates only, without a key that may be in the same file; a file without PEM blocks
    /// as it is.
    byte[] readCertificates() throws IOException {
        Matcher block = CERTIFICATE.matcher(readText());
        StringBuilder blocks = new StringBuilder();
        while (block.find()) {
            blocks.append(block.group()).append('\n');
        }
        return blocks.isEmpty() ? readBytes() : blocks.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private byte[] readBytes() throws IOException {
        byte[] bytes;
        try (var in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        } catch (IOException e) {
            throw new IOException(name + ": " + file + ": " + IoText.of(e), e);
        }
        if (bytes.length > MAX_BYTES) {
            throw new IOException(name + ": " + file + " is longer than " + MAX_BYTES + " bytes");
        }
        return bytes;
    }

    private String readText() throws IOException {
        return new String(readBytes(), StandardCharsets.ISO_8859_1);
    }

    private static String describeForm(String label) {
        return switch (label) {
            case "RSA " -> "a PKCS #1 key (BEGIN RSA PRIVATE KEY), not PKCS #8";
            case "EC " -> "a SEC 1 key (BEGIN EC PRIVATE KEY), not PKCS #8";
            case "ENCRYPTED " -> "encrypted";
            default -> "a " + label + "key, not PKCS #8";
        };
    }

    private byte[] decode(String base64) throws IOException {
        try {
            return Base64.getMimeDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw new IOException(name + ": " + file + " is not base64: " + e.getMessage(), e);
        }
    }

    private interface KeyMaker<K> {
        K make(KeyFactory factory) throws InvalidKeySpecException;
    }

    private <K> K decodeFirst(List<String> algorithms, KeyMaker<K> making, String form) throws IOException {
        for (String algorithm : algorithms) {
            try {
                return making.make(KeyFactory.getInstance(algorithm));
            } catch (InvalidKeySpecException e) {
                // A key of another algorithm, or not a key: reported below.
            } catch (GeneralSecurityException e) {
                throw new IOException(name + ": " + e.getMessage(), e);
            }
        }
        throw new IOException(name + ": " + file + " is no " + String.join(", ", algorithms) + " key as " + form);
    }
}
