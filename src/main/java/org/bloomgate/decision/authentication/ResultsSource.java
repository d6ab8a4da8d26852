package org.bloomgate.decision.authentication;

/// Where a message comes from, which decides whether its Authentication-Results fields count (RFC 8601 section 5).
public enum ResultsSource {
    /// Anyone: none of the fields counts.
    STRANGER(0),
    /// A trusted relay, which puts its own Received field on top: fields above the second one count.
    TRUSTED_RELAY(2),
    /// The operator's mail server, whose own Received field the milter does not see: fields above the first one
    /// count.
    OWN_MAIL_SERVER(1);

    private final int received;

    ResultsSource(int received) {
        this.received = received;
    }

    /// The number of the Received field from which on fields were written by earlier hops; 0 if none counts.
    int received() {
        return received;
    }
}
