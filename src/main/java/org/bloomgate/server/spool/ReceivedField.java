package org.bloomgate.server.spool;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.bloomgate.base.net.IpLiteral;

/// The trace field that a relay adds to a message (RFC 5321 4.4). No name is looked up.
public final class ReceivedField {
    /// The date format of RFC 5322 3.3.
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("EEE, d MMM yyyy HH:mm:ss Z", Locale.ENGLISH);

    /// A domain or an address literal; any other HELO would need quoting and is left out.
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,255}|\\[[0-9A-Za-z.:]{2,64}]");

    private ReceivedField() {}

    /// The client that a message came from.
    ///
    /// @param helo the argument of HELO or EHLO
    /// @param name host name stated by a trusted peer; empty if unknown
    /// @param protocol of the "with" clause; empty if unknown
    public record Origin(String helo, String name, Optional<InetAddress> address, String protocol) {
        /// The address literal of RFC 5321 4.1.3.
        private String addressLiteral() {
            return address.map(known -> (known instanceof Inet6Address ? "[IPv6:" : "[") + IpLiteral.text(known) + "]")
                    .orElse("unknown");
        }
    }

    /// The complete field with CRLF.
    ///
    /// @param recipients forward-paths in brackets, one byte for each character. The field contains a single
    ///     recipient; several must not learn of each other
    public static String format(Origin client, List<String> recipients, String hostname, String token, Instant now) {
        String address = client.addressLiteral();
        String from = NAME.matcher(client.helo()).matches() ? client.helo() : address;
        String identity = NAME.matcher(client.name()).matches() ? client.name() + " " + address : address;
        String protocolClause = client.protocol().isEmpty() ? "" : " with " + client.protocol();
        String recipient = recipients.size() == 1 ? "\r\n\tfor " + recipients.getFirst() : "";
        return "Received: from " + from + " (" + identity + ")\r\n\tby " + hostname + protocolClause + " id " + token
                + recipient + ";\r\n\t" + DATE.format(now.atOffset(ZoneOffset.UTC)) + "\r\n";
    }
}
