package org.bloomgate.server.nexthop;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.bloomgate.base.tls.TrustedCertificates;

/// Adds TLS to a connection to the next hop, with the protocols that the Java runtime enables. Thread-safe.
final class NextHopEncryption {
    private final NextHopTls mode;
    private final SSLContext context;

    private NextHopEncryption(NextHopTls mode, SSLContext context) {
        this.mode = mode;
        this.context = context;
    }

    /// @throws IOException if the CA file cannot be read or contains no certificate
    static NextHopEncryption create(NextHopOptions options) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust(options), null);
            return new NextHopEncryption(options.tls(), context);
        } catch (GeneralSecurityException broken) {
            throw new IOException("nextHopOptions.tls: " + broken, broken);
        }
    }

    /// The same, but STARTTLS is not used.
    NextHopEncryption withoutTls() {
        return new NextHopEncryption(NextHopTls.NONE, context);
    }

    NextHopTls mode() {
        return mode;
    }

    /// @param host as configured; with `tls: required` the certificate must be issued for it
    SSLSocket wrap(Socket raw, String host) throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(raw, host, raw.getPort(), true);
        if (mode == NextHopTls.REQUIRED) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            socket.setSSLParameters(parameters);
        }
        return socket;
    }

    private static TrustManager[] trust(NextHopOptions options) throws IOException, GeneralSecurityException {
        if (options.tls() != NextHopTls.REQUIRED) {
            return new TrustManager[] {new AnyCertificate()};
        }
        return TrustedCertificates.managers("nextHopOptions.caFile", options.caFile());
    }

    /// Accepts any certificate. Opportunistic TLS protects against passive eavesdropping; an attacker who can
    /// answer instead of the next hop could also remove the offer of STARTTLS.
    private static final class AnyCertificate extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
