package org.bloomgate.server.milter;

import org.bloomgate.decision.evaluation.MessageEvaluator;
import org.bloomgate.lookup.lookup.LayerSource;
import org.bloomgate.server.spool.MailRecords;
import org.bloomgate.server.spool.MemoryBudget;

/// What every message works with, as it is in force when the mail begins. All of it is thread-safe.
record MilterContext(
        MilterSettings settings,
        LayerSource layers,
        MessageEvaluator evaluator,
        MailRecords records,
        MemoryBudget memory,
        MilterMetrics metrics) {}
