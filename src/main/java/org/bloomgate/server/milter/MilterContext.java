package org.bloomgate.server.milter;

import java.time.InstantSource;
import org.bloomgate.decision.evaluation.MessageEvaluator;
import org.bloomgate.decision.journal.DecisionJournal;
import org.bloomgate.decision.keyjournal.KeyJournal;
import org.bloomgate.lookup.lookup.LayerSource;
import org.bloomgate.server.spool.MemoryBudget;

/// What every message works with, as it is in force when the mail begins. All of it is thread-safe.
record MilterContext(
        MilterSettings settings,
        LayerSource layers,
        MessageEvaluator evaluator,
        DecisionJournal journal,
        KeyJournal keys,
        MemoryBudget memory,
        MilterMetrics metrics,
        InstantSource clock) {}
