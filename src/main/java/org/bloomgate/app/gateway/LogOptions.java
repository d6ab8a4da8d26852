package org.bloomgate.app.gateway;

import java.util.Map;

/// The `log` section of the configuration: what a service writes to stderr.
///
/// @param level of the least severe lines that are written; clean mail is logged at `info`
/// @param libraries levels of loggers of libraries, by name; loggers without a level here are off
public record LogOptions(Level level, Format format, Map<String, Level> libraries) {
    public LogOptions {
        libraries = Map.copyOf(libraries);
    }

    /// From the most to the least.
    public enum Level {
        DEBUG,
        INFO,
        WARN,
        ERROR
    }

    /// How a line looks.
    public enum Format {
        /// Time, level, who and what. Below systemd each line has the priority before it that journald reads.
        TEXT,
        /// An object a line; that of a message has a field for each of its facts.
        JSON
    }

    public static LogOptions defaults() {
        return new LogOptions(Level.INFO, Format.TEXT, Map.of());
    }
}
