package org.bloomgate.server.smtp;

import java.net.InetAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.base.net.ListenAddress;
import org.bloomgate.base.net.Network;
import org.bloomgate.core.smtp.MailPath;
import org.bloomgate.core.smtp.Replies;
import org.bloomgate.core.smtp.Reply;
import org.bloomgate.core.text.TextForms;

/// Decides whether a client may send to a recipient through here: closed unless the recipient's domain or the
/// client's network is configured. A stranger may not add a route to a configured domain, as Postfix
/// (`allow_percent_hack`, `swap_bangpath`) would send the message on to any other. Immutable.
final class RelayControl {
    private final Set<String> names = new HashSet<>();
    private final Set<String> parents = new HashSet<>();
    private final boolean every;
    private final boolean routes;
    private final List<Network> networks;

    RelayControl(RelayOptions.Access access) {
        networks = access.clientNetworks();
        routes = access.routedLocalParts();
        every = access.relayDomains().contains(RelayDomain.EVERY);
        for (RelayDomain domain : access.relayDomains()) {
            (domain.isBelow() ? parents : names).add(domain.name());
        }
    }

    /// @throws IllegalArgumentException when the settings would open the relay to everybody
    static void check(ListenAddress listen, List<RelayDomain> relayDomains, List<Network> clientNetworks) {
        boolean everyClient =
                clientNetworks.isEmpty() || clientNetworks.stream().anyMatch(network -> network.prefixBits() == 0);
        if (!listen.loopback()
                && everyClient
                && (relayDomains.contains(RelayDomain.EVERY) || !clientNetworks.isEmpty())) {
            throw new IllegalArgumentException("relayDomains and clientNetworks open the relay to everybody on "
                    + listen + ": name the domains, or set clientNetworks to the clients you mean");
        }
    }

    /// The reply to a recipient that the client may not send to. Mail to `<Postmaster>` without a domain is local and
    /// always allowed (RFC 5321 4.5.1).
    ///
    /// @param client empty when its address is not known: it is in no network
    Optional<Reply> refusal(Optional<InetAddress> client, MailPath recipient) {
        String domain = ascii(recipient.domain());
        if (domain.isEmpty() || (networks.isEmpty() ? every : client.stream().anyMatch(this::inNetwork))) {
            return Optional.empty();
        }
        if (!names.contains(domain) && !belowParent(domain)) {
            return Optional.of(Replies.RELAY_DENIED);
        }
        return recipient.hasRoutedLocalPart() && !routes ? Optional.of(Replies.ROUTED_LOCAL_PART) : Optional.empty();
    }

    private boolean inNetwork(InetAddress client) {
        return networks.stream().anyMatch(network -> network.contains(client));
    }

    /// Domains are configured as A-labels or U-labels; they are compared as A-labels. An address literal and a name
    /// that has no A-label stay as they are and match only what allows everything.
    private static String ascii(String domain) {
        return domain.chars().allMatch(character -> character < 0x80)
                ? TextForms.lowerCase(domain)
                : TextForms.aLabels(domain).orElse(domain);
    }

    private boolean belowParent(String domain) {
        for (int dot = domain.indexOf('.'); dot >= 0; dot = domain.indexOf('.', dot + 1)) {
            if (parents.contains(domain.substring(dot + 1))) {
                return true;
            }
        }
        return false;
    }
}
