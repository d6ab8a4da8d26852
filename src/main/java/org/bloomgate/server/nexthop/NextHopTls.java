package org.bloomgate.server.nexthop;

import org.bloomgate.base.config.Labelled;

/// Whether STARTTLS (RFC 3207) is used towards the next hop.
public enum NextHopTls implements Labelled {
    /// Without TLS.
    NONE,
    /// Encrypted if offered; the certificate is not checked.
    OPPORTUNISTIC,
    /// Encrypted with a trusted certificate for the configured host name, or not at all.
    REQUIRED
}
