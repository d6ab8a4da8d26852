package org.bloomgate.lists.snapshot;

import java.time.Instant;

/// A snapshot that was not adopted; the one before stays in force, where there is one.
///
/// @param generation empty when the pointer itself is unreadable
public record Refusal(String layer, String generation, String reason, Instant at) {}
