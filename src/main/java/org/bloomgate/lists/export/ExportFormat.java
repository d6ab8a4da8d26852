package org.bloomgate.lists.export;

import java.util.Set;
import java.util.function.IntPredicate;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.url.Host;
import org.bloomgate.core.url.HostKind;

/// The format of an export.
public enum ExportFormat {
    /// A response policy zone: DNS records that a resolver applies to the queries of its clients.
    RPZ("; ", "text/dns"),
    /// One value per line; a domain with a leading dot also covers the names below it, as in squid's
    /// `dstdomain`. `*.name` covers only the names below, which squid cannot express.
    TXT("# ", "text/plain; charset=utf-8"),
    /// Lines of `/etc/hosts`.
    HOSTS("# ", "text/plain; charset=utf-8"),
    /// Rules of nginx's access module.
    NGINX("# ", "text/plain; charset=utf-8"),
    /// One JSON object for each listing.
    JSONL("", "application/jsonl");

    private static final int MAX_LABEL_BYTES = 63;

    private final String comment;
    private final String mediaType;

    ExportFormat(String comment, String mediaType) {
        this.comment = comment;
        this.mediaType = mediaType;
    }

    /// The characters that a comment line begins with; empty if the format has no comments.
    String comment() {
        return comment;
    }

    public String mediaType() {
        return mediaType;
    }

    /// The kinds that the format can express; empty if these depend on the lists.
    Set<KeyKind> kinds() {
        return switch (this) {
            case RPZ -> Set.of(KeyKind.DOMAIN, KeyKind.NETWORK);
            case HOSTS -> Set.of(KeyKind.DOMAIN);
            case NGINX -> Set.of(KeyKind.NETWORK);
            case TXT, JSONL -> Set.of();
        };
    }

    /// Whether programs that read the format understand a line for the key as exactly this key.
    ///
    /// @param zone the name of a response policy zone
    boolean canExpress(Key key, String zone) {
        String text = key.text();
        return switch (key.kind()) {
            case NETWORK -> true;
            case DOMAIN ->
                switch (this) {
                    // The last label before the name of the zone is the kind of trigger: 24.0.2.0.192.rpz-ip is a
                    // network.
                    case RPZ ->
                        isName(text)
                                && text.length() + "*..".length() + zone.length() <= Host.MAX_NAME_BYTES
                                && !text.substring(text.lastIndexOf('.') + 1).startsWith("rpz-");
                    // Names of one label are those of the machine itself and its neighbours.
                    case HOSTS ->
                        isName(text)
                                && text.indexOf('.') > 0
                                && !text.endsWith(".localhost")
                                && !text.endsWith(".localdomain");
                    case TXT ->
                        (isName(text)
                                || Host.parse(text)
                                        .filter(host -> host.kind() != HostKind.NAME)
                                        .isPresent());
                    case NGINX, JSONL -> true;
                };
            default -> this != TXT || isValue(text);
        };
    }

    /// Whether a host is a name in a zone or a hosts file. Labels may begin and end with a hyphen, as browsers
    /// look up such names too.
    private static boolean isName(String host) {
        int start = 0;
        for (int end = host.indexOf('.'); start <= host.length(); end = host.indexOf('.', start)) {
            int to = end < 0 ? host.length() : end;
            if (to == start || to - start > MAX_LABEL_BYTES) {
                return false;
            }
            start = to + 1;
        }
        IntPredicate digit = c -> c >= '0' && c <= '9';
        return host.chars().allMatch(c -> (c >= 'a' && c <= 'z') || digit.test(c) || c == '-' || c == '_' || c == '.')
                && !host.substring(host.lastIndexOf('.') + 1).chars().allMatch(digit);
    }

    /// Whether squid reads a line as one word, and not as a comment or quoted text.
    private static boolean isValue(String text) {
        return "#\"'".indexOf(text.charAt(0)) < 0 && text.chars().noneMatch(c -> c <= ' ' || c == 0x7f);
    }
}
