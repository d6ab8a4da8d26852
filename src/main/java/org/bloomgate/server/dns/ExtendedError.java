package org.bloomgate.server.dns;

import java.nio.charset.StandardCharsets;

/// The reason for a failed answer (RFC 8914), for a client that supports EDNS.
enum ExtendedError {
    NONE(-1, ""),
    /// The newest snapshot is too old to be used.
    STALE(3, "the list is too old"),
    /// There is no snapshot, or the exact tier did not answer.
    NOT_READY(14, "cannot say now"),
    /// The client is not in `dns.clients`.
    PROHIBITED(18, "not for this client"),
    /// The name is in none of the zones.
    NOT_AUTHORITATIVE(20, "not a zone here"),
    /// Zone transfers.
    NOT_SUPPORTED(21, "no transfers");

    private final int code;

    @SuppressWarnings("ImmutableEnumChecker")
    private final byte[] text;

    ExtendedError(int code, String text) {
        this.code = code;
        this.text = text.getBytes(StandardCharsets.US_ASCII);
    }

    int code() {
        return code;
    }

    /// Shared, not to be changed.
    byte[] text() {
        return text;
    }
}
