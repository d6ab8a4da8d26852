package org.bloomgate.core.url;

import java.util.Collection;

/// Finds the target of `http://a.example%2Fx/`: an escape in the authority ends the host for clients that undo
/// escapes before they split the URL. For other clients it is a part of the name.
final class EscapedAuthority {
    private static final String DELIMITERS = "/\\?#";

    private EscapedAuthority() {}

    static void collect(String link, Collection<String> targets) {
        int start = EmbeddedUrl.authorityStart(link, link.length());
        int end = start;
        while (end < link.length() && DELIMITERS.indexOf(link.charAt(end)) < 0) {
            end++;
        }
        String authority = link.substring(start, end);
        String decoded = authority.indexOf('%') < 0 ? authority : EmbeddedUrl.decode(authority);
        for (int i = 0; i < decoded.length(); i++) {
            if (DELIMITERS.indexOf(decoded.charAt(i)) >= 0) {
                targets.add(link.substring(0, start) + decoded + link.substring(end));
                return;
            }
        }
    }
}
