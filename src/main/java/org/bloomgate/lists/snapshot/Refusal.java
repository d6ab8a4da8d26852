package org.bloomgate.lists.snapshot;

import java.time.Instant;

/// A snapshot that was not adopted; the previous one stays in use.
///
/// @param generation empty when the pointer itself is unreadable
public record Refusal(String layer, String generation, String reason, Instant at) {}
