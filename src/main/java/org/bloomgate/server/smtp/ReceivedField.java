package org.bloomgate.server.smtp;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.bloomgate.core.smtp.MailArguments;
import org.bloomgate.core.smtp.MailPath;

/// The trace field a relay puts on top of a message (RFC 5321 4.4). No name is looked up.
final class ReceivedField {
    /// RFC 5322 3.3.
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("EEE, d MMM yyyy HH:mm:ss Z", Locale.ENGLISH);

    /// A domain, or an address literal; anything else a client claims to be would need quoting.
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,255}|\\[[0-9A-Za-z.:]{2,64}]");

    private ReceivedField() {}

    /// The complete field with CRLF.
    ///
    /// @param recipients named in it when there is just one: the others must not learn of each other
    static String of(
            Client client, MailArguments mail, List<MailPath> recipients, String hostname, String token, Instant now) {
        String from = NAME.matcher(client.helo()).matches()
                ? client.helo()
                : client.peer().addressLiteral();
        String recipient = recipients.size() == 1 ? "\r\n\tfor " + recipients.getFirst() : "";
        return "Received: from " + from + " (" + seen(client.peer()) + ")\r\n\tby " + hostname + " with "
                + client.protocol(mail.smtpUtf8()) + " id " + token + recipient + ";\r\n\t"
                + DATE.format(now.atOffset(ZoneOffset.UTC)) + "\r\n";
    }

    /// The name, when a trusted neighbour looked it up, and the address.
    private static String seen(Peer peer) {
        boolean named = NAME.matcher(peer.name()).matches();
        return named ? peer.name() + " " + peer.addressLiteral() : peer.addressLiteral();
    }
}
