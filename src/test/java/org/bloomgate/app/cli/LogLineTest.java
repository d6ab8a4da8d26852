package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.LoggingEvent;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.bloomgate.app.gateway.options.LogOptions.Format;
import org.bloomgate.decision.journal.LogFields;
import org.junit.jupiter.api.Test;

class LogLineTest {
    private static LoggingEvent event(Level level, String message) {
        LoggingEvent event = new LoggingEvent();
        event.setLevel(level);
        event.setLoggerName("org.bloomgate.decision.journal.MailLog");
        event.setMessage(message);
        event.setInstant(Instant.parse("2026-03-05T12:00:00Z"));
        return event;
    }

    private static String line(Format format, boolean priorities, LoggingEvent event) {
        return new String(new LogLine(format, priorities).encode(event), StandardCharsets.UTF_8);
    }

    @Test
    void aTextLineHasTimeLevelAndWho() {
        assertEquals(
                "2026-03-05T12:00:00.000Z INFO  MailLog: hello\n",
                line(Format.TEXT, false, event(Level.INFO, "hello")));
    }

    @Test
    void journaldReadsThePriorityOfEachLine() {
        assertTrue(line(Format.TEXT, true, event(Level.WARN, "a\nb")).matches("(?s)<4>2026.*\n<4>\tb\n"));
        assertTrue(line(Format.TEXT, true, event(Level.ERROR, "a")).startsWith("<3>"));
        assertTrue(line(Format.TEXT, true, event(Level.INFO, "a")).startsWith("<6>"));
        assertTrue(line(Format.TEXT, true, event(Level.DEBUG, "a")).startsWith("<7>"));
    }

    @Test
    void readyLine_hasTheFormatOfTheLog() throws JsonProcessingException {
        assertEquals("ready smtp=x", LogLine.of(Format.TEXT, "ready smtp=x"));
        JsonNode object = new JsonMapper().readTree(LogLine.of(Format.JSON, "ready smtp=x"));
        assertEquals("ready smtp=x", object.get("message").asText());
        assertEquals("INFO", object.get("level").asText());
        assertTrue(Instant.parse(object.get("time").asText()).isAfter(Instant.EPOCH));
    }

    @Test
    void jsonIsAnObjectALineWithItsFacts() throws JsonProcessingException {
        LoggingEvent event = event(Level.INFO, "TOKEN reject\n\"x\"");
        LogFields token = () -> Map.of("token", "TOKEN");
        event.setArgumentArray(new Object[] {token});
        String line = line(Format.JSON, true, event);
        assertEquals(1, line.lines().count());
        JsonNode object = new JsonMapper().readTree(line);
        assertEquals("TOKEN reject\n\"x\"", object.get("message").asText());
        assertEquals("INFO", object.get("level").asText());
        assertEquals("TOKEN", object.get("token").asText());
        assertEquals("2026-03-05T12:00:00.000Z", object.get("time").asText());
    }
}
