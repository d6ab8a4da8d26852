package org.bloomgate.core.url;

import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.text.TextScan;

/// Services that show pages of other sites under their own name: translators, caches, archives, content
/// gateways, and names that contain addresses. The original host and path are part of their URLs.
final class ForeignHosts {
    static final List<String> MARKS = List.of(
            ".translate.goog",
            "ampproject.",
            "bing-amp.",
            "archive.",
            "webcache.",
            ".ipfs.",
            ".ipns.",
            ".nip.io",
            ".sslip.io");

    /// The first characters of the marks, in both cases.
    private static final AsciiSet FIRST_OF_MARKS = firstOfMarks();

    /// Names that resolve to the address in them: `a.192.0.2.1.nip.io`, `a-192-0-2-1.sslip.io`,
    /// `c0000201.nip.io`.
    private static final Pattern ADDRESS = Pattern.compile(
            "(?<![0-9a-z])(?:(\\d{1,3})([.-])(\\d{1,3})\\2(\\d{1,3})\\2(\\d{1,3})|([0-9a-f]{8}))(?![0-9a-z])");

    private static final String CACHED = "q=cache:";

    private ForeignHosts() {}

    private static AsciiSet firstOfMarks() {
        String first = MARKS.stream().map(mark -> mark.substring(0, 1)).collect(Collectors.joining());
        return AsciiSet.of(first + TextForms.upperCase(first));
    }

    /// Whether the path identifies content at a gateway.
    ///
    /// @param path the start of the path in the link
    static boolean isContent(String link, int path) {
        return link.startsWith("/ipfs/", path) || link.startsWith("/ipns/", path);
    }

    /// Whether one of the marks begins before `end`, in any case.
    static boolean isMarked(String link, int end) {
        for (int i = 0; i < end; i++) {
            if (FIRST_OF_MARKS.has(link.charAt(i)) && isMarkAt(link, i)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isMarkAt(String link, int at) {
        int second = at + 1 < link.length() ? link.charAt(at + 1) | 0x20 : 0;
        for (String mark : MARKS) {
            if (mark.charAt(1) == second && link.regionMatches(true, at, mark, 0, mark.length())) {
                return true;
            }
        }
        return false;
    }

    /// @param host lower-case
    /// @param rest path and query of the link
    static void collect(String host, String rest, Collection<String> targets) {
        if (host.endsWith(".translate.goog")) {
            targets.add("https://" + undashed(host.substring(0, host.indexOf(".translate.goog"))) + rest);
        } else if (host.endsWith(".ampproject.org") || host.endsWith("ampproject.net") || host.contains("bing-amp.")) {
            amp(rest, targets);
        } else if (host.contains("archive.")) {
            archived(rest, targets);
        } else if (host.startsWith("webcache.")) {
            cached(rest, targets);
        } else if (host.endsWith(".nip.io") || host.endsWith(".sslip.io")) {
            address(host, rest, targets);
        } else {
            gateway(host, rest, targets);
        }
    }

    /// Adds the target of `/c/s/host/path`, with a letter for the kind of page, and `s` for https.
    private static void amp(String rest, Collection<String> targets) {
        boolean page = rest.length() > 2 && rest.charAt(0) == '/' && isLower(rest.charAt(1)) && rest.charAt(2) == '/';
        int host = rest.startsWith("s/", 3) ? 5 : 3;
        if (page && isDotted(rest, host)) {
            targets.add("https://" + rest.substring(host));
        }
    }

    /// Adds the target of `/web/20200101000000if_/host/path` or `/o/AbC12/host/path`; a target with a scheme is
    /// found like any URL. A site may be called `web` or `o`.
    private static void archived(String rest, Collection<String> targets) {
        int web = rest.startsWith("/web/") ? 5 : 1;
        int date = rest.startsWith("o/", web) ? web + 2 : web;
        for (int from : rest.startsWith("/") ? new int[] {date, web, 1} : new int[0]) {
            int slash = TextScan.next(rest, from, ForeignHosts::endsSegment);
            if (slash > from && rest.startsWith("/", slash) && isDotted(rest, slash + 1)) {
                targets.add("https://" + rest.substring(slash + 1));
                return;
            }
        }
    }

    /// Adds the target of `?q=cache:AbC12:host/path`, also without the identifier of the copy.
    private static void cached(String rest, Collection<String> targets) {
        for (int at = rest.indexOf(CACHED); at >= 0; at = rest.indexOf(CACHED, at + 1)) {
            if (at > 0 && "?&".indexOf(rest.charAt(at - 1)) >= 0) {
                int from = at + CACHED.length();
                int colon = TextScan.next(rest, from, c -> c == ':' || c == '/' || c == '&');
                int copy = rest.startsWith(":", colon) && valueEnd(rest, colon + 1) > colon + 1 ? colon + 1 : from;
                int end = valueEnd(rest, copy);
                if (end > copy) {
                    targets.add("http://" + EmbeddedUrl.decode(rest.substring(copy, end)));
                    return;
                }
            }
        }
    }

    private static int valueEnd(String rest, int from) {
        return TextScan.next(rest, from, c -> c == '&' || c == '+');
    }

    private static boolean endsSegment(int c) {
        return c == '/' || c == '?' || c == '#';
    }

    /// Whether the segment of a path has a dot that is not its first character.
    private static boolean isDotted(String rest, int from) {
        int end = TextScan.next(rest, from, ForeignHosts::endsSegment);
        return end > from && rest.indexOf('.', from + 1, end) >= 0;
    }

    private static boolean isLower(char c) {
        return c >= 'a' && c <= 'z';
    }

    /// Adds the address in a name; a name that is too long for DNS has no address.
    private static void address(String host, String rest, Collection<String> targets) {
        Matcher name = ADDRESS.matcher(host);
        if (host.length() <= Host.MAX_NAME_BYTES && name.find()) {
            String hexadecimal = name.group(6);
            targets.add("http://"
                    + (hexadecimal == null
                            ? String.join(".", name.group(1), name.group(3), name.group(4), name.group(5))
                            : "0x" + hexadecimal)
                    + rest);
        }
    }

    /// Adds the target of a content gateway: a name (DNSLink) is the target itself; content with a digest is
    /// available at all common gateways; a digest in the old form has capitals, which a host name cannot have.
    private static void gateway(String host, String rest, Collection<String> targets) {
        int name =
                Math.max(host.lastIndexOf(".ipfs.", host.length() - 7), host.lastIndexOf(".ipns.", host.length() - 7));
        int end = isContent(rest, 0) ? TextScan.next(rest, 6, ForeignHosts::endsSegment) : 0;
        if (name > 0) {
            content(host.substring(0, name), rest, targets);
        } else if (end > 6) {
            content(rest.substring(6, end), rest.substring(end), targets);
        }
    }

    private static void content(String content, String rest, Collection<String> targets) {
        String path = rest.startsWith("/") ? rest : '/' + rest;
        if (content.indexOf('.') >= 0) {
            targets.add("https://" + content + path);
        } else if (content.indexOf('-') >= 0) {
            targets.add("https://" + undashed(content) + path);
        } else {
            targets.add("https://ipfs.io/ipfs/" + content + path);
            if (content.equals(TextForms.lowerCase(content))) {
                targets.add("https://" + content + ".ipfs.dweb.link" + path);
            }
        }
    }

    /// The host of a label in which `-` stands for a dot and `--` for a hyphen.
    private static String undashed(String label) {
        return label.replace("--", "\u0000").replace('-', '.').replace('\u0000', '-');
    }
}
