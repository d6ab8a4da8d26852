package org.bloomgate.feed;

/// What became of the lines of a feed: `lines = entries + comments + rejects + held`.
///
/// @param entries lines that gave at least one key
/// @param comments comments, blank lines, headers and a hosts file's own names
/// @param held lines of which every key was held back by a gate
/// @param keys keys handed on, before duplicates are removed
public record FeedCounts(long lines, long entries, long comments, long rejects, long held, long keys) {}
