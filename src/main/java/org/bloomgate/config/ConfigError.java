package org.bloomgate.config;

/// One thing that is wrong with the configuration.
///
/// @param where `file:line`, `--set KEY` or the name of an environment variable
public record ConfigError(String where, String message) {
    @Override
    public String toString() {
        return where + ": " + message;
    }
}
