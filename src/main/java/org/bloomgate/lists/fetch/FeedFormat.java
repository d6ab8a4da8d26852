package org.bloomgate.lists.fetch;

import java.util.Optional;

/// The formats of feeds. The label is the value in `feeds.yaml`.
public enum FeedFormat {
    /// One domain, IP literal, address range, mail address, URL, password or SHA-256 per line.
    LINES("lines"),
    /// One network, range or address per line; also the output of `ipset save` and Spamhaus DROP.
    CIDR("cidr"),
    /// `0.0.0.0 name [name..]`.
    HOSTS("hosts"),
    /// Network rules of the form `||name^`.
    ADBLOCK("adblock"),
    /// `*.name`.
    WILDCARD("wildcard"),
    /// `address=/name/`.
    DNSMASQ("dnsmasq"),
    /// `local-zone: "name" always_nxdomain`.
    UNBOUND("unbound"),
    /// A response policy zone: `name CNAME .`.
    RPZ("rpz"),
    /// `zone "name" { type primary; .. };` of named.conf.
    BIND("bind"),
    /// A `dnset` of rbldnsd; of kind `network` an `ip4set`, `ip4trie`, `ip6trie`.
    RBLDNSD("rbldnsd"),
    /// The column named by `column`.
    CSV("csv"),
    /// The values that `path` leads to.
    JSON("json"),
    /// A STIX 2.1 bundle.
    STIX("stix"),
    /// An event of MISP, as JSON.
    MISP("misp"),
    /// One SHA-1 of 40 hex digits per line.
    SHA1("sha1"),
    /// `SHA1:count`, in one file or in a folder of range files of `SUFFIX:count`, named by the first five digits.
    SHA1_COUNT("sha1-count"),
    /// `NTLM:count`: 32 hex digits.
    NTLM_COUNT("ntlm-count");

    private final String label;

    FeedFormat(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }

    /// Whether entries are digests with counts, which may also be in a folder of range files.
    boolean isCounted() {
        return this == SHA1_COUNT || this == NTLM_COUNT;
    }

    public boolean isJson() {
        return this == JSON || this == STIX || this == MISP;
    }

    public static Optional<FeedFormat> ofLabel(String label) {
        for (FeedFormat format : values()) {
            if (format.label.equals(label)) {
                return Optional.of(format);
            }
        }
        return Optional.empty();
    }
}
