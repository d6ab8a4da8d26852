package org.bloomgate.server.smtp;

import java.util.List;
import java.util.Optional;
import org.bloomgate.base.net.ClientShares;
import org.bloomgate.base.net.Network;
import org.bloomgate.base.tls.ServerTls;
import org.bloomgate.decision.evaluation.MessageEvaluator;
import org.bloomgate.lookup.tier.LayerSource;
import org.bloomgate.server.nexthop.NextHop;
import org.bloomgate.server.spool.MailRecords;
import org.bloomgate.server.spool.MemoryBudget;

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
        LayerSource layers,
        MessageEvaluator evaluator,
        MailRecords records,
        MemoryBudget memory,
        ClientRates rates,
        ClientShares transactions,
        RelayMetrics metrics) {}
