package org.bloomgate.app.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bloomgate.app.gateway.options.LogOptions;
import org.bloomgate.base.io.OncePerMinute;
import org.bloomgate.base.io.PrintableText;
import org.bloomgate.decision.journal.LogFields;
import org.bloomgate.server.http.AnswerJson;

/// A line of the log of a service. Thread-safe.
final class LogLine extends EncoderBase<ILoggingEvent> {
    private final LogOptions.Format format;
    private final boolean priorities;
    private final OncePerMinute traces = new OncePerMinute();

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

    /// The priority of syslog.
    private static int priority(Level level) {
        return switch (level.toInt()) {
            case Level.ERROR_INT -> 3;
            case Level.WARN_INT -> 4;
            case Level.INFO_INT -> 6;
            default -> 7;
        };
    }

    /// Formatted without a pattern, which would be parsed for every message.
    private String text(ILoggingEvent event) {
        String level = event.getLevel().toString();
        return time(event.getTimeStamp()) + ' ' + level + " ".repeat("ERROR ".length() - level.length())
                + name(event.getLoggerName())
                + ": " + PrintableText.of(event.getFormattedMessage()).replace("\n", "\n\t") + '\n'
                + PrintableText.of(thrown(event));
    }

    /// A line that a command writes without a logger, such as the ready line.
    static String of(LogOptions.Format format, String text) {
        return switch (format) {
            case TEXT -> text;
            case JSON ->
                AnswerJson.line(fields(time(System.currentTimeMillis()), Level.INFO.toString(), "gateway", text));
        };
    }

    private static Map<String, Object> fields(String time, String level, String logger, String message) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("time", time);
        fields.put("level", level);
        fields.put("logger", logger);
        fields.put("message", message);
        return fields;
    }

    private String json(ILoggingEvent event) {
        Map<String, Object> fields = fields(
                time(event.getTimeStamp()),
                event.getLevel().toString(),
                name(event.getLoggerName()),
                event.getFormattedMessage());
        if (event.getArgumentArray() != null) {
            for (Object argument : event.getArgumentArray()) {
                if (argument instanceof LogFields facts) {
                    fields.putAll(facts.fields());
                }
            }
        }
        String thrown = thrown(event);
        if (!thrown.isEmpty()) {
            fields.put("thrown", thrown);
        }
        return AnswerJson.line(fields);
    }

    private static String time(long millis) {
        Instant at = Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.MILLIS);
        String text = at.toString();
        return text.length() == "2026-01-31T12:00:00Z".length() ? text.replace("Z", ".000Z") : text;
    }

    /// The stack trace of an exception, once a minute for each place, so that one fault cannot fill the disk;
    /// and otherwise its message.
    private String thrown(ILoggingEvent event) {
        IThrowableProxy thrown = event.getThrowableProxy();
        if (thrown == null) {
            return "";
        }
        StackTraceElementProxy[] frames = thrown.getStackTraceElementProxyArray();
        String place = event.getLoggerName() + thrown.getClassName() + (frames.length == 0 ? "" : frames[0]);
        return traces.isDue(place, event.getTimeStamp())
                ? ThrowableProxyUtil.asString(thrown)
                : thrown.getClassName() + ": " + thrown.getMessage() + " (as within the last minute)\n";
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
