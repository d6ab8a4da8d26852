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

/// The trace field that a relay puts on top of a message (RFC 5321 4.4). No name is looked up.
public final class ReceivedField {
    /// RFC 5322 3.3.
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("EEE, d MMM yyyy HH:mm:ss Z", Locale.ENGLISH);

    /// A domain, or an address literal; anything else a client claims to be would need quoting.
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,255}|\\[[0-9A-Za-z.:]{2,64}]");

    private ReceivedField() {}

    /// The client that a message came from.
    ///
    /// @param helo the argument of HELO or EHLO
    /// @param name host name as a trusted neighbour looked it up, empty when unknown
    /// @param protocol of the "with" clause, empty when unknown
    public record Origin(String helo, String name, Optional<InetAddress> address, String protocol) {
        /// RFC 5321 4.1.3.
        private String addressLiteral() {
            return address.map(known -> (known instanceof Inet6Address ? "[IPv6:" : "[") + IpLiteral.text(known) + "]")
                    .orElse("unknown");
        }
    }

    /// The complete field with CRLF.
    ///
    /// @param recipients forward-paths in brackets, one byte a character; named in the field when
    ///     there is just one: the others must not learn of each other
    public static String of(Origin client, List<String> recipients, String hostname, String token, Instant now) {
        String address = client.addressLiteral();
        String from = NAME.matcher(client.helo()).matches() ? client.helo() : address;
        String seen = NAME.matcher(client.name()).matches() ? client.name() + " " + address : address;
        String with = client.protocol().isEmpty() ? "" : " with " + client.protocol();
        String recipient = recipients.size() == 1 ? "\r\n\tfor " + recipients.getFirst() : "";
        return "Received: from " + from + " (" + seen + ")\r\n\tby " + hostname + with + " id " + token + recipient
                + ";\r\n\t" + DATE.format(now.atOffset(ZoneOffset.UTC)) + "\r\n";
    }
}
