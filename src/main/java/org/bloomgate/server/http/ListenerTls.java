package org.bloomgate.server.http;

import io.helidon.common.tls.Tls;
import java.io.IOException;
import java.time.Duration;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.base.tls.ServerTls;
import org.bloomgate.base.tls.TlsFiles;

/// TLS of the listener. Reloads the PEM files when they change.
final class ListenerTls implements AutoCloseable {
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(2);

    private final ServerTls tls;
    private final BackgroundTask watch;

    private ListenerTls(ServerTls tls) {
        this.tls = tls;
        this.watch = BackgroundTask.every(CHECK_INTERVAL, "http-tls-watch", tls::reloadIfChanged);
    }

    /// @throws IOException if a file cannot be read or is invalid
    static ListenerTls open(HttpOptions.Tls options) throws IOException {
        return new ListenerTls(ServerTls.open("http.tls", new TlsFiles(options.certificate(), options.key())));
    }

    Tls forServer() {
        return Tls.builder()
                .sslContext(tls.context())
                .enabledProtocols(ServerTls.protocols())
                .build();
    }

    @Override
    public void close() {
        watch.close();
    }
}
