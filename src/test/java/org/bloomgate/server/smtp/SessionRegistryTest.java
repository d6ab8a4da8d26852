package org.bloomgate.server.smtp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.subethamail.smtp.server.Session;

/// A session with a defect of its own: it must not keep its place, and the end of the relay waiting, for ever.
class SessionRegistryTest {
    private final RuntimeException defect = new IllegalStateException("defect");
    private final ClientSession client = mock();
    private final SessionRegistry registry =
            new SessionRegistry(RelayOptions.defaults(Path.of("var")), new RelayMetrics(new SimpleMeterRegistry()));

    @Test
    void aSessionThatCannotEndLeaves() {
        doThrow(defect).when(client).end();
        assertSame(defect, assertThrows(IllegalStateException.class, this::accept));
        assertEquals(0, registry.count());
    }

    private void accept() {
        ConnectionGate gate = mock();
        when(gate.identify()).thenReturn(true);
        when(gate.mayConnect()).thenReturn(true);
        when(client.gate()).thenReturn(gate);
        when(client.address()).thenReturn(InetAddress.getLoopbackAddress());
        ClientSocket socket = mock();
        when(socket.session()).thenReturn(client);
        Session session = mock();
        when(session.getSocket()).thenReturn(socket);
        registry.accept(session);
    }
}
