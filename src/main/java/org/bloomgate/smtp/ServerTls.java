package org.bloomgate.smtp;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.subethamail.smtp.server.SSLSocketCreator;

/// Makes the server side of TLS from PEM files. TLS 1.2 and later, the JDK's cipher suites, and no name is looked up.
final class ServerTls implements SSLSocketCreator {
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};
    private static final List<String> KEY_ALGORITHMS = List.of("RSA", "EC", "EdDSA");

    private final SSLContext context;

    private ServerTls(SSLContext context) {
        this.context = context;
    }

    /// @throws IOException when a file cannot be read or is not what it should be
    static ServerTls of(RelayOptions.Tls options) throws IOException {
        try {
            char[] none = {};
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, none);
            store.setKeyEntry("server", key(options.key()), none, chain(options.certificate()));
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, none);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), null, null);
            return new ServerTls(context);
        } catch (GeneralSecurityException e) {
            throw new IOException("smtp.tls: certificate and key do not work together: " + e.getMessage(), e);
        }
    }

    private static Certificate[] chain(String file) throws IOException {
        try {
            byte[] pem = Files.readAllBytes(Path.of(file));
            return CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(pem))
                    .toArray(Certificate[]::new);
        } catch (GeneralSecurityException e) {
            throw new IOException("smtp.tls.certificate: " + file + " is not a PEM certificate: " + e.getMessage(), e);
        }
    }

    private static PrivateKey key(String file) throws IOException, GeneralSecurityException {
        String base64 = Files.readString(Path.of(file)).replaceAll("-----[A-Z ]+-----|\\s", "");
        for (String algorithm : KEY_ALGORITHMS) {
            try {
                byte[] pkcs8 = Base64.getDecoder().decode(base64);
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
            } catch (InvalidKeySpecException | IllegalArgumentException e) {
                // of another algorithm, or no key at all, which is said below
            }
        }
        throw new IOException("smtp.tls.key: " + file + " is not an unencrypted PKCS #8 key (BEGIN PRIVATE KEY)");
    }

    @Override
    public SSLSocket createSSLSocket(Socket socket) throws IOException {
        String peer = socket.getInetAddress().getHostAddress();
        SSLSocket secure = (SSLSocket) context.getSocketFactory().createSocket(socket, peer, socket.getPort(), true);
        secure.setUseClientMode(false);
        secure.setEnabledProtocols(PROTOCOLS);
        return secure;
    }
}
