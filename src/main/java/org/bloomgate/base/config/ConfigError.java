package org.bloomgate.base.config;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// One thing that is wrong with the configuration. The natural order is that of the files and their lines.
///
/// @param where `file:line`, `--set KEY` or the name of an environment variable; empty for a key at its default
public record ConfigError(String where, String message) implements Comparable<ConfigError> {
    private static final Pattern LINE = Pattern.compile("(?s)(.*):([0-9]{1,9})");
    private static final Comparator<ConfigError> ORDER = Comparator.comparing(ConfigError::source)
            .thenComparingInt(ConfigError::line)
            .thenComparing(ConfigError::message);

    /// User and password of an address that is quoted.
    private static final Pattern USER = Pattern.compile("(?<=//)[^/?#@\\s']{1,1000}@");

    public ConfigError {
        message = USER.matcher(message).replaceAll("***@");
    }

    private String source() {
        Matcher matcher = LINE.matcher(where);
        return matcher.matches() ? matcher.group(1) : where;
    }

    /// The line in the source; 0 if it has no lines.
    private int line() {
        Matcher matcher = LINE.matcher(where);
        return matcher.matches() ? Integer.parseInt(matcher.group(2)) : 0;
    }

    @Override
    public int compareTo(ConfigError other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        String option = ExplicitSetting.OPTION;
        if (where.startsWith(option) && message.startsWith(where.substring(option.length()) + ":")) {
            return option + message;
        }
        return where.isEmpty() ? message : where + ": " + message;
    }
}
