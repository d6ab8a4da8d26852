package org.bloomgate.server.smtp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/// An SMTP client that sends exactly the bytes it is told to.
final class TestClient implements AutoCloseable {
    static final String CLOSED = "(closed)";

    private static final int PATIENCE_MILLIS = 20_000;

    private Socket socket;
    private InputStream in;

    TestClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        in = new BufferedInputStream(socket.getInputStream());
    }

    /// Sends bytes, one a character, in one write.
    void send(String bytes) throws IOException {
        socket.getOutputStream().write(bytes.getBytes(ISO_8859_1));
        socket.getOutputStream().flush();
    }

    /// Sends pieces, each in a write of its own, and nothing more after them; a relay that has closed already is no
    /// fault.
    void sendAll(List<String> pieces) throws IOException {
        try {
            for (String piece : pieces) {
                send(piece);
            }
            socket.shutdownOutput();
        } catch (SocketException closed) {
            // what it said before is still to be read
        }
    }

    /// The next line without its CRLF, [#CLOSED] at the end.
    String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int b = read();
        while (b >= 0 && b != '\n') {
            line.write(b);
            b = read();
        }
        String text = line.toString(ISO_8859_1);
        return b < 0 && text.isEmpty() ? CLOSED : text.substring(0, text.length() - 1);
    }

    private int read() throws IOException {
        try {
            return in.read();
        } catch (SocketException e) {
            return -1;
        }
    }

    /// The last line of the next reply.
    String reply() throws IOException {
        String line = line();
        while (line.length() > 3 && line.charAt(3) == '-') {
            line = line();
        }
        return line;
    }

    /// Sends a line and gives the last line of the reply.
    String say(String line) throws IOException {
        send(line + "\r\n");
        return reply();
    }

    /// Goes on inside TLS; any certificate will do.
    void startTls() throws IOException, GeneralSecurityException {
        X509Certificate _ = startTls("TLSv1.3");
    }

    /// Goes on inside TLS of one version; the certificate that was shown.
    X509Certificate startTls(String protocol) throws IOException, GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new Trusting()}, new SecureRandom());
        SSLSocket tls = (SSLSocket) context.getSocketFactory().createSocket(socket, "relay.example", 0, true);
        tls.setEnabledProtocols(new String[] {protocol});
        tls.startHandshake();
        socket = tls;
        in = new BufferedInputStream(tls.getInputStream());
        return (X509Certificate) tls.getSession().getPeerCertificates()[0];
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private static final class Trusting implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
