package org.bloomgate.server.smtp;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The arguments of BDAT (RFC 3030 2).
///
/// @param bytes number of bytes after the command, at most 18 digits
/// @param last whether the chunk ends the message
record Chunk(long bytes, boolean last) {
    private static final Pattern ARGUMENTS = Pattern.compile("([0-9]{1,18})( +LAST)?", Pattern.CASE_INSENSITIVE);

    /// Empty if the arguments are malformed; then the number of bytes that follow is unknown.
    static Optional<Chunk> parse(String arguments) {
        Matcher matcher = ARGUMENTS.matcher(arguments);
        return matcher.matches()
                ? Optional.of(new Chunk(Long.parseLong(matcher.group(1)), matcher.group(2) != null))
                : Optional.empty();
    }
}
