package org.bloomgate.base.net;

/// The heap that is reserved for one connected client of a listener, without the bodies and messages that it
/// sends. Measured after a full collection, with hundreds of clients: 6 KiB an SMTP session, 19 with TLS, 22 a
/// DNS connection, 52 an HTTP connection with 15 KB of header fields. The figures here are above that.
public enum ClientCost {
    /// A session without TLS, its thread and its buffer for commands.
    SMTP_SESSION(16),

    /// What TLS adds to it: buffers of the JDK for both directions.
    SMTP_TLS(64),

    /// A session while it sends a message: the block that it is read through.
    SMTP_READING(48),

    /// A connection with a buffer for the longest chunk of a body.
    MILTER_CONNECTION(96),

    /// A TCP connection; datagrams reserve nothing.
    DNS_CONNECTION(24),

    /// A connection with the longest header fields.
    HTTP_CONNECTION(64),

    /// What TLS adds to it.
    HTTP_TLS(64);

    private final int kibibytes;

    ClientCost(int kibibytes) {
        this.kibibytes = kibibytes;
    }

    public long bytes() {
        return kibibytes * 1024L;
    }
}
