package org.bloomgate.server.smtp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.subethamail.smtp.server.Session;

/// Places of sessions: one that ends with a defect leaves its place, a silent one gives it up to a new client.
class SessionRegistryTest {
    private final RuntimeException defect = new IllegalStateException("defect");

    @Test
    void aSessionThatCannotEndLeaves() {
        SessionRegistry registry = registry(RelayOptions.defaults(Path.of("var")));
        ClientSession client = client();
        doThrow(defect).when(client).end();
        assertSame(defect, assertThrows(IllegalStateException.class, () -> accept(registry, client)));
        assertEquals(0, registry.count());
    }

    @Test
    void silentSessions_giveUpTheirPlacesBeforeTheyEnd() {
        SessionRegistry registry = registry(onePlace());
        assertEquals(SessionRegistry.MAX_REPLACED, countReplaced(registry, SessionRegistry.MAX_REPLACED));
        assertEquals(0, registry.count());
    }

    @Test
    void oneSessionMore_waitsForAReplacedOneToEnd() {
        SessionRegistry registry = registry(onePlace());
        assertEquals(SessionRegistry.MAX_REPLACED, countReplaced(registry, SessionRegistry.MAX_REPLACED + 1));
        assertEquals(0, registry.count());
    }

    /// Accepts a silent client, on the thread of its session the next one, and so on; no session ends before all
    /// have come. The thread is interrupted, so that nobody waits for a place.
    ///
    /// @return how many clients after the first were accepted
    private static int countReplaced(SessionRegistry registry, int clientsAfterFirst) {
        ClientSession silent = client();
        ClientConnection connection = mock();
        when(connection.silentFor()).thenReturn(Duration.ofSeconds(2));
        when(silent.connection()).thenReturn(connection);
        when(silent.mayBeReplaced()).thenReturn(true);
        AtomicInteger replaced = new AtomicInteger(-1);
        doAnswer(_ -> {
                    replaced.set(clientsAfterFirst == 0 ? 0 : 1 + countReplaced(registry, clientsAfterFirst - 1));
                    return null;
                })
                .when(silent)
                .run();
        Thread.currentThread().interrupt();
        accept(registry, silent);
        boolean _ = Thread.interrupted();
        return replaced.get();
    }

    private static RelayOptions onePlace() {
        RelayOptions options = mock();
        when(options.sessions()).thenReturn(new RelayOptions.Sessions(1, 2, Duration.ZERO));
        return options;
    }

    private static void accept(SessionRegistry registry, ClientSession client) {
        ClientSocket socket = mock();
        when(socket.session()).thenReturn(client);
        Session session = mock();
        when(session.getSocket()).thenReturn(socket);
        registry.accept(session);
    }

    private static SessionRegistry registry(RelayOptions options) {
        return new SessionRegistry(options, new RelayMetrics(new SimpleMeterRegistry()));
    }

    private static ClientSession client() {
        ConnectionGate gate = mock();
        when(gate.identify()).thenReturn(true);
        when(gate.mayConnect()).thenReturn(true);
        ClientSession client = mock();
        when(client.gate()).thenReturn(gate);
        when(client.address()).thenReturn(InetAddress.getLoopbackAddress());
        return client;
    }
}
