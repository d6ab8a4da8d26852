package org.bloomgate.smtp;

import java.time.InstantSource;
import org.bloomgate.journal.DecisionJournal;
import org.bloomgate.lookup.LayerSource;
import org.bloomgate.lookup.TwoTierLookup;
import org.bloomgate.message.MessageReader;
import org.bloomgate.policy.Policy;

/// What every session of a relay works with. All of it is thread-safe.
record Collaborators(
        RelayOptions options,
        RelayControl relayControl,
        NextHop nextHop,
        TwoTierLookup lookup,
        LayerSource layers,
        Policy policy,
        MessageReader reader,
        DecisionJournal journal,
        Quarantine quarantine,
        RelayMetrics metrics,
        InstantSource clock) {}
