package org.bloomgate.server.smtp;

/// How TLS comes about on a listener.
public enum TlsMode {
    /// Not at all.
    NONE,
    /// On the client's request (RFC 3207).
    STARTTLS,
    /// Before the first byte of SMTP (RFC 8314 3.3), as on port 465.
    IMPLICIT
}
