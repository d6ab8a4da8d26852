package org.bloomgate.smtp;

import java.net.InetAddress;

/// The client of a session as a transaction sees it.
///
/// @param helo the argument of HELO or EHLO
/// @param extended true after EHLO
/// @param tls protocol and cipher suite, empty in the clear
record Client(InetAddress address, int port, String helo, boolean extended, String tls) {

    /// The address in text, without an IPv6 zone.
    String addressText() {
        String text = address.getHostAddress();
        int zone = text.indexOf('%');
        return zone < 0 ? text : text.substring(0, zone);
    }

    /// The value of the Received field's "with" clause (RFC 3848, RFC 6531 3.7.3).
    String protocol(boolean smtpUtf8) {
        if (!extended) {
            return "SMTP";
        }
        String secure = tls.isEmpty() ? "" : "S";
        return (smtpUtf8 ? "UTF8SMTP" : "ESMTP") + secure;
    }

    ClientIdentity identity(boolean smtpUtf8) {
        return new ClientIdentity(addressText(), port, "", helo, protocol(smtpUtf8));
    }
}
