package org.bloomgate.feed;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What stands in feeds of domains, taken down to the host it lists: a name, `.name`, `*.name`, an address with or
/// without a port, an address range, the URL of a whole host.
///
/// What would list more than was meant is refused: a host with a path is not its host, a wildcard inside a name is no
/// name, three numbers are no address although a browser takes them for one.
final class DomainEntry {
    private static final Pattern SCHEME = Pattern.compile("(?i)(?:https?|hxxps?|ftp)://");
    private static final Pattern PORT = Pattern.compile(":\\d{1,5}");
    private static final Pattern NUMBER = Pattern.compile("\\d+|0[xX][0-9a-fA-F]*");
    private static final Pattern HEX_ADDRESS = Pattern.compile("0[xX][0-9a-fA-F]{1,8}");
    private static final int OCTETS = 4;
    private static final int MAX_OCTET = 255;

    private DomainEntry() {}

    static ParsedLine parse(String value) {
        String entry = value.replace("[.]", ".");
        if (AddressRange.isOne(entry)) {
            return AddressRange.expand(entry);
        }
        Matcher scheme = SCHEME.matcher(entry);
        entry = scheme.lookingAt() ? entry.substring(scheme.end()) : entry;
        if (entry.startsWith("/")) {
            return new ParsedLine.Unreadable("a path or a pattern, without a host");
        }
        int end = endOfHost(entry);
        if (end < entry.length() && !entry.substring(end).equals("/")) {
            return new ParsedLine.Unreadable("a host with a path, which a list of domains would make its whole host");
        }
        entry = entry.substring(0, end);
        entry = entry.startsWith("*.") ? entry.substring(2) : entry;
        entry = entry.startsWith(".") ? entry.substring(1) : entry;
        return entry.indexOf(':') >= 0 ? withColon(entry) : host(entry);
    }

    private static int endOfHost(String entry) {
        int end = 0;
        while (end < entry.length() && "/?#\\".indexOf(entry.charAt(end)) < 0) {
            end++;
        }
        return end;
    }

    /// `host:port`, `[v6]:port`, `[v6]` or a bare IPv6 address.
    private static ParsedLine withColon(String entry) {
        if (entry.startsWith("[")) {
            int close = entry.indexOf(']');
            String after = entry.substring(close + 1);
            return close > 0 && (after.isEmpty() || PORT.matcher(after).matches())
                    ? ParsedLine.value(entry.substring(0, close + 1))
                    : new ParsedLine.Unreadable("a broken IPv6 address");
        }
        int colon = entry.indexOf(':');
        if (entry.indexOf(':', colon + 1) >= 0) {
            return ParsedLine.value('[' + entry + ']');
        }
        return PORT.matcher(entry.substring(colon)).matches()
                ? host(entry.substring(0, colon))
                : new ParsedLine.Unreadable("not a port after the colon");
    }

    private static ParsedLine host(String host) {
        if (host.indexOf('*') >= 0) {
            return ParsedLine.unsupported("a wildcard inside a name");
        }
        if (host.indexOf('@') >= 0) {
            return new ParsedLine.Unreadable("a mail address or user name in a list of domains");
        }
        if (!host.chars().allMatch(DomainEntry::standsInHosts)) {
            return new ParsedLine.Unreadable("not a host name");
        }
        List<String> labels =
                List.of((host.endsWith(".") ? host.substring(0, host.length() - 1) : host).split("\\.", -1));
        return NUMBER.matcher(labels.getLast()).matches() && !isIpv4(labels)
                ? new ParsedLine.Unreadable("a broken IPv4 address")
                : ParsedLine.value(host);
    }

    private static boolean standsInHosts(int c) {
        return c >= 0x80 || c == '-' || c == '.' || c == '_' || Character.isLetterOrDigit(c);
    }

    /// Four numbers up to 255, octal and hex ones as browsers take them, or one of 32 bits in hex.
    private static boolean isIpv4(List<String> labels) {
        if (labels.size() == 1) {
            return HEX_ADDRESS.matcher(labels.getFirst()).matches();
        }
        for (String label : labels) {
            if (!isOctet(label)) {
                return false;
            }
        }
        return labels.size() == OCTETS;
    }

    private static boolean isOctet(String label) {
        try {
            return NUMBER.matcher(label).matches() && Integer.decode(label) <= MAX_OCTET;
        } catch (NumberFormatException tooLarge) {
            return false;
        }
    }
}
