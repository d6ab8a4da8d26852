package org.bloomgate.base.config;

/// A value that a file, a variable or an option sets.
///
/// @param key its whole path, for example `policy.listed.link`
/// @param where file and line, `--set KEY` or the name of an environment variable
/// @param value as it is written in a file
public record ExplicitSetting(String key, String where, String value) {
    /// The beginning of `where` for a value of the command line.
    static final String OPTION = "--set ";
}
