package org.bloomgate.server.milter;

import org.bloomgate.decision.evaluation.MessageEvaluator;
import org.bloomgate.lookup.tier.LayerSource;
import org.bloomgate.server.spool.MailRecords;
import org.bloomgate.server.spool.MemoryBudget;

/// The configuration and services of a message, fixed when it begins. All components are thread-safe.
record MilterContext(
        MilterSettings settings,
        LayerSource layers,
        MessageEvaluator evaluator,
        MailRecords records,
        MemoryBudget memory,
        MilterMetrics metrics) {}
