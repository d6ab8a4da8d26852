package org.bloomgate.core.url;

import java.util.Optional;
import java.util.regex.Pattern;
import org.bloomgate.core.text.TextForms;

/// A domain name of configuration or a command, in A-labels and lower case: labels of 1 to 63 letters, digits,
/// `-` and `_`, at most 253 characters in total, without a dot at the end. Unlike [Host], it is parsed
/// strictly: text with a blank, a scheme, a path, an `@` or an empty label is rejected.
public record DomainName(String text) {
    /// Possessive: linear in its input.
    private static final Pattern NAME =
            Pattern.compile("[a-z0-9_](?:[a-z0-9_-]{0,62}+(?<!-))?+(?:\\.[a-z0-9_](?:[a-z0-9_-]{0,62}+(?<!-))?+)*+");

    private static final Pattern ASCII = Pattern.compile("[\\x21-\\x7e]*+");

    /// Parses a name.
    ///
    /// @param text with non-ASCII letters (IDN) or in A-labels; may end with a dot
    public static Optional<DomainName> parse(String text) {
        String name = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
        if (!ASCII.matcher(name).matches()) {
            if (name.chars().anyMatch(c -> Character.isWhitespace(c) || Character.isISOControl(c) || c == '%')) {
                return Optional.empty();
            }
            name = Host.parse(name).map(Host::text).orElse("");
        }
        String lower = TextForms.lowerCase(name);
        boolean valid =
                lower.length() <= Host.MAX_NAME_BYTES && NAME.matcher(lower).matches() && !isNumber(lower);
        return valid ? Optional.of(new DomainName(lower)) : Optional.empty();
    }

    /// Whether the last label is a number: then browsers read the name as an IPv4 address.
    private static boolean isNumber(String name) {
        return name.substring(name.lastIndexOf('.') + 1).chars().allMatch(c -> c >= '0' && c <= '9');
    }

    @Override
    public String toString() {
        return text;
    }
}
