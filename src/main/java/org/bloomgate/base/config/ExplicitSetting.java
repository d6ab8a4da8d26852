package org.bloomgate.base.config;

/// A value that a file, a variable or an option sets.
///
/// @param key its whole path, as `policy.listed.link`
/// @param where file and line, `--set KEY` or the name of an environment variable
public record ExplicitSetting(String key, String where, String text) {
    /// What begins the place of a value of the command line.
    static final String OPTION = "--set ";
}
