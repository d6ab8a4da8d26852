package org.bloomgate.server.nexthop;

import org.bloomgate.core.smtp.Reply;

/// The next hop cannot be used. The reply to the client is generic, the detail is for the log.
public final class NextHopFault extends Exception {
    private static final long serialVersionUID = 1;

    /// The kinds of faults. All but a loop are transient: a fault between two servers may not bounce a message,
    /// but a message in a loop must be stopped.
    public enum Kind {
        /// No connection, or it ended before the reply to EHLO.
        UNREACHABLE("4.4.1", "Next hop not reachable, try again later"),
        /// The server closed the connection, answered 421, or did not answer in time.
        LOST("4.4.2", "Connection to the next hop lost, try again later"),
        /// The server violated the SMTP protocol.
        NONSENSE("4.3.0", "Next hop out of protocol, try again later"),
        /// The message could not be read, or has a bare CR or LF; not a fault of the server.
        UNSENDABLE("4.3.0", "Message cannot be passed on, try again later"),
        /// The next hop is this relay itself, or leads back to it.
        LOOP("5.4.6", "Routing loop detected");

        private final String enhanced;
        private final String text;

        Kind(String enhanced, String text) {
            this.enhanced = enhanced;
            this.text = text;
        }
    }

    private final Kind kind;
    private final String detail;
    private final boolean tlsFailure;

    NextHopFault(Kind kind, String detail) {
        this(kind, detail, false);
    }

    private NextHopFault(Kind kind, String detail, boolean tlsFailure) {
        super(detail, null, false, false);
        this.kind = kind;
        this.detail = detail;
        this.tlsFailure = tlsFailure;
    }

    /// The server offers STARTTLS, but it failed.
    static NextHopFault ofTls(String detail) {
        return new NextHopFault(Kind.UNREACHABLE, detail, true);
    }

    /// True if the connection may succeed without TLS.
    boolean isTlsFailure() {
        return tlsFailure;
    }

    Kind kind() {
        return kind;
    }

    /// The reply to the client.
    Reply reply() {
        return Reply.of(kind.enhanced.startsWith("5") ? 554 : 451, kind.enhanced, kind.text);
    }

    /// The text for the log.
    String detail() {
        return detail;
    }
}
