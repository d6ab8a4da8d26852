package org.bloomgate.lists.format;

import java.util.regex.Pattern;
import org.bloomgate.core.key.FeedKind;

/// Recognises values of lists that mix kinds of indicators, as ThreatFox and MISP export them: names,
/// addresses, URLs and digests in one column, of which a feed uses those of its kind.
final class OtherKind {
    private static final Pattern DIGEST = Pattern.compile("(?:[0-9A-Fa-f]{32}|[0-9A-Fa-f]{40}|[0-9A-Fa-f]{64})");
    private static final Pattern URL = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://\\S+");
    private static final Pattern NAME = Pattern.compile("(?:[A-Za-z0-9_-]+\\.)+[A-Za-z][A-Za-z0-9-]*(?::\\d{1,5})?");
    private static final Pattern ADDRESS = Pattern.compile("(?:\\d{1,3}\\.){3}\\d{1,3}(?::\\d{1,5})?");

    /// A longer value is not a name or digest, and the beginning of a URL is enough.
    private static final int MAX_CHARS = 300;

    private OtherKind() {}

    /// Whether a value that is not a key of the feed is an indicator of another kind.
    static boolean is(FeedKind feed, String value) {
        String text = value.length() > MAX_CHARS ? value.substring(0, MAX_CHARS) : value;
        return switch (feed) {
            case DOMAIN, URL, AUTO, ADDRESS -> matches(text, DIGEST);
            case NETWORK -> matches(text, DIGEST, URL, NAME);
            case HASH -> matches(text, DIGEST, URL, NAME, ADDRESS);
            default -> false;
        };
    }

    private static boolean matches(String text, Pattern... patterns) {
        for (Pattern pattern : patterns) {
            if (pattern.matcher(text).matches()) {
                return true;
            }
        }
        return false;
    }
}
