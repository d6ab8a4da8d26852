package org.bloomgate.app.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bloomgate.app.gateway.LogOptions;
import org.bloomgate.decision.journal.LogFacts;
import org.bloomgate.server.http.AnswerJson;

/// A line of the log of a service. Thread-safe.
final class LogLine extends EncoderBase<ILoggingEvent> {
    private final LogOptions.Format format;
    private final boolean priorities;

    /// @param priorities whether each line begins with `<N>`, as journald reads it (sd-daemon(3))
    LogLine(LogOptions.Format format, boolean priorities) {
        this.format = format;
        this.priorities = priorities;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        String text = switch (format) {
            case TEXT -> prefixed(event, text(event));
            case JSON -> json(event) + "\n";
        };
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private String prefixed(ILoggingEvent event, String lines) {
        return priorities ? lines.replaceAll("(?m)^(?!\\z)", "<" + priority(event.getLevel()) + ">") : lines;
    }

    /// As syslog counts them.
    private static int priority(Level level) {
        return switch (level.toInt()) {
            case Level.ERROR_INT -> 3;
            case Level.WARN_INT -> 4;
            case Level.INFO_INT -> 6;
            default -> 7;
        };
    }

    /// Formatted without a pattern, which would be parsed for every message.
    private static String text(ILoggingEvent event) {
        String level = event.getLevel().toString();
        return time(event) + ' ' + level + " ".repeat("ERROR ".length() - level.length()) + name(event.getLoggerName())
                + ": " + event.getFormattedMessage() + '\n' + thrown(event);
    }

    private static String json(ILoggingEvent event) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("time", time(event));
        fields.put("level", event.getLevel().toString());
        fields.put("logger", name(event.getLoggerName()));
        fields.put("message", event.getFormattedMessage());
        if (event.getArgumentArray() != null) {
            for (Object argument : event.getArgumentArray()) {
                if (argument instanceof LogFacts facts) {
                    fields.putAll(facts.facts());
                }
            }
        }
        if (!thrown(event).isEmpty()) {
            fields.put("thrown", thrown(event));
        }
        return AnswerJson.line(fields);
    }

    private static String time(ILoggingEvent event) {
        Instant at = Instant.ofEpochMilli(event.getTimeStamp()).truncatedTo(ChronoUnit.MILLIS);
        String text = at.toString();
        return text.length() == "2026-01-31T12:00:00Z".length() ? text.replace("Z", ".000Z") : text;
    }

    private static String thrown(ILoggingEvent event) {
        return event.getThrowableProxy() == null ? "" : ThrowableProxyUtil.asString(event.getThrowableProxy());
    }

    private static String name(String logger) {
        return logger.substring(logger.lastIndexOf('.') + 1);
    }

    @Override
    public byte[] headerBytes() {
        return new byte[0];
    }

    @Override
    public byte[] footerBytes() {
        return new byte[0];
    }
}
