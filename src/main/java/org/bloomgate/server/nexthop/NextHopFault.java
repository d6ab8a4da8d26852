package org.bloomgate.server.nexthop;

import org.bloomgate.core.smtp.Reply;

/// The next hop cannot be used. The reply to the client is generic, the detail is for the log.
public final class NextHopFault extends Exception {
    private static final long serialVersionUID = 1;

    /// All but a loop are transient: nothing that goes wrong between two servers may bounce a message, and a
    /// message that goes round must stop.
    public enum Kind {
        /// No connection, or none that got as far as the reply to EHLO.
        UNREACHABLE("4.4.1", "Next hop not reachable, try again later"),
        /// Closed, answered 421, or fell silent in mid-session.
        LOST("4.4.2", "Connection to the next hop lost, try again later"),
        /// Said what SMTP does not allow.
        NONSENSE("4.3.0", "Next hop out of protocol, try again later"),
        /// Not its fault: the message could not be read, or holds a bare CR or LF.
        UNSENDABLE("4.3.0", "Message cannot be passed on, try again later"),
        /// It is this relay itself, or leads back to it.
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
    private final boolean offerBroken;

    NextHopFault(Kind kind, String detail) {
        this(kind, detail, false);
    }

    private NextHopFault(Kind kind, String detail, boolean offerBroken) {
        super(detail, null, false, false);
        this.kind = kind;
        this.detail = detail;
        this.offerBroken = offerBroken;
    }

    /// It offers STARTTLS and cannot do it.
    static NextHopFault ofTls(String detail) {
        return new NextHopFault(Kind.UNREACHABLE, detail, true);
    }

    /// Whether it may do without TLS.
    boolean offerBroken() {
        return offerBroken;
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
