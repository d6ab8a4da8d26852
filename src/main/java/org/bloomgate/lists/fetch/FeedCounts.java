package org.bloomgate.lists.fetch;

/// The lines of a feed: `lines = entries + comments + rejects + held`.
///
/// A line ends with a line feed; a CSV record of several lines counts as all of them. In a JSON feed, each
/// value counts as a line.
///
/// @param entries lines with at least one accepted key
/// @param comments comments, blank lines, headers and a hosts file's own names
/// @param rejects lines without a key
/// @param unsupported rejected lines of the format that no listing can express; 0 if the feed was not read
///     again
/// @param held lines whose keys were all held back by a gate
/// @param keys accepted keys, before duplicates are removed
public record FeedCounts(
        long lines, long entries, long comments, long rejects, long unsupported, long held, long keys) {
    /// For a feed that was not read.
    public static final FeedCounts NOTHING = new FeedCounts(0, 0, 0, 0, 0, 0, 0);
}
