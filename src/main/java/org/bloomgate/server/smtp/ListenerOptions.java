package org.bloomgate.server.smtp;

import java.util.List;
import java.util.Optional;
import org.bloomgate.base.config.RequiresRestart;
import org.bloomgate.base.net.ListenAddress;
import org.bloomgate.base.net.Network;
import org.bloomgate.decision.policy.PolicyOverrides;

/// One of the `smtp.listeners`: its address, and the settings that differ from the `smtp` section. Absent
/// settings are inherited from there, except `proxyProtocol` and `submission`.
///
/// @param listen `host:port`, an IPv6 host in brackets; port 0 picks a free one
/// @param submission whether users of the site submit messages here; their recipients become known senders
/// @param policy the policy settings that differ for messages received here
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
        RelayOptions.Tls inheritFrom(RelayOptions.Tls general) {
            // the listener's own certificate file contains the key unless key is set
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

    /// @throws IllegalArgumentException if the settings do not fit together
    RelayOptions.Access inheritFrom(RelayOptions.Access general) {
        return new RelayOptions.Access(
                listen.orElseThrow(() -> new IllegalArgumentException("listen: host:port is needed")),
                tls.inheritFrom(general.tls()),
                relayDomains.orElse(general.relayDomains()),
                general.routedLocalParts(),
                clientNetworks.orElse(general.clientNetworks()),
                trusted.orElse(general.trusted()),
                proxyProtocol);
    }

    /// All settings inherited; the address must be set.
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
