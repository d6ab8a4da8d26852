package org.bloomgate.server.smtp;

/// When TLS begins on a listener.
public enum TlsMode {
    /// Never.
    NONE,
    /// On the client's request (RFC 3207).
    STARTTLS,
    /// Before the first byte of SMTP (RFC 8314 3.3), as on port 465.
    IMPLICIT
}
