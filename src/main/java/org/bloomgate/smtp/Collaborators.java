package org.bloomgate.smtp;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.bloomgate.journal.DecisionJournal;
import org.bloomgate.journal.KeyJournal;
import org.bloomgate.judge.MessageJudge;
import org.bloomgate.lookup.LayerSource;
import org.bloomgate.net.Network;
import org.bloomgate.nexthop.NextHop;
import org.bloomgate.quarantine.Quarantine;
import org.bloomgate.tls.ServerTls;
import org.bloomgate.transit.MemoryBudget;

/// What every session of a listener works with. Thread-safe.
///
/// @param trusted networks whose word on the client counts
/// @param tls empty when the listener has none
record Collaborators(
        RelayOptions options,
        RelayControl relayControl,
        List<Network> trusted,
        Optional<ServerTls> tls,
        NextHop nextHop,
        LayerSource layers,
        MessageJudge judge,
        DecisionJournal journal,
        KeyJournal keys,
        Quarantine quarantine,
        MemoryBudget memory,
        ClientRates rates,
        RelayMetrics metrics,
        InstantSource clock) {}
