package org.bloomgate.http;

import java.util.regex.Pattern;

/// Text with the people in it made out: what stays is enough to see which domain mail came from, not who wrote.
final class MaskedText {
    /// What may stand before an `@`: everything but what ends a word in an envelope, a reply or a URL. Possessive
    /// and from the beginning of a word only, so that a long text without an `@` takes no long time.
    private static final Pattern LOCAL_PART =
            Pattern.compile("(?:\"(?:[^\"\\\\]|\\\\.)*+\"|(?<![^\\s<>()\",;:/?&=@])[^\\s<>()\",;:/?&=@]++)@");

    private static final Pattern ESCAPED_AT = Pattern.compile("%40", Pattern.CASE_INSENSITIVE);

    /// From where a host and the sign before it end.
    private static final Pattern NO_HOST = Pattern.compile("(?<=.)[^\\p{L}\\p{N}.-].*");

    private static final String MASK = "***";

    private MaskedText() {}

    /// Without the local part of any address in it.
    static String of(String text) {
        return text.indexOf('@') < 0 ? text : LOCAL_PART.matcher(text).replaceAll(MASK + "@");
    }

    /// A mailbox: only what follows the last `@` stays.
    static String mailbox(String address) {
        int at = address.lastIndexOf('@');
        return at < 0 ? (address.isEmpty() ? "" : MASK) : MASK + address.substring(at);
    }

    /// What only its sender and recipients may read.
    static String whole(String text) {
        return text.isEmpty() ? "" : MASK;
    }

    /// The domain of the last address in a field that names people around it.
    static String within(String field) {
        int at = field.lastIndexOf('@');
        return at < 0
                ? whole(field)
                : MASK + NO_HOST.matcher(field.substring(at)).replaceFirst("");
    }

    /// A URL: scheme and host stay, since links to one recipient name him in path or query.
    static String url(String url) {
        String decoded = ESCAPED_AT.matcher(url).replaceAll("@");
        int authority = decoded.indexOf("//") < 0 ? 0 : decoded.indexOf("//") + 2;
        int end = authority;
        while (end < decoded.length() && "/?#\\".indexOf(decoded.charAt(end)) < 0) {
            end++;
        }
        boolean whole = end == decoded.length() || decoded.substring(end).equals("/");
        return of(decoded.substring(0, end)) + (whole ? "" : "/" + MASK);
    }

    /// What a client calls itself: a name stays, an address in brackets is masked as one.
    static String helo(String name) {
        return name.startsWith("[") ? client(name) + "]" : of(name);
    }

    /// An IP address: of IPv4 three octets stay, of IPv6 the first three groups, a site's.
    static String client(String address) {
        if (address.indexOf(':') >= 0) {
            String[] groups = address.split(":", -1);
            return String.join(":", groups[0], groups.length > 1 ? groups[1] : "", groups.length > 2 ? groups[2] : "")
                    + ":" + MASK;
        }
        int dot = address.lastIndexOf('.');
        return dot < 0 ? address : address.substring(0, dot + 1) + MASK;
    }
}
