package org.bloomgate.http;

import io.helidon.common.tls.Tls;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.bloomgate.tls.ServerTls;
import org.bloomgate.tls.TlsFiles;

/// TLS of the listener, which takes over its PEM files when they change.
final class ListenerTls implements AutoCloseable {
    private static final Duration CHECK = Duration.ofSeconds(2);

    private final ServerTls tls;
    private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("http-tls-watch").factory());

    private ListenerTls(ServerTls tls) {
        this.tls = tls;
        var _ = watch.scheduleWithFixedDelay(
                tls::reloadIfChanged, CHECK.toMillis(), CHECK.toMillis(), TimeUnit.MILLISECONDS);
    }

    /// @throws IOException when a file cannot be read or is not what it should be
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
        watch.shutdownNow();
    }
}
