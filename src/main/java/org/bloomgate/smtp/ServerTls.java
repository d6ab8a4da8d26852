package org.bloomgate.smtp;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The server side of TLS, from PEM files that may change under way. TLS 1.2 and later, the JDK's cipher suites, and no
/// name is looked up.
///
/// Any thread may begin a session; one thread at a time looks for changes.
final class ServerTls {
    private static final Logger LOG = LoggerFactory.getLogger(ServerTls.class);
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    private final String section;
    private final RelayOptions.Tls options;
    private volatile SSLContext context;
    private List<String> used;
    private List<String> seen;

    private ServerTls(String section, RelayOptions.Tls options) throws IOException {
        this.section = section;
        this.options = options;
        used = stamps();
        seen = used;
        context = load();
    }

    /// @param section of the configuration, for messages
    /// @throws IOException when a file cannot be read or is not what it should be
    static ServerTls open(String section, RelayOptions.Tls options) throws IOException {
        return new ServerTls(section, options);
    }

    private SSLContext load() throws IOException {
        KeyStore store = ServerCertificate.load(section, options);
        try {
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, ServerCertificate.password());
            SSLContext made = SSLContext.getInstance("TLS");
            made.init(keys.getKeyManagers(), null, null);
            return made;
        } catch (GeneralSecurityException e) {
            throw new IOException(section + ": " + e.getMessage(), e);
        }
    }

    /// Loads the files when they are others than before, and have been so since the last look: two files are seldom
    /// replaced at one moment. A pair that cannot be used is named in the log, and the one in use stays; in any
    /// case sessions under way keep theirs.
    void reloadIfChanged() {
        List<String> now = stamps();
        boolean settled = now.equals(seen);
        seen = now;
        if (!settled || now.equals(used)) {
            return;
        }
        used = now;
        try {
            context = load();
            LOG.info("{}: {} is in use from now on", section, options.certificate());
        } catch (IOException e) {
            LOG.error("{}; the certificate loaded before stays in use", e.getMessage());
        }
    }

    /// What changes when a file is written or replaced, also behind a symbolic link.
    private List<String> stamps() {
        return Stream.of(options.certificate(), options.key())
                .map(ServerTls::stamp)
                .toList();
    }

    private static String stamp(String file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(Path.of(file), BasicFileAttributes.class);
            return attributes.lastModifiedTime() + " " + attributes.size() + " "
                    + Objects.toString(attributes.fileKey(), "");
        } catch (IOException e) {
            return e.toString();
        }
    }

    /// A socket over a connection whose handshake is to come.
    SSLSocket over(Socket connection) throws IOException {
        String peer = connection.getInetAddress().getHostAddress();
        SSLSocket secure =
                (SSLSocket) context.getSocketFactory().createSocket(connection, peer, connection.getPort(), true);
        secure.setUseClientMode(false);
        secure.setEnabledProtocols(PROTOCOLS);
        return secure;
    }
}
