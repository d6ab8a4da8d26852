package org.bloomgate.smtp;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads a certificate chain and its key from PEM files, and finds out whether they belong together before a client
/// does.
final class ServerCertificate {
    private static final char[] NO_PASSWORD = {};
    private static final Pattern KEY_BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]*)PRIVATE KEY-----([^-]*)-----END ([A-Z0-9 ]*)PRIVATE KEY-----");

    /// By algorithm of the key, a signature to prove the pair with.
    private static final Map<String, String> SIGNATURES =
            Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");

    private ServerCertificate() {}

    /// @param section of the configuration, for messages
    /// @throws IOException when a file cannot be read or is not what it should be
    static KeyStore load(String section, RelayOptions.Tls options) throws IOException {
        Certificate[] chain = chain(section + ".certificate", Path.of(options.certificate()));
        PrivateKey key = key(section + ".key", Path.of(options.key()));
        try {
            prove(key, chain[0].getPublicKey());
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, NO_PASSWORD);
            store.setKeyEntry("server", key, NO_PASSWORD, chain);
            return store;
        } catch (GeneralSecurityException e) {
            throw new IOException(
                    section + ": " + options.key() + " is not the key of " + options.certificate() + ": "
                            + e.getMessage(),
                    e);
        }
    }

    private static Certificate[] chain(String name, Path file) throws IOException {
        byte[] pem = octets(name, file);
        try {
            Certificate[] chain = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(pem))
                    .toArray(Certificate[]::new);
            if (chain.length == 0) {
                throw new IOException(name + ": " + file + " holds no certificate");
            }
            return chain;
        } catch (GeneralSecurityException e) {
            throw new IOException(name + ": " + file + " is not a PEM certificate: " + e.getMessage(), e);
        }
    }

    private static byte[] octets(String name, Path file) throws IOException {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new IOException(name + ": cannot be read: " + e, e);
        }
    }

    private static PrivateKey key(String name, Path file) throws IOException {
        Matcher block = KEY_BLOCK.matcher(new String(octets(name, file), StandardCharsets.ISO_8859_1));
        if (!block.find()) {
            throw new IOException(name + ": " + file + " holds no PEM key (BEGIN PRIVATE KEY)");
        }
        if (!block.group(1).isEmpty()) {
            throw new IOException(name + ": " + file + " is " + form(block.group(1)) + "; convert it with"
                    + " openssl pkcs8 -topk8 -nocrypt -in " + file + " -out NEW.key and name that file");
        }
        byte[] pkcs8 = decode(name, file, block.group(2));
        for (String algorithm : List.of("RSA", "EC", "EdDSA")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
            } catch (InvalidKeySpecException e) {
                // of another algorithm, or no key at all, which is said below
            } catch (GeneralSecurityException e) {
                throw new IOException(name + ": " + e.getMessage(), e);
            }
        }
        throw new IOException(name + ": " + file + " is no RSA, EC or Ed25519 key in PKCS #8");
    }

    private static String form(String label) {
        return switch (label) {
            case "RSA " -> "a PKCS #1 key (BEGIN RSA PRIVATE KEY), not PKCS #8";
            case "EC " -> "a SEC 1 key (BEGIN EC PRIVATE KEY), not PKCS #8";
            case "ENCRYPTED " -> "encrypted";
            default -> "a " + label + "key, not PKCS #8";
        };
    }

    private static byte[] decode(String name, Path file, String base64) throws IOException {
        try {
            return Base64.getMimeDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw new IOException(name + ": " + file + " is not base64: " + e.getMessage(), e);
        }
    }

    /// Signs with the one and verifies with the other.
    private static void prove(PrivateKey key, PublicKey certified) throws GeneralSecurityException {
        byte[] anything = "bloomgate".getBytes(StandardCharsets.US_ASCII);
        Signature signature = Signature.getInstance(SIGNATURES.getOrDefault(key.getAlgorithm(), key.getAlgorithm()));
        signature.initSign(key);
        signature.update(anything);
        byte[] signed = signature.sign();
        signature.initVerify(certified);
        signature.update(anything);
        if (!signature.verify(signed)) {
            throw new GeneralSecurityException("they do not match");
        }
    }

    /// For the key store's user.
    static char[] password() {
        return NO_PASSWORD;
    }
}
