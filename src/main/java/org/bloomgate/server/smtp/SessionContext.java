package org.bloomgate.server.smtp;

import java.util.List;
import java.util.Optional;
import org.bloomgate.base.net.ClientShares;
import org.bloomgate.base.net.Network;
import org.bloomgate.base.tls.ServerTls;
import org.bloomgate.server.nexthop.NextHop;
import org.bloomgate.server.spool.MessageContext;

/// The configuration and services of a listener's sessions. Thread-safe.
///
/// @param trusted networks that may state another client
/// @param tls empty if the listener has none
/// @param transactions open transactions of each client, over all listeners
record SessionContext(
        RelayOptions options,
        RelayControl relayControl,
        List<Network> trusted,
        Optional<ServerTls> tls,
        NextHop nextHop,
        MessageContext messages,
        ClientRates rates,
        ClientShares transactions,
        RelayMetrics metrics) {}
