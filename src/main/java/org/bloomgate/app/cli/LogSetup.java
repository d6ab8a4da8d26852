package org.bloomgate.app.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.app.gateway.options.LogOptions;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/// The log of a long-running command. Loggers of libraries are off unless the configuration names them, because
/// a library may log a query, a password or a text from outside. The same applies to libraries that log through
/// `java.util.logging`.
final class LogSetup {
    private static final String APPENDER = "stderr";

    /// The loggers of the program and of the line of each message.
    private static final List<String> OWN = List.of("org.bloomgate", "mail");

    /// The variable in which systemd states the stream that is connected to journald, as `DEVICE:INODE`.
    private static final String JOURNAL = "JOURNAL_STREAM";

    private LogSetup() {}

    /// Sets the level INFO until the configuration is read. Must run before the first logger is created.
    static void forService() {
        System.setProperty("bloomgate.log.level", "INFO");
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
    }

    /// Applies the `log` section of the configuration.
    static void use(LogOptions options) {
        Logger root = logger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        options.libraries().forEach(LogSetup::setLevel);
        OWN.forEach(name -> setLevel(name, options.level()));
        if (root.getAppender(APPENDER) instanceof OutputStreamAppender<ILoggingEvent> appender) {
            LogLine line = new LogLine(options.format(), leadsToJournal(System.getenv()));
            line.setContext((LoggerContext) LoggerFactory.getILoggerFactory());
            line.start();
            appender.setEncoder(line);
        }
    }

    private static void setLevel(String name, LogOptions.Level level) {
        logger(name).setLevel(Level.valueOf(level.name()));
    }

    private static Logger logger(String name) {
        return (Logger) LoggerFactory.getLogger(name);
    }

    /// Whether stderr is connected to journald. The variable alone may be inherited from another process.
    private static boolean leadsToJournal(Map<String, String> environment) {
        return Optional.ofNullable(environment.get(JOURNAL))
                .filter(LogSetup::isStderr)
                .isPresent();
    }

    private static boolean isStderr(String stream) {
        try {
            Path stderr = Path.of("/proc/self/fd/2");
            return stream.equals(Files.getAttribute(stderr, "unix:dev") + ":" + Files.getAttribute(stderr, "unix:ino"));
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }
}
