package org.bloomgate.decision.evaluation;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import org.bloomgate.base.net.IpLiteral;
import org.bloomgate.core.key.MailAddress;

/// The envelope of a message that does not arrive by SMTP.
///
/// @param mailFrom reverse-path without brackets; absent if the client states none, empty for the null reverse-path
/// @param recipients forward-paths without brackets, in order; empty means one recipient without rules of its
///     own
/// @param caller the client that sent it
public record Envelope(Optional<String> mailFrom, List<String> recipients, ConnectingClient caller) {
    public static final Envelope NONE = new Envelope(Optional.empty(), List.of(), ConnectingClient.UNKNOWN);

    public Envelope {
        recipients = List.copyOf(recipients);
    }

    /// Creates an envelope. Paths may be in brackets, as in an SMTP command.
    ///
    /// @throws IllegalArgumentException if a path is not an address or the client is not an IP address; the message
    ///     says which
    public static Envelope of(
            Optional<String> mailFrom, List<String> recipients, Optional<String> client, Optional<String> helo) {
        Optional<String> sender = mailFrom.map(Envelope::removeBrackets);
        sender.filter(path -> !path.isEmpty()).ifPresent(path -> requireAddress("sender", path));
        List<String> paths = recipients.stream().map(Envelope::removeBrackets).toList();
        paths.forEach(path -> requireAddress("recipient", path));
        return new Envelope(sender, paths, ConnectingClient.of(client.map(Envelope::parseAddress), helo.orElse("")));
    }

    /// Returns the recipients whose rules apply; one empty recipient if there are none.
    public List<String> evaluatedRecipients() {
        return recipients.isEmpty() ? List.of("") : recipients;
    }

    private static void requireAddress(String which, String path) {
        if (MailAddress.parse(path).isEmpty()) {
            throw new IllegalArgumentException("the " + which + " '" + path + "' is not an address");
        }
    }

    private static InetAddress parseAddress(String client) {
        return IpLiteral.parse(client)
                .orElseThrow(() -> new IllegalArgumentException("the client '" + client + "' is not an IP address"));
    }

    private static String removeBrackets(String path) {
        return path.startsWith("<") && path.endsWith(">") ? path.substring(1, path.length() - 1) : path;
    }
}
