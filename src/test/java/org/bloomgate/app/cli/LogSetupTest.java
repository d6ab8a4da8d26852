package org.bloomgate.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import java.util.List;
import java.util.Map;
import org.bloomgate.app.gateway.options.LogOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

class LogSetupTest {
    private static final LoggerContext LOGGERS = (LoggerContext) LoggerFactory.getILoggerFactory();
    private static final List<String> LIBRARIES = List.of(
            "org.xbill.DNS.SimpleResolver",
            "io.helidon.webserver.ServerListener",
            "io.lettuce.core",
            "jdk.event",
            "a.b");

    @AfterEach
    void usual() {
        LOGGERS.getLogger("a.b").setLevel(null);
        LogSetup.use(LogOptions.defaults());
    }

    private static void use(LogOptions.Level level, Map<String, LogOptions.Level> libraries) {
        LogSetup.use(new LogOptions(level, LogOptions.Format.TEXT, libraries));
    }

    @ParameterizedTest
    @EnumSource
    void librariesAreOff_atEachLevel(LogOptions.Level level) {
        LIBRARIES.forEach(LOGGERS::getLogger);
        use(level, Map.of());
        assertEquals(
                Level.valueOf(level.name()),
                LOGGERS.getLogger(LogSetupTest.class).getEffectiveLevel());
        for (Logger logger : LOGGERS.getLoggerList()) {
            if (!logger.getName().startsWith("org.bloomgate")
                    && !logger.getName().startsWith("mail")) {
                assertEquals(Level.OFF, logger.getEffectiveLevel(), logger.getName());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void namedLibrary_hasItsLevel(LogOptions.Level level) {
        use(LogOptions.Level.WARN, Map.of("a.b", level));
        assertEquals(Level.valueOf(level.name()), LOGGERS.getLogger("a.b.C").getEffectiveLevel());
        assertEquals(Level.OFF, LOGGERS.getLogger("a.c").getEffectiveLevel());
    }
}
