package org.bloomgate.lists.fetch;

import org.bloomgate.base.config.Labelled;

/// The formats of feeds. The label is the value in `feeds.yaml`.
public enum FeedFormat implements Labelled {
    /// One domain, IP literal, address range, mail address, URL, password or SHA-256 per line.
    LINES,
    /// One network, range or address per line; also the output of `ipset save` and Spamhaus DROP.
    CIDR,
    /// `0.0.0.0 name [name..]`.
    HOSTS,
    /// Network rules of the form `||name^`.
    ADBLOCK,
    /// `*.name`.
    WILDCARD,
    /// `address=/name/`.
    DNSMASQ,
    /// `local-zone: "name" always_nxdomain`.
    UNBOUND,
    /// A response policy zone: `name CNAME .`.
    RPZ,
    /// `zone "name" { type primary; .. };` of named.conf.
    BIND,
    /// A `dnset` of rbldnsd; of kind `network` an `ip4set`, `ip4trie`, `ip6trie`.
    RBLDNSD,
    /// The column named by `column`.
    CSV,
    /// The values that `path` leads to.
    JSON,
    /// A STIX 2.1 bundle.
    STIX,
    /// An event of MISP, as JSON.
    MISP,
    /// One SHA-1 of 40 hex digits per line.
    SHA1,
    /// `SHA1:count`, in one file or in a folder of range files of `SUFFIX:count`, named by the first five digits.
    SHA1_COUNT,
    /// `NTLM:count`: 32 hex digits.
    NTLM_COUNT;

    /// Whether entries are digests with counts, which may also be in a folder of range files.
    boolean isCounted() {
        return this == SHA1_COUNT || this == NTLM_COUNT;
    }

    /// Whether `*.name` lists only the names below the name. In other formats it also lists the name itself.
    public boolean hasWildcardsBelow() {
        return this == ADBLOCK || this == RPZ || this == RBLDNSD;
    }

    /// Whether `*.name` has no meaning, as these formats have no wildcards.
    public boolean hasNoWildcards() {
        return this == HOSTS || this == UNBOUND || this == BIND;
    }

    public boolean isJson() {
        return this == JSON || this == STIX || this == MISP;
    }
}
