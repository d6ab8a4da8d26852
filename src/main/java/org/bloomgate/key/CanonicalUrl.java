package org.bloomgate.key;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// A URL in the canonical form that feeds and mail share: `scheme://host/path[?query]`.
public final class CanonicalUrl {
    private final Host host;

    private CanonicalUrl(Host host) {
        this.host = host;
    }

    /// Empty when the text names no host: an opaque scheme, a relative reference, nothing at all.
    public static Optional<CanonicalUrl> parse(String text) {
        return Host.parse(text).map(CanonicalUrl::new);
    }

    /// The same for octets, which need not be valid UTF-8.
    public static Optional<CanonicalUrl> parse(byte[] octets, int from, int to) {
        return parse(new String(octets, from, to - from, StandardCharsets.UTF_8));
    }

    public Host host() {
        return host;
    }

    /// The canonical URL.
    public String text() {
        return host.text();
    }
}
