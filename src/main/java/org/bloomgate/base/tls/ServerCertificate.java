package org.bloomgate.base.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.Map;

/// Reads a certificate chain and its key from PEM files, and finds out whether they belong together before a
/// client does.
final class ServerCertificate {
    private static final char[] NO_PASSWORD = {};

    /// By key algorithm, a signature algorithm that proves that key and certificate belong together.
    private static final Map<String, String> SIGNATURES =
            Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");

    private ServerCertificate() {}

    /// @param section of the configuration, for messages
    /// @throws IOException when a file cannot be read or is not what it should be
    static KeyStore load(String section, TlsFiles files) throws IOException {
        Certificate[] chain = readChain(new PemFile(section + ".certificate", Path.of(files.certificate())));
        PrivateKey key =
                new PemFile(section + ".key", Path.of(files.key())).readPrivateKey(List.of("RSA", "EC", "EdDSA"));
        try {
            prove(key, chain[0].getPublicKey());
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, NO_PASSWORD);
            store.setKeyEntry("server", key, NO_PASSWORD, chain);
            return store;
        } catch (GeneralSecurityException e) {
            throw new IOException(
                    section + ": " + files.key() + " is not the key of " + files.certificate() + ": " + e.getMessage(),
                    e);
        }
    }

    private static Certificate[] readChain(PemFile pem) throws IOException {
        byte[] bytes = pem.readCertificates();
        try {
            Certificate[] chain = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(bytes))
                    .toArray(Certificate[]::new);
            if (chain.length == 0) {
                throw new IOException(pem.name() + ": " + pem.file() + " holds no certificate");
            }
            return chain;
        } catch (GeneralSecurityException e) {
            throw new IOException(pem.name() + ": " + pem.file() + " is not a PEM certificate: " + e.getMessage(), e);
        }
    }

    /// Signs with the one and verifies with the other.
    private static void prove(PrivateKey key, PublicKey certifiedKey) throws GeneralSecurityException {
        byte[] anything = "bloomgate".getBytes(StandardCharsets.US_ASCII);
        Signature signature = Signature.getInstance(SIGNATURES.getOrDefault(key.getAlgorithm(), key.getAlgorithm()));
        signature.initSign(key);
        signature.update(anything);
        byte[] signatureBytes = signature.sign();
        signature.initVerify(certifiedKey);
        signature.update(anything);
        if (!signature.verify(signatureBytes)) {
            throw new GeneralSecurityException("they do not match");
        }
    }

    /// The password of the in-memory key store.
    static char[] password() {
        return NO_PASSWORD;
    }
}
