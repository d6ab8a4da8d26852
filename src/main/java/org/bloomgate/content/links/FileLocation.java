package org.bloomgate.content.links;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bloomgate.content.html.Vocabulary;
import org.jspecify.annotations.Nullable;

/// Links that lead to a share of another machine: a client of Windows opens `file://host/share`, and
/// `file:////host/share` or `\\host\share` for a UNC path, and hands its user's credentials to that host. Three
/// slashes lead to a file at home.
final class FileLocation {
    private static final int SLASHES_OF_HOME = 3;

    /// A scheme, if any, and slashes.
    private static final Pattern LINK = Pattern.compile("(?i)([a-z][a-z0-9+.-]{1,30}:)?([/\\\\]+)");

    /// `\\?\UNC\host`.
    private static final Pattern DEVICE = Pattern.compile("(?i)[?.][/\\\\]unc[/\\\\]+");

    /// `host@SSL`, `host@8080`, `host@SSL@8443`: so a UNC path names the port of WebDAV.
    private static final Pattern HOST_AND_PORT = Pattern.compile("(?i)([^@/\\\\]+)@(?:ssl(?:@\\d+)?|\\d+)(?![^/\\\\])");

    private FileLocation() {}

    /// The link as one that names its host, where it is such a link; else the link itself.
    static String withHost(String link) {
        if (Vocabulary.startsWithIgnoringCase(link, "http")) {
            return link;
        }
        Matcher parts = LINK.matcher(link);
        if (!parts.lookingAt() || !leadsToShare(parts.group(1), parts.group(2))) {
            return link;
        }
        Matcher device = DEVICE.matcher(link).region(parts.end(), link.length());
        int host = device.lookingAt() ? device.end() : parts.end();
        Matcher port = HOST_AND_PORT.matcher(link).region(host, link.length());
        return "//" + (port.lookingAt() ? port.group(1) + link.substring(port.end()) : link.substring(host));
    }

    /// @param scheme null if there is none
    private static boolean leadsToShare(@Nullable String scheme, String slashes) {
        return "file:".equalsIgnoreCase(scheme)
                ? slashes.length() == 2 || slashes.length() > SLASHES_OF_HOME
                : slashes.startsWith("\\\\");
    }
}
