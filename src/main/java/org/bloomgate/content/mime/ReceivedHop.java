package org.bloomgate.content.mime;

import java.net.InetAddress;
import java.util.Optional;
import org.bloomgate.base.net.IpLiteral;
import org.bloomgate.core.text.TextScan;

/// Finds the client address in the Received field of a mail server (RFC 5321 4.4): the last address literal in
/// brackets or parentheses of the "from" clause, because the text before it is the client's own claim.
final class ReceivedHop {
    private static final String FROM = "from";
    private static final String BY = "by";
    private static final String IPV6 = "ipv6:";

    private static final int MIN_LITERAL_CHARS = 3;

    /// The length of an IPv6 address that ends with an IPv4 address. Hides nothing: no address is longer.
    private static final int MAX_LITERAL_CHARS = 45;

    private ReceivedHop() {}

    /// @param value the unfolded body of the field
    static Optional<InetAddress> findAddress(String value) {
        int from = TextScan.end(value, 0, TextScan::isBlank);
        int clause = from + FROM.length();
        if (!TextScan.hasWord(value, from, FROM) || !isBlankAt(value, clause)) {
            return Optional.empty();
        }
        Optional<InetAddress> last = Optional.empty();
        int end = findClauseEnd(value, clause + 1);
        int open = TextScan.next(value, clause + 1, ReceivedHop::mayPrecedeLiteral);
        while (open < end) {
            int start = open + (TextScan.hasWord(value, open + 1, IPV6) ? 1 + IPV6.length() : 1);
            int close = TextScan.end(value, start, c -> TextScan.isHexDigit(c) || c == '.' || c == ':');
            boolean hasAddressLength = close - start >= MIN_LITERAL_CHARS && close - start <= MAX_LITERAL_CHARS;
            if (hasAddressLength && close < end && (value.charAt(close) == ']' || value.charAt(close) == ')')) {
                Optional<InetAddress> address = IpLiteral.parse(value.substring(start, close));
                last = address.isPresent() ? address : last;
            }
            open = TextScan.next(value, close, ReceivedHop::mayPrecedeLiteral);
        }
        return last;
    }

    /// The position of the blank before `by` and another blank; the end of the text if there is none.
    private static int findClauseEnd(String value, int from) {
        int blank = TextScan.next(value, from, TextScan::isBlank);
        while (blank < value.length()
                && !(TextScan.hasWord(value, blank + 1, BY) && isBlankAt(value, blank + 1 + BY.length()))) {
            blank = TextScan.next(value, blank + 1, TextScan::isBlank);
        }
        return blank;
    }

    private static boolean isBlankAt(String value, int at) {
        return at < value.length() && TextScan.isBlank(value.charAt(at));
    }

    private static boolean mayPrecedeLiteral(int c) {
        return c == '[' || c == '(' || c == ' ';
    }
}
