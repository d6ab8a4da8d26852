package org.bloomgate.key;

/// The domain keys of a host: itself and every parent down to the registrable domain; an IP address only itself.
public final class DomainKeys {
    private DomainKeys() {}

    /// Appends to the identifier begun last; nothing for a bare public suffix.
    public static void append(Host host, PublicSuffixes suffixes, KeyBatch batch) {
        if (!suffixes.isPublicSuffix(host)) {
            batch.append(host.text()).endKey(KeyKind.DOMAIN, true);
        }
    }
}
