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
import org.bloomgate.app.gateway.LogOptions;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/// The log of a long-running command. Loggers of libraries are off at every level, as a library may log a question, a
/// password or a text of strangers, unless the configuration names them. Libraries that log through
/// `java.util.logging` are treated alike.
final class LogSetup {
    private static final String APPENDER = "stderr";

    /// The loggers of the program and of the line of each message.
    private static final List<String> OWN = List.of("org.bloomgate", "mail");

    /// The variable by which systemd says that stderr is connected to journald: `DEVICE:INODE`.
    private static final String JOURNAL = "JOURNAL_STREAM";

    private LogSetup() {}

    /// Until the configuration is read: from INFO on. Must run before the first logger is made.
    static void forService() {
        System.setProperty("bloomgate.log.level", "INFO");
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
    }

    /// As the configuration says from now on.
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

    /// A variable alone may be that of another process, who passed it on.
    private static boolean leadsToJournal(Map<String, String> environment) {
        return Optional.ofNullable(environment.get(JOURNAL))
                .filter(LogSetup::isStderr)
                .isPresent();
    }

    private static boolean isStderr(String stream) {
        try {
            Path stderr = Path.of("/proc/self/fd/2");
            return stream.equals(Files.getAttribute(stderr, "unix:dev") + ":" + Files.getAttribute(stderr, "unix:ino"));
        } catch (IOException | UnsupportedOperationException unknown) {
            return false;
        }
    }
}
