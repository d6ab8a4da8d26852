package org.bloomgate.server.nexthop;

/// The protocol of a next hop that is a server.
public enum NextHopDialect {
    SMTP("EHLO"),
    /// RFC 2033: after the final dot one reply for each accepted recipient.
    LMTP("LHLO");

    private final String hello;

    NextHopDialect(String hello) {
        this.hello = hello;
    }

    /// The command that lists the extensions.
    String hello() {
        return hello;
    }
}
