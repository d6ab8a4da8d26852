package org.bloomgate.server.api;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bloomgate.core.text.TextScan;
import org.bloomgate.core.url.Host;
import org.bloomgate.core.url.HostKind;

/// Text with the people in it made out: what stays is enough to see which domain mail came from, not who wrote.
final class MaskedText {
    /// Characters that end a word in an envelope, a reply or a URL.
    private static final String BETWEEN_WORDS = "<>()\",;:/?&=@";

    private static final Pattern IPV4 = Pattern.compile("(?<!\\d)(\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.)\\d{1,3}(?!\\d)");

    /// With two colons in a row, or eight groups: a time of day has neither.
    private static final Pattern IPV6 =
            Pattern.compile("(?:(?<![\\p{Alnum}:])|(?<=(?i:IPv6:)))(?=[0-9a-fA-F:]{0,35}::|(?:[0-9a-fA-F]{1,4}:){7})"
                    + "[0-9a-fA-F]{0,4}(?::[0-9a-fA-F]{0,4}){2,7}(?![\\p{Alnum}:])");

    private static final Pattern PORT = Pattern.compile("(?<=[^:]):\\d*$");

    /// From where a host and the sign before it end.
    private static final Pattern NO_HOST = Pattern.compile("(?<=.)[^\\p{L}\\p{N}.-].*");

    /// The first three groups of IPv6, fewer where zeros are left out before.
    private static final Pattern NETWORK = Pattern.compile("(?:[^:]*+:(?!:)){3}|(?:[^:]*+:){1,3}?:");

    private static final String MASK = "***";

    private MaskedText() {}

    /// Without the local part of any mail address, and the end of any IP address, in it.
    static String of(String text) {
        return withoutClients(text.indexOf('@') < 0 ? text : withoutLocalParts(text));
    }

    /// The text before an `@` is a word or a quoted string. A quote within one that did not lead to an `@` does not
    /// lead to one either.
    private static String withoutLocalParts(String text) {
        StringBuilder masked = new StringBuilder();
        int done = 0;
        int quotes = 0;
        for (int i = 0; i < text.length(); i++) {
            int end = i;
            if (text.charAt(i) == '"' && i >= quotes) {
                quotes = endOfQuote(text, i);
                end = text.startsWith("\"@", quotes) ? quotes + 1 : i;
            } else if (i == 0 || isBetweenWords(text.charAt(i - 1))) {
                end = TextScan.next(text, i, MaskedText::isBetweenWords);
            }
            if (end > i && text.startsWith("@", end)) {
                masked.append(text, done, i).append(MASK);
                done = end;
                i = end;
            }
        }
        return masked.append(text, done, text.length()).toString();
    }

    /// The closing quote, or where the string is broken off.
    private static int endOfQuote(String text, int from) {
        int end = from + 1;
        while (end < text.length() && text.charAt(end) != '"') {
            end += text.charAt(end) == '\\' ? 2 : 1;
        }
        return Math.min(end, text.length());
    }

    private static boolean isBetweenWords(int c) {
        return TextScan.isBlank(c) || BETWEEN_WORDS.indexOf(c) >= 0;
    }

    private static String withoutClients(String text) {
        String shorter = IPV4.matcher(text).replaceAll("$1" + MASK);
        return IPV6.matcher(shorter).replaceAll(found -> client(found.group()));
    }

    /// A mailbox: only what follows the last `@` stays.
    static String mailbox(String address) {
        int at = address.lastIndexOf('@');
        return at < 0 ? (address.isEmpty() ? "" : MASK) : MASK + withoutClients(address.substring(at));
    }

    /// Masks a text that only its sender and recipients may read.
    static String whole(String text) {
        return text.isEmpty() ? "" : MASK;
    }

    /// The domain of the last address in a field that names people around it.
    static String within(String field) {
        int at = field.lastIndexOf('@');
        return at < 0
                ? whole(field)
                : MASK + withoutClients(NO_HOST.matcher(field.substring(at)).replaceFirst(""));
    }

    /// A URL: scheme and host stay, since links to one recipient name him in path or query.
    static String url(String url) {
        String decoded = url.replace("%40", "@");
        int authority = decoded.indexOf("//") < 0 ? 0 : decoded.indexOf("//") + 2;
        int end = authority;
        while (end < decoded.length() && "/?#\\".indexOf(decoded.charAt(end)) < 0) {
            end++;
        }
        boolean whole = end == decoded.length() || decoded.substring(end).equals("/");
        return decoded.substring(0, authority) + host(decoded.substring(authority, end)) + (whole ? "" : "/" + MASK);
    }

    /// The network of an address, in any spelling that resolvers accept.
    private static String host(String authority) {
        String named = PORT.matcher(authority.substring(authority.lastIndexOf('@') + 1))
                .replaceFirst("");
        return Host.parse(named)
                .filter(host -> host.kind() != HostKind.NAME)
                .map(host -> of(host.text()))
                .orElseGet(() -> of(authority));
    }

    /// An IP address: of IPv4 three bytes stay, of IPv6 the first three groups, a site's, or those before `::`.
    static String client(String address) {
        if (address.indexOf(':') >= 0) {
            Matcher network = NETWORK.matcher(address);
            return (network.lookingAt() ? network.group() : "") + MASK;
        }
        int dot = address.lastIndexOf('.');
        return dot < 0 ? address : address.substring(0, dot + 1) + MASK;
    }
}
