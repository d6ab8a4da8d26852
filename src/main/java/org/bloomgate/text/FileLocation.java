package org.bloomgate.text;

/// `file:` links that lead to another machine: a client of Windows opens `file://host/share`, and
/// `file:////host/share` for a UNC path, and hands its user's credentials to that host. Three slashes
/// lead to a file at home.
final class FileLocation {
    private static final String SCHEME = "file:";
    private static final int SLASHES_OF_HOME = 3;

    private FileLocation() {}

    /// The link as one that names its host, where it is such a link; else the link itself.
    static String withHost(String link) {
        if (!link.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return link;
        }
        int host = SCHEME.length();
        while (host < link.length() && RawLinks.isSlash(link.charAt(host))) {
            host++;
        }
        int slashes = host - SCHEME.length();
        return slashes == 2 || slashes > SLASHES_OF_HOME ? "//" + link.substring(host) : link;
    }
}
