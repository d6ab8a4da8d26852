package org.bloomgate.server.smtp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/// What the plain log says at INFO, and the journal, of a session.
@Timeout(60)
class RelayLogIT {
    private static final Logger LOG = (Logger) LoggerFactory.getLogger("org.bloomgate");

    @TempDir
    private Path folder;

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        LOG.setLevel(Level.INFO);
        LOG.addAppender(log);
    }

    @AfterEach
    void stopListening() {
        LOG.detachAppender(log);
        LOG.setLevel(null);
    }

    @Test
    void aCleanMessageIsOneDecisionAndNoLine() throws Exception {
        assertEquals(List.of("pass"), decisions(Map.of(), "Subject: x\r\n\r\nhttp://good.example/\r\n.\r\n"));
        assertEquals(List.of(), lines());
    }

    @Test
    void aRefusedMessageIsOneDecisionAndNoLineOfTheSession() throws Exception {
        assertEquals(List.of("reject"), decisions(Map.of(), "Subject: x\r\n\r\nhttp://listed.example/\r\n.\r\n"));
        assertEquals(List.of(), lines());
    }

    @Test
    void shadowModeSaysWhatItWouldHaveDone() throws Exception {
        assertEquals(
                List.of("reject"),
                decisions(Map.of("shadow", "on"), "Subject: x\r\n\r\nhttp://listed.example/\r\n.\r\n"));
        assertEquals(List.of(), lines());
    }

    @Test
    void aDroppedClientIsOneDecisionAndOneLine() throws Exception {
        assertEquals(List.of("lost"), decisions(Map.of(), "Subject: x\r\nhalf"));
        assertEquals(List.of("smtp: client 127.0.0.1: lost in DATA: connection closed inside a message"), lines());
    }

    /// One message, and then the client is gone.
    private List<String> decisions(Map<String, String> settings, String message) throws IOException {
        RelayWorld world = new RelayWorld(settings, Map.of(), folder);
        try (TestClient client = new TestClient(world.relay.port())) {
            assertEquals("220", client.reply().substring(0, 3));
            client.say("EHLO client.example");
            client.say("MAIL FROM:<a@from.example>");
            client.say("RCPT TO:<b@to.example>");
            assertEquals("354", client.say("DATA").substring(0, 3));
            client.send(message);
            if (message.endsWith("\r\n.\r\n")) {
                client.line();
            }
        }
        world.close();
        return world.decisions.stream()
                .map(decision -> decision.outcome().action())
                .toList();
    }

    private List<String> lines() {
        return log.list.stream()
                .map(event -> event.getFormattedMessage().replaceFirst("^[0-9A-Z]{12} ", "TOKEN "))
                .toList();
    }
}
