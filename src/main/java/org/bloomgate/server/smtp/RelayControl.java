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

/// Decides whether a client may send to a recipient through this relay: only if the recipient's domain or the
/// client's network is configured. Other clients may not use source routes in the local part (`user%other@`),
/// as Postfix (`allow_percent_hack`, `swap_bangpath`) would relay the message to any domain. Immutable.
final class RelayControl {
    private final Set<String> domains = new HashSet<>();
    private final Set<String> parentDomains = new HashSet<>();
    private final boolean everyDomain;
    private final boolean routesAllowed;
    private final List<Network> networks;

    RelayControl(RelayOptions.Access access) {
        networks = access.clientNetworks();
        routesAllowed = access.routedLocalParts();
        everyDomain = access.relayDomains().contains(RelayDomain.EVERY);
        for (RelayDomain domain : access.relayDomains()) {
            (domain.isBelow() ? parentDomains : domains).add(domain.name());
        }
    }

    /// @throws IllegalArgumentException if the settings would open the relay to everybody
    static void check(ListenAddress listen, List<RelayDomain> relayDomains, List<Network> clientNetworks) {
        boolean everyClient =
                clientNetworks.isEmpty() || clientNetworks.stream().anyMatch(network -> network.prefixBits() == 0);
        if (!listen.isLoopback()
                && everyClient
                && (relayDomains.contains(RelayDomain.EVERY) || !clientNetworks.isEmpty())) {
            throw new IllegalArgumentException("relayDomains and clientNetworks open the relay to everybody on "
                    + listen + ": name the domains, or set clientNetworks to the clients you mean");
        }
    }

    /// The rejection if the client may not send to the recipient. `<Postmaster>` without a domain is local and
    /// always allowed (RFC 5321 4.5.1).
    ///
    /// @param client empty if its address is unknown, which is in no network
    Optional<Reply> rejection(Optional<InetAddress> client, MailPath recipient) {
        String domain = ascii(recipient.domain());
        if (domain.isEmpty()
                || (networks.isEmpty() ? everyDomain : client.stream().anyMatch(this::inNetwork))) {
            return Optional.empty();
        }
        if (!domains.contains(domain) && !isBelowParentDomain(domain)) {
            return Optional.of(Replies.RELAY_DENIED);
        }
        return recipient.hasRoutedLocalPart() && !routesAllowed
                ? Optional.of(Replies.ROUTED_LOCAL_PART)
                : Optional.empty();
    }

    private boolean inNetwork(InetAddress client) {
        return networks.stream().anyMatch(network -> network.contains(client));
    }

    /// Domains are configured as A-labels or U-labels and compared as A-labels. An address literal, and a name
    /// without an A-label form, match only `*`.
    private static String ascii(String domain) {
        return domain.chars().allMatch(character -> character < 0x80)
                ? TextForms.lowerCase(domain)
                : TextForms.aLabels(domain).orElse(domain);
    }

    private boolean isBelowParentDomain(String domain) {
        for (int dot = domain.indexOf('.'); dot >= 0; dot = domain.indexOf('.', dot + 1)) {
            if (parentDomains.contains(domain.substring(dot + 1))) {
                return true;
            }
        }
        return false;
    }
}
