package org.bloomgate.server.dns;

/// The response codes in use (RFC 1035, RFC 6891).
enum Rcode {
    NOERROR(0),
    FORMERR(1),
    SERVFAIL(2),
    NXDOMAIN(3),
    NOTIMP(4),
    REFUSED(5),
    /// Twelve bits long: the upper eight are in the OPT record.
    BADVERS(16);

    private final int code;

    Rcode(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }
}
