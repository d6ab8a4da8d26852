package org.bloomgate.lists.fetch;

/// The cost of reading a feed.
///
/// @param bytes as fetched, still compressed
/// @param seconds to fetch and read it
public record FeedCost(long bytes, double seconds) {}
