package org.bloomgate.content.mime;

import java.net.InetAddress;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bloomgate.base.net.IpLiteral;

/// The address that a mail server saw, in the Received field it wrote (RFC 5321 4.4): the last address literal
/// in brackets or parentheses of the "from" clause, as the text before it is the client's own claim.
final class ReceivedHop {
    private static final Pattern FROM =
            Pattern.compile("\\s*from\\s(.*?)(?:\\sby\\s.*|$)", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    /// IPv6 with IPv4 at its end. Hides nothing: no address is longer.
    private static final int MAX_LITERAL_CHARS = 45;

    private static final Pattern LITERAL = Pattern.compile(
            "[\\[( ](?:IPv6:)?([0-9A-Fa-f.:]{3," + MAX_LITERAL_CHARS + "})[\\])]", Pattern.CASE_INSENSITIVE);

    private ReceivedHop() {}

    /// @param value body of the field, unfolded
    static Optional<InetAddress> of(String value) {
        Matcher from = FROM.matcher(value);
        if (!from.matches()) {
            return Optional.empty();
        }
        Optional<InetAddress> last = Optional.empty();
        Matcher literal = LITERAL.matcher(from.group(1));
        while (literal.find()) {
            Optional<InetAddress> address = IpLiteral.parse(literal.group(1));
            last = address.isPresent() ? address : last;
        }
        return last;
    }
}
