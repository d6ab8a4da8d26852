package org.bloomgate.lookup.dnsbl;

/// What a zone is queried for.
public enum ZoneKeys {
    /// Host names. An IP address instead of a host name is reversed.
    NAMES,
    /// IP addresses of clients.
    NETWORKS,
    /// The SHA-1 of mail addresses, in hexadecimal digits.
    SHA1,
    /// The SHA-256 of mail addresses or of files, in Base32 (RFC 4648, 6) without padding.
    SHA256
}
