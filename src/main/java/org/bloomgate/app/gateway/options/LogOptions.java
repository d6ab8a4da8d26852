package org.bloomgate.app.gateway.options;

import java.util.Map;

/// The `log` section of the configuration: what a service writes to stderr.
///
/// @param level of the least severe lines that are written; clean mail is logged at `info`
/// @param libraries levels of loggers of libraries, by name; loggers without a level here are off
public record LogOptions(Level level, Format format, Map<String, Level> libraries) {
    public LogOptions {
        libraries = Map.copyOf(libraries);
    }

    /// From most to least detailed.
    public enum Level {
        DEBUG,
        INFO,
        WARN,
        ERROR
    }

    /// How a line looks.
    public enum Format {
        /// Time, level, logger and message. Under systemd each line begins with the priority for journald.
        TEXT,
        /// One object per line; a decision on a message has a field for each of its parts.
        JSON
    }

    public static LogOptions defaults() {
        return new LogOptions(Level.INFO, Format.TEXT, Map.of());
    }
}
