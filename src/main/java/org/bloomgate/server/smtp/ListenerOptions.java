package org.bloomgate.server.smtp;

import java.util.List;
import java.util.Optional;
import org.bloomgate.base.config.RequiresRestart;
import org.bloomgate.base.net.ListenAddress;
import org.bloomgate.base.net.Network;
import org.bloomgate.decision.policy.PolicyOverrides;

/// One of the `smtp.listeners`: where it listens, and what it has otherwise than the `smtp` section. What is absent
/// is inherited from there, but for `proxyProtocol` and `submission`.
///
/// @param listen `host:port`, an IPv6 host in brackets; port 0 picks a free one
/// @param submission whether users of the site hand mail over here: who they write to may write back
/// @param policy what is done otherwise with mail that comes in here
public record ListenerOptions(
        @RequiresRestart Optional<ListenAddress> listen,
        Tls tls,
        Optional<List<RelayDomain>> relayDomains,
        Optional<List<Network>> clientNetworks,
        Optional<List<Network>> trusted,
        boolean proxyProtocol,
        boolean submission,
        PolicyOverrides policy) {

    /// As [RelayOptions.Tls].
    public record Tls(Optional<TlsMode> mode, Optional<String> certificate, Optional<String> key) {
        RelayOptions.Tls over(RelayOptions.Tls general) {
            // A certificate of its own has its key with it unless key says otherwise.
            return new RelayOptions.Tls(
                    mode.orElse(general.mode()),
                    certificate.orElse(general.certificate()),
                    key.orElse(certificate.isPresent() ? "" : general.key()));
        }
    }

    public ListenerOptions {
        relayDomains = relayDomains.map(List::copyOf);
        clientNetworks = clientNetworks.map(List::copyOf);
        trusted = trusted.map(List::copyOf);
    }

    /// @throws IllegalArgumentException when the two do not go together
    RelayOptions.Access over(RelayOptions.Access general) {
        return new RelayOptions.Access(
                listen.orElseThrow(() -> new IllegalArgumentException("listen: host:port is needed")),
                tls.over(general.tls()),
                relayDomains.orElse(general.relayDomains()),
                general.routedLocalParts(),
                clientNetworks.orElse(general.clientNetworks()),
                trusted.orElse(general.trusted()),
                proxyProtocol);
    }

    /// Everything inherited; an address has to be given.
    public static ListenerOptions defaults() {
        return new ListenerOptions(
                Optional.empty(),
                new Tls(Optional.empty(), Optional.empty(), Optional.empty()),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                false,
                false,
                PolicyOverrides.defaults());
    }
}
