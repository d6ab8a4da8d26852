package org.bloomgate.core.url;

import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.bloomgate.core.text.TextForms;

/// Services that show other sites' pages under their own name: translators, caches, archives, content gateways,
/// and names that contain addresses. The page's own host and path are part of theirs. The end of a pattern
/// matches any character, also a line end: if it could stop early, the sender could have it tried at each dot
/// of the link.
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

    /// In capitals or not.
    private static final AsciiSet FIRST_OF_MARKS = firstOfMarks();

    /// `/c/s/host/path`: a letter for the kind of page, `s` for https.
    private static final Pattern AMP = Pattern.compile("(?s)/[a-z]/(s/)?([^/?#]+\\..*)");

    /// `/web/20200101000000if_/host/path`, `/o/AbC12/host/path`; with a scheme it is found as any URL is.
    private static final Pattern ARCHIVED = Pattern.compile("(?s)/(?:web/)?(?:o/)?[^/?#]+/([^/?#]+\\..*)");

    private static final Pattern CACHED = Pattern.compile("[?&]q=cache:(?:[^:/&]*:)?([^&+]+)");

    private static final Pattern GATEWAY_NAME = Pattern.compile("(.+)\\.ip[fn]s\\.[^/]+");
    private static final Pattern GATEWAY_PATH = Pattern.compile("(?s)/ip[fn]s/([^/?#]+)(.*)");

    /// Names that lead to the address within: `a.192.0.2.1.nip.io`, `a-192-0-2-1.sslip.io`, `c0000201.nip.io`.
    private static final Pattern ADDRESS = Pattern.compile(
            "(?<![0-9a-z])(?:(\\d{1,3})([.-])(\\d{1,3})\\2(\\d{1,3})\\2(\\d{1,3})|([0-9a-f]{8}))(?![0-9a-z])");

    private ForeignHosts() {}

    private static AsciiSet firstOfMarks() {
        String first = MARKS.stream().map(mark -> mark.substring(0, 1)).collect(Collectors.joining());
        return AsciiSet.of(first + TextForms.upperCase(first));
    }

    /// True for a path that names content at a gateway.
    ///
    /// @param path where it begins in the link
    static boolean isContent(String link, int path) {
        return link.startsWith("/ipfs/", path) || link.startsWith("/ipns/", path);
    }

    /// True when one of the marks begins before `end`, in capitals or not.
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
            add(AMP.matcher(rest), 2, targets);
        } else if (host.contains("archive.")) {
            add(ARCHIVED.matcher(rest), 1, targets);
        } else if (host.startsWith("webcache.")) {
            Matcher cached = CACHED.matcher(rest);
            if (cached.find()) {
                targets.add("http://" + EmbeddedUrl.decode(cached.group(1)));
            }
        } else if (host.endsWith(".nip.io") || host.endsWith(".sslip.io")) {
            address(ADDRESS.matcher(host), rest, targets);
        } else {
            gateway(host, rest, targets);
        }
    }

    private static void add(Matcher path, int group, Collection<String> targets) {
        if (path.matches()) {
            targets.add("https://" + path.group(group));
        }
    }

    private static void address(Matcher name, String rest, Collection<String> targets) {
        if (name.find()) {
            String hexadecimal = name.group(6);
            targets.add("http://"
                    + (hexadecimal == null
                            ? String.join(".", name.group(1), name.group(3), name.group(4), name.group(5))
                            : "0x" + hexadecimal)
                    + rest);
        }
    }

    /// A name (DNSLink) is what it is a gateway to; content is known by its digest at any of the common
    /// gateways; a digest of the old form has capitals, which no host name keeps.
    private static void gateway(String host, String rest, Collection<String> targets) {
        Matcher name = GATEWAY_NAME.matcher(host);
        Matcher path = GATEWAY_PATH.matcher(rest);
        if (name.matches()) {
            content(name.group(1), rest, targets);
        } else if (path.matches()) {
            content(path.group(1), path.group(2), targets);
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

    /// `-` means a dot and `--` a hyphen.
    private static String undashed(String label) {
        return label.replace("--", "\u0000").replace('-', '.').replace('\u0000', '-');
    }
}
