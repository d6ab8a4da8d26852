package org.bloomgate.key;

/// The lookup keys of a URL: its expressions (host suffix x path prefix) and the domains of its host.
public final class UrlExpressions {
    private UrlExpressions() {}

    /// Appends the URL keys and the domain keys of the identifier begun last.
    public static void append(CanonicalUrl url, PublicSuffixes suffixes, KeyBatch batch) {
        DomainKeys.append(url.host(), suffixes, batch);
    }
}
