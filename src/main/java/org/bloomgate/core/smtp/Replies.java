package org.bloomgate.core.smtp;

import java.util.List;

/// Bloomgate's own replies. They never contain text that a client sent, and never reveal the list that decided.
public final class Replies {
    public static final Reply OK = Reply.of(250, "2.0.0", "Ok");
    public static final Reply SENDER_OK = Reply.of(250, "2.1.0", "Ok");
    public static final Reply BYE = Reply.of(221, "2.0.0", "Bye");
    public static final Reply HELP = Reply.of(214, "2.0.0", "See RFC 5321");
    public static final Reply CANNOT_VERIFY = Reply.of(252, "2.5.0", "Cannot verify, send some mail");
    public static final Reply START_TLS = Reply.of(220, "2.0.0", "Ready to start TLS");
    public static final Reply START_MAIL = new Reply(354, List.of("End data with <CR><LF>.<CR><LF>"));

    public static final Reply UNKNOWN_COMMAND = Reply.of(500, "5.5.1", "Unknown command");
    public static final Reply NOT_IMPLEMENTED = Reply.of(502, "5.5.1", "Command not implemented");
    public static final Reply NO_TLS = Reply.of(502, "5.5.1", "TLS not available");
    public static final Reply NO_MEMORY_FOR_TLS = Reply.of(454, "4.7.0", "TLS not available for now");
    public static final Reply TLS_ACTIVE = Reply.of(503, "5.5.1", "TLS already active");
    public static final Reply LINE_TOO_LONG = Reply.of(500, "5.5.2", "Line too long");
    public static final Reply BARE_LINE_END = Reply.of(500, "5.5.2", "Lines end with CRLF");
    public static final Reply BARE_LINE_END_IN_MESSAGE = Reply.of(550, "5.5.2", "Message holds a bare CR or LF");
    public static final Reply SYNTAX = Reply.of(501, "5.5.4", "Syntax error in parameters or arguments");
    static final Reply UNKNOWN_PARAMETER = Reply.of(555, "5.5.4", "Parameter not recognized or not offered");
    static final Reply NON_ASCII_ADDRESS = Reply.of(553, "5.6.7", "Non-ASCII address needs SMTPUTF8");
    public static final Reply GREET_FIRST = Reply.of(503, "5.5.1", "Send HELO or EHLO first");
    public static final Reply NESTED_MAIL = Reply.of(503, "5.5.1", "Sender already given");
    public static final Reply NEED_MAIL = Reply.of(503, "5.5.1", "Need MAIL first");
    public static final Reply NEED_RCPT = Reply.of(503, "5.5.1", "Need RCPT first");
    public static final Reply IN_CHUNKS = Reply.of(503, "5.5.1", "Message comes in chunks, RSET first");
    public static final Reply NOT_TRUSTED = Reply.of(550, "5.7.0", "Insufficient authorization");
    public static final Reply IN_TRANSACTION = Reply.of(503, "5.5.1", "Mail transaction in progress");
    public static final Reply TOO_MANY_ERRORS = Reply.of(421, "4.7.0", "Too many errors");
    public static final Reply TOO_OFTEN = Reply.of(421, "4.7.0", "Too many messages from your network");
    public static final Reply TOO_MANY_IDLE = Reply.of(421, "4.7.0", "Too many commands without a message");
    public static final Reply TOO_MANY_REFUSED = Reply.of(421, "4.7.0", "Too many recipients were refused");
    public static final Reply TOO_MANY_TRANSACTIONS =
            Reply.of(451, "4.7.0", "Too many transactions from your address at once");
    public static final Reply CLOSING = Reply.of(421, "4.3.2", "Service shutting down");
    public static final Reply TIMEOUT = Reply.of(421, "4.4.2", "Timeout");
    public static final Reply LOCAL_ERROR = Reply.of(451, "4.3.0", "Local error in processing");

    public static final Reply TOO_BUSY = Reply.of(451, "4.3.2", "Too busy to check the message");

    public static final Reply REPORTS_FULL = Reply.of(452, "4.3.1", "Too many reports, try again later");

    public static final Reply OFFER_CHANGED =
            Reply.of(451, "4.3.0", "Offered extensions have changed, send EHLO and try again");

    /// Instead of a greeting.
    public static final Reply REFUSED_AT_CONNECT = Reply.of(554, "5.7.1", "Refused by policy");

    /// Instead of a greeting, like the reply of the pregreet test of Postfix's postscreen.
    public static final Reply TOO_EARLY = Reply.of(521, "5.5.1", "Protocol error");

    public static final Reply RELAY_DENIED = Reply.of(554, "5.7.1", "Relay access denied");
    public static final Reply ROUTED_LOCAL_PART = Reply.of(550, "5.7.1", "Routes in a local part are not relayed");
    public static final Reply TOO_MANY_RECIPIENTS = Reply.of(452, "4.5.3", "Too many recipients");
    public static final Reply TOO_MANY_NEW_RECIPIENTS =
            Reply.of(451, "4.7.1", "Too many new recipients (newRecipients), try again later");
    public static final Reply TOO_LARGE = Reply.of(552, "5.3.4", "Message size exceeds fixed limit");
    public static final Reply DISK_FULL = Reply.of(452, "4.3.1", "Insufficient system storage");
    public static final Reply LOOP = Reply.of(554, "5.4.6", "Too many hops");

    /// For a fault in the program; the session ends, because its state is unknown.
    public static final Reply LOCAL_FAULT = Reply.of(421, "4.3.0", "Local error in processing");

    private Replies() {}

    /// The greeting at the start and after XCLIENT.
    public static Reply greeting(String hostname) {
        return new Reply(220, List.of(hostname + " ESMTP Bloomgate"));
    }

    public static Reply chunkTaken(long bytes) {
        return Reply.of(250, "2.0.0", bytes + " bytes taken");
    }

    /// The reply for a message that the next hop refused for good for some of its recipients and not for others.
    /// A client that sends it again is answered for each recipient alone.
    ///
    /// @param code of the refusal
    public static Reply differing(int code) {
        return Reply.of(451, "4.5.3", "Refused for some of the recipients (" + code + "), try again");
    }

    /// The reply for a message in the quarantine.
    public static Reply kept(String token) {
        return Reply.of(250, "2.0.0", "Ok: kept as " + token);
    }

    /// @param text as configured
    public static Reply refused(String text) {
        return Reply.of(550, "5.7.1", text);
    }

    public static Reply deferred(String token) {
        return Reply.of(451, "4.7.1", "Message deferred by policy, token " + token);
    }

    /// The reply for a message that could not be checked completely and in which nothing was found: this is our
    /// fault, not that of the message.
    public static Reply unchecked(String token) {
        return Reply.of(451, "4.3.0", "Temporarily unable to check the message, token " + token);
    }
}
