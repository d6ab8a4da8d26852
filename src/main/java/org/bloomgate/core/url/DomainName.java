package org.bloomgate.core.url;

import java.util.Optional;
import java.util.regex.Pattern;
import org.bloomgate.core.text.TextForms;

/// A domain name as configuration and commands have it, in A-labels and lower case: letters, digits, `-` and `_` in
/// labels of 1 to 63, at most 253 altogether, one dot at the end left out. Unlike [Host], it repairs nothing: text
/// with a blank, a scheme, a path, an `@` or an empty label is refused.
public record DomainName(String text) {
    /// Possessive: linear in its input.
    private static final Pattern NAME =
            Pattern.compile("[a-z0-9_](?:[a-z0-9_-]{0,62}+(?<!-))?+(?:\\.[a-z0-9_](?:[a-z0-9_-]{0,62}+(?<!-))?+)*+");

    private static final Pattern ASCII = Pattern.compile("[\\x21-\\x7e]*+");

    /// @param text as letters beyond ASCII (IDN) or as A-labels
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

    /// An IPv4 address, however browsers write one, ends in a label of digits.
    private static boolean isNumber(String name) {
        return name.substring(name.lastIndexOf('.') + 1).chars().allMatch(c -> c >= '0' && c <= '9');
    }

    @Override
    public String toString() {
        return text;
    }
}
