package org.bloomgate.lists.fetch;

/// The lines of a feed: `lines = entries + comments + rejects + held`.
///
/// A line is what a line feed ends; a CSV record that spans several counts as all of them. The values of a
/// JSON feed count as lines.
///
/// @param entries lines that gave at least one key
/// @param comments comments, blank lines, headers and a hosts file's own names
/// @param rejects lines that gave no key, and none of whose keys was held back
/// @param unsupported those rejects that are of the format and mean what no listing can carry; 0 when it was not read
///     again
/// @param held lines whose keys were all held back by a gate
/// @param keys keys handed on, before duplicates are removed
public record FeedCounts(
        long lines, long entries, long comments, long rejects, long unsupported, long held, long keys) {
    /// For a feed that was not read.
    public static final FeedCounts NOTHING = new FeedCounts(0, 0, 0, 0, 0, 0, 0);
}
