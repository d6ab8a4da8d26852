package org.bloomgate.content.links;

import org.bloomgate.content.html.Vocabulary;
import org.bloomgate.core.text.TextScan;

/// Links that lead to a share of another machine: Windows opens `file://host/share`, and `file:////host/share`
/// or `\\host\share` as a UNC path, and sends its user's credentials to that host. With three slashes, the link
/// leads to a local file.
final class FileLocation {
    private static final int SLASHES_OF_LOCAL_FILE = 3;

    private static final int MAX_SCHEME_CHARS = 31;

    private FileLocation() {}

    /// Returns such a link in the form `//host/share`, and any other link unchanged.
    static String withHost(String link) {
        if (Vocabulary.startsWithIgnoringCase(link, "http")) {
            return link;
        }
        int slashes = endOfScheme(link);
        int end = slashesEnd(link, slashes);
        if (end == slashes || !leadsToShare(link, slashes, end - slashes)) {
            return link;
        }
        int host = endOfDevice(link, end);
        int at = TextScan.next(link, host, c -> c == '@' || isSlash(c));
        int port = at > host && link.startsWith("@", at) ? endOfPort(link, at + 1) : at;
        boolean named = port > at + 1 && (port == link.length() || isSlash(link.charAt(port)));
        return "//" + (named ? link.substring(host, at) + link.substring(port) : link.substring(host));
    }

    /// The end of the scheme and its colon; 0 if there is none.
    private static int endOfScheme(String link) {
        int end = TextScan.end(
                link, 0, c -> TextScan.isLetter(c) || TextScan.isDigit(c) || c == '+' || c == '.' || c == '-');
        boolean scheme = end > 1 && end <= MAX_SCHEME_CHARS && TextScan.isLetter(link.charAt(0));
        return scheme && link.startsWith(":", end) ? end + 1 : 0;
    }

    /// @param scheme its length with the colon, 0 if there is none
    private static boolean leadsToShare(String link, int scheme, int slashes) {
        boolean file = scheme == "file:".length() && TextScan.hasWord(link, 0, "file:");
        return file ? slashes == 2 || slashes > SLASHES_OF_LOCAL_FILE : slashes > 1 && link.startsWith("\\\\", scheme);
    }

    /// The end of `?\UNC\` or `.\UNC\` at `from`, as in `\\?\UNC\host`; `from` if it is not there.
    private static int endOfDevice(String link, int from) {
        boolean device = (link.startsWith("?", from) || link.startsWith(".", from))
                && slashesEnd(link, from + 1) > from + 1
                && TextScan.hasWord(link, from + 2, "unc");
        int end = device ? slashesEnd(link, from + 5) : from;
        return end > from + 5 ? end : from;
    }

    /// The end of a port after the `@` of a host: a UNC path names the port of WebDAV as in `host@SSL`,
    /// `host@8080` or `host@SSL@8443`.
    private static int endOfPort(String link, int from) {
        int digits = TextScan.hasWord(link, from, "ssl") ? from + 4 : from;
        int end = TextScan.end(link, digits, TextScan::isDigit);
        boolean whole = digits == from || (end > digits && link.startsWith("@", from + 3));
        return whole ? end : from + 3;
    }

    private static int slashesEnd(String link, int from) {
        return TextScan.end(link, from, FileLocation::isSlash);
    }

    private static boolean isSlash(int c) {
        return c == '/' || c == '\\';
    }
}
