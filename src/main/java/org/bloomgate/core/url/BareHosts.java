package org.bloomgate.core.url;

import java.util.Collection;
import java.util.HexFormat;
import java.util.Set;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.text.TextScan;

/// Finds possible targets without a scheme inside a link: `?u=www.a.example`, `?u=a.example/x`, `/a.example/x`.
/// The caller, which knows the top-level domains, decides whether they are hosts.
final class BareHosts {
    /// Parameters in which a host without a path counts; elsewhere it needs a path, because file names have
    /// dots too.
    private static final Set<String> TARGETS = Set.of(
            "u",
            "url",
            "uri",
            "link",
            "to",
            "target",
            "dest",
            "destination",
            "redirect",
            "redir",
            "r",
            "goto",
            "go",
            "q",
            "next",
            "continue",
            "return",
            "returnurl",
            "out",
            "href",
            "site",
            "domain");

    /// Characters that may be before a host in a path: `/\a.example`, `@a.example`.
    private static final AsciiSet BEFORE_HOST = AsciiSet.of("/\\@");

    /// The length of `a.bc`.
    private static final int SHORTEST = 4;

    private BareHosts() {}

    static void collect(String link, Collection<String> hosts) {
        String path = inPath(link);
        if (!path.isEmpty()) {
            hosts.add(path);
        }
        int question = link.indexOf('?');
        int start = question + 1;
        for (int i = start; question >= 0 && i <= link.length(); i++) {
            if (i == link.length() || link.charAt(i) == '&' || link.charAt(i) == ';' || link.charAt(i) == '#') {
                if (i - start >= SHORTEST && !parameter(link, start, i, hosts)) {
                    String decoded = EmbeddedUrl.decode(link.substring(start, i));
                    parameter(decoded, 0, decoded.length(), hosts);
                }
                start = i + 1;
            }
        }
    }

    /// Adds a decoded value if it is a host, with a path or without.
    static void whole(String value, Collection<String> hosts) {
        int end = endOfHost(value, 0, value.length());
        boolean delimited = end == value.length() || "/:?#".indexOf(value.charAt(end)) >= 0;
        if (delimited && containsDot(value, 0, end)) {
            hosts.add(value);
        }
    }

    /// @return false if the parameter is to be read again without its escapes, because they hide characters of
    /// a host
    private static boolean parameter(String link, int from, int to, Collection<String> hosts) {
        int equals = link.indexOf('=', from, to);
        boolean hasName = equals >= 0;
        int value = hasName ? equals + 1 : from;
        int host = value;
        while (host < to && BEFORE_HOST.has(link.charAt(host))) {
            host++;
        }
        int end = endOfHost(link, host, to);
        char escaped = escaped(link, end, to);
        if (escaped == '.' || (host == end && BEFORE_HOST.has(escaped))) {
            return false;
        }
        if (!containsDot(link, host, end)) {
            return true;
        }
        boolean whole = end == to;
        boolean path = !whole && "/%:\\".indexOf(link.charAt(end)) >= 0;
        boolean www = link.regionMatches(true, host, "www.", 0, 4);
        if (path || www || (whole && hasName && isTarget(link.substring(from, equals)))) {
            hosts.add(EmbeddedUrl.decode(link.substring(host, to)));
        }
        return true;
    }

    /// The character of a percent escape at this position; 0 if there is none.
    private static char escaped(String link, int at, int to) {
        boolean escape = at + 2 < to
                && link.charAt(at) == '%'
                && HexFormat.isHexDigit(link.charAt(at + 1))
                && HexFormat.isHexDigit(link.charAt(at + 2));
        return escape ? (char) HexFormat.fromHexDigits(link, at + 1, at + 3) : 0;
    }

    private static boolean isTarget(String parameter) {
        return TARGETS.contains(TextForms.lowerCase(parameter));
    }

    /// The URL that the path begins with, if it has a dot and a path of its own; empty for most links.
    static String inPath(String link) {
        int path = TextScan.end(link, EmbeddedUrl.pathStart(link, link.length()) + 1, c -> c == '/' || c == '\\');
        int end = endOfHost(link, path, link.length());
        boolean directory = end < link.length() && link.charAt(end) == '/';
        return directory && containsDot(link, path, end) ? link.substring(path) : "";
    }

    private static int endOfHost(String link, int from, int to) {
        int end = from;
        while (end < to && (Character.isLetterOrDigit(link.charAt(end)) || "-._".indexOf(link.charAt(end)) >= 0)) {
            end++;
        }
        return end;
    }

    private static boolean containsDot(String link, int from, int to) {
        int dot = link.indexOf('.', from, Math.max(from, to));
        return dot > from && dot + 2 < to;
    }
}
