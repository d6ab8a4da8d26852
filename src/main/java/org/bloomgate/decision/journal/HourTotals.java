package org.bloomgate.decision.journal;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/// The last 14 days by hour, for a reader.
///
/// @param from start of the first hour
/// @param messages by action as enforced, a count for each hour, oldest first; the last hour is under way
public record HourTotals(Instant from, Map<String, List<Long>> messages) {}
