package org.bloomgate.server.nexthop;

/// Whether STARTTLS (RFC 3207) is used towards the next hop.
public enum NextHopTls {
    /// In the clear.
    NONE("none"),
    /// Encrypted when offered, anyone who answers: the certificate is not looked at.
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
