package org.bloomgate.base.config;

/// A value as somebody wrote it, whatever it is laid over.
///
/// @param key its whole path, as `policy.listed.link`
/// @param where file and line, `--set KEY` or the name of an environment variable
public record ExplicitSetting(String key, String where, String text) {}
