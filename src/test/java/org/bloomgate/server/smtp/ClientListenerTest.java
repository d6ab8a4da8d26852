package org.bloomgate.server.smtp;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.bloomgate.server.nexthop.DeadlineSocket;
import org.bloomgate.server.nexthop.ReadWatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ClientListenerTest {
    private static final Duration SHORT = Duration.ofMillis(50);

    @TempDir
    private Path folder;

    private Socket silent = new Socket();

    @AfterEach
    void end() throws IOException {
        silent.close();
    }

    /// At the end of a relay, last replies are on their way when it no longer listens.
    @Test
    void readsEndAtTheirDeadlineWhenNothingMoreIsAccepted() throws Exception {
        try (RelayWorld world = new RelayWorld(Map.of(), Map.of(), folder);
                ReadWatch reads = new ReadWatch("test-reads");
                ClientSocket accepted = acceptedBefore(new ClientListener(world.relay::context, reads))) {
            DeadlineSocket raw = accepted.session().connection().raw();
            raw.readUntil(System.nanoTime() + SHORT.toNanos());
            assertThrows(
                    SocketTimeoutException.class, () -> raw.getInputStream().read());
        }
    }

    /// From a client that says nothing.
    private ClientSocket acceptedBefore(ClientListener closed) throws IOException {
        InetAddress here = InetAddress.getLoopbackAddress();
        try (closed) {
            closed.bind(new InetSocketAddress(here, 0));
            silent = new Socket(here, closed.getLocalPort());
            return (ClientSocket) closed.accept();
        }
    }
}
