package org.bloomgate.base.tls;

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
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.X509ExtendedKeyManager;
import org.bloomgate.base.io.IoText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The server side of TLS, with PEM files that may change while it runs. It offers TLS 1.2 and later with the
/// cipher suites of the JDK, and does not resolve names.
///
/// Any thread may begin a session; one thread at a time may call [#reloadIfChanged].
public final class ServerTls {
    private static final Logger LOG = LoggerFactory.getLogger(ServerTls.class);
    private static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");

    private final String section;
    private final TlsFiles files;
    private final ChangeableKey key;
    private final SSLContext context;
    private List<String> loadedStamps;
    private List<String> lastStamps;

    private ServerTls(String section, TlsFiles files) throws IOException {
        this.section = section;
        this.files = files;
        loadedStamps = readStamps();
        lastStamps = loadedStamps;
        key = new ChangeableKey(load());
        context = createContext(key);
    }

    /// @param section of the configuration, for messages
    /// @throws IOException when a file cannot be read or is not what it should be
    public static ServerTls open(String section, TlsFiles files) throws IOException {
        return new ServerTls(section, files);
    }

    private X509ExtendedKeyManager load() throws IOException {
        KeyStore store = ServerCertificate.load(section, files);
        try {
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(store, ServerCertificate.password());
            return (X509ExtendedKeyManager) factory.getKeyManagers()[0];
        } catch (GeneralSecurityException e) {
            throw new IOException(section + ": " + e.getMessage(), e);
        }
    }

    private SSLContext createContext(ChangeableKey key) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {key}, null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException(section + ": " + e.getMessage(), e);
        }
    }

    /// The context, for servers that create their own sockets. It stays valid when the files change.
    public SSLContext context() {
        return context;
    }

    /// The versions to offer.
    public static List<String> protocols() {
        return PROTOCOLS;
    }

    /// Loads the files if they have changed since they were loaded but not since the last call, because two
    /// files are seldom replaced at the same moment. A pair that cannot be used is logged, and the certificate
    /// in use stays. Current sessions keep theirs in any case.
    public void reloadIfChanged() {
        List<String> currentStamps = readStamps();
        boolean isSettled = currentStamps.equals(lastStamps);
        lastStamps = currentStamps;
        if (!isSettled || currentStamps.equals(loadedStamps)) {
            return;
        }
        loadedStamps = currentStamps;
        try {
            key.change(load());
            LOG.info("{}: {} is in use from now on", section, files.certificate());
        } catch (IOException e) {
            LOG.error("{}; the certificate loaded before stays in use", IoText.describe(e));
        }
    }

    /// A stamp of each file, which changes whenever the file is written or replaced, also behind a symbolic
    /// link.
    private List<String> readStamps() {
        return Stream.of(files.certificate(), files.key()).map(ServerTls::stamp).toList();
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

    /// A TLS socket over a connection, before the handshake.
    public SSLSocket over(Socket connection) throws IOException {
        String peer = connection.getInetAddress().getHostAddress();
        SSLSocket secure =
                (SSLSocket) context.getSocketFactory().createSocket(connection, peer, connection.getPort(), true);
        secure.setUseClientMode(false);
        secure.setEnabledProtocols(PROTOCOLS.toArray(String[]::new));
        return secure;
    }
}
