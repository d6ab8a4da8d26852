package org.bloomgate.lists.layer;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.bloomgate.base.config.Labelled;
import org.bloomgate.lists.fetch.FeedCounts;

/// The result for one feed.
///
/// @param seen when the source last had the content that was used: today, or when the last good copy was
///     fetched
/// @param counts of the content that was used
/// @param failure why today's content was not used, or not all of it
/// @param refused counts of today's content if it was read and rejected; otherwise absent
/// @param rejects the first rejected lines
/// @param held the first entries that were held back
public record FeedReport(
        String name,
        From from,
        Optional<Instant> seen,
        FeedCounts counts,
        Optional<String> failure,
        Optional<Refused> refused,
        List<Example> rejects,
        List<Example> held,
        double seconds) {

    /// Where the keys of the feed come from.
    public enum From implements Labelled {
        /// The source, today.
        SOURCE,
        /// The copy used for the last published snapshot, which the source confirmed today as its newest.
        NOT_MODIFIED,
        /// The copy used for the last published snapshot, as its source was fetched a short time ago.
        NOT_DUE,
        /// The copy used for the last published snapshot, as the feed of today failed.
        LAST_GOOD_COPY,
        /// No content: the feed failed and there is no copy.
        NOTHING;

        /// Whether this is the current content of the source, or the source was not due.
        public boolean isFresh() {
            return switch (this) {
                case SOURCE, NOT_MODIFIED, NOT_DUE -> true;
                case LAST_GOOD_COPY, NOTHING -> false;
            };
        }
    }

    /// The result of reading a feed that was rejected.
    ///
    /// @param counts up to the place where reading ended
    /// @param rejects the first rejected lines
    /// @param held the first entries that were held back
    public record Refused(FeedCounts counts, List<Example> rejects, List<Example> held) {
        public Refused {
            rejects = List.copyOf(rejects);
            held = List.copyOf(held);
        }
    }

    /// A line without an accepted entry.
    ///
    /// @param excerpt the beginning of the line, or the key held back
    public record Example(long line, String reason, String excerpt) {}

    public FeedReport {
        rejects = List.copyOf(rejects);
        held = List.copyOf(held);
    }
}
