package org.bloomgate.server.nexthop;

/// Whether STARTTLS (RFC 3207) is used towards the next hop.
public enum NextHopTls {
    /// Without TLS.
    NONE("none"),
    /// Encrypted if offered; the certificate is not checked.
    OPPORTUNISTIC("opportunistic"),
    /// Encrypted with a trusted certificate for the configured host name, or not at all.
    REQUIRED("required");

    private final String label;

    NextHopTls(String label) {
        this.label = label;
    }

    /// The word in the configuration.
    public String label() {
        return label;
    }
}
