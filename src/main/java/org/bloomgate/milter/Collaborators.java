package org.bloomgate.milter;

import java.time.InstantSource;
import org.bloomgate.journal.DecisionJournal;
import org.bloomgate.journal.KeyJournal;
import org.bloomgate.judge.MessageJudge;
import org.bloomgate.lookup.LayerSource;
import org.bloomgate.transit.MemoryBudget;

/// What every mail works with, as it is in force when the mail begins. All of it is thread-safe.
record Collaborators(
        MilterSettings settings,
        LayerSource layers,
        MessageJudge judge,
        DecisionJournal journal,
        KeyJournal keys,
        MemoryBudget memory,
        MilterMetrics metrics,
        InstantSource clock) {}
