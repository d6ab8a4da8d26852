package org.bloomgate.app.gateway.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.bloomgate.base.net.ClientCost;
import org.bloomgate.base.net.ClientMemory;
import org.bloomgate.server.dns.DnsListener;
import org.bloomgate.server.http.HttpOptions;
import org.bloomgate.server.smtp.RelayOptions;
import org.junit.jupiter.api.Test;

/// The tables of docs/sizing.md say what the code counts with.
class DocumentedMemoryTest {
    private static final int SESSIONS =
            RelayOptions.defaults(Path.of("var")).sessions().maxSessions();
    private static final int CONNECTIONS = HttpOptions.defaults().maxConnections();

    @Test
    void costsAreThoseOfTheCode() throws IOException {
        String table = "| client | costs | at most | together |\n|---|---|---|---|\n"
                + row("SMTP session", ClientCost.SMTP_SESSION, SESSIONS)
                + row("TLS of an SMTP session", ClientCost.SMTP_TLS, SESSIONS)
                + row("SMTP session that sends a message", ClientCost.SMTP_READING, SESSIONS)
                + row("milter connection", ClientCost.MILTER_CONNECTION, SESSIONS)
                + row("DNS connection (TCP)", ClientCost.DNS_CONNECTION, DnsListener.MAX_TCP_CONNECTIONS)
                + row("HTTP connection", ClientCost.HTTP_CONNECTION, CONNECTIONS)
                + row("TLS of an HTTP connection", ClientCost.HTTP_TLS, CONNECTIONS);
        assertContains(table);
    }

    @Test
    void sharesOfTheHeapAreThoseOfTheCode() throws IOException {
        StringBuilder table = new StringBuilder();
        for (long heap : List.of(256L, 336L, 512L, 1024L, 2048L)) {
            long clients = ClientMemory.computeBudget(heap << 20);
            table.append("| %d MiB | %d MiB | %d MiB |\n".formatted(heap, clients >> 20, (clients / 4) >> 20));
        }
        assertContains(table.toString());
    }

    @Test
    void moreSessionsThanTheHeapCarriesAreNoted() {
        ConfigurationNotes notes = new ConfigurationNotes();
        notes.memory(64, 64 * ClientCost.SMTP_SESSION.bytes());
        assertEquals(List.of(), notes.all());
        notes.memory(65, 64 * ClientCost.SMTP_SESSION.bytes());
        assertEquals(1, notes.all().size());
    }

    private static String row(String client, ClientCost cost, int most) {
        return "| %s | %d KiB | %d | %d MiB |\n"
                .formatted(client, cost.bytes() >> 10, most, (cost.bytes() * most) >> 20);
    }

    private static void assertContains(String table) throws IOException {
        String text = Files.readString(Path.of("docs", "sizing.md"));
        assertTrue(text.contains(table), () -> "docs/sizing.md should have:\n" + table);
    }
}
