package org.bloomgate.base.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/// The certificates that a client trusts: those of a PEM file, or of the Java runtime.
public final class TrustedCertificates {
    private TrustedCertificates() {}

    /// A client's side of TLS; host names are for the caller to check, as `java.net.http` does.
    ///
    /// @param name of the configuration key that names the file, for messages
    /// @param file PEM certificates; empty for those of the Java runtime
    /// @throws IOException when the file cannot be read or holds no certificate
    public static SSLContext context(String name, Optional<Path> file) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers(name, file), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException(name + ": " + e.getMessage(), e);
        }
    }

    /// @param name of the configuration key that names the file, for messages
    /// @param file PEM certificates; empty for those of the Java runtime
    /// @throws IOException when the file cannot be read or holds no certificate
    public static TrustManager[] managers(String name, Optional<Path> file) throws IOException {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(file.isPresent() ? store(new PemFile(name, file.get())) : null);
            return factory.getTrustManagers();
        } catch (GeneralSecurityException e) {
            throw new IOException(name + ": " + e.getMessage(), e);
        }
    }

    private static KeyStore store(PemFile pem) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        for (Certificate certificate : CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(pem.readCertificates()))) {
            store.setCertificateEntry(Integer.toString(store.size()), certificate);
        }
        if (store.size() == 0) {
            throw new IOException(pem.name() + ": " + pem.file() + " holds no PEM certificate");
        }
        return store;
    }
}
