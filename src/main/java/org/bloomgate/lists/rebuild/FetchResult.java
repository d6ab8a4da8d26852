package org.bloomgate.lists.rebuild;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.bloomgate.core.key.Key;
import org.bloomgate.lists.build.FeedReport;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedCounts;
import org.bloomgate.lists.fetch.Validators;
import org.bloomgate.lists.rebuild.LayerInputs.FeedInput;

/// The content of a feed's source, before it is read.
///
/// @param copy the last good one
/// @param stamp of the source, taken before the request
/// @param start of [System#nanoTime()]
record FetchResult(Feed feed, CachedFeed copy, Optional<String> stamp, Answer answer, long start) {

    /// The same of the feed as it is configured.
    FetchResult of(Feed configured) {
        return new FetchResult(configured, copy, stamp, answer, start);
    }

    /// The result of the request.
    sealed interface Answer {

        /// @param fingerprint of the file
        record Content(Path file, String fingerprint, Validators validators) implements Answer {}

        /// The source holds what it held.
        record NotModified(FeedCache.Copy copy) implements Answer {}

        /// It was fetched a short time ago.
        record NotDue(FeedCache.Copy copy) implements Answer {}

        /// It was read elsewhere, into runs.
        record Runs(FeedCounts counts, List<Key> exceptions) implements Answer {}

        /// Somebody wants other feeds than this one.
        record NotQueried() implements Answer {}

        record Refused(String why) implements Answer {}
    }

    FetchResult with(Answer other) {
        return new FetchResult(feed, copy, stamp, other, start);
    }

    /// Where its keys are from, unless it cannot be read.
    FeedReport.From from() {
        return switch (answer) {
            case Answer.Content _, Answer.Runs _ -> FeedReport.From.SOURCE;
            case Answer.NotModified _ -> FeedReport.From.NOT_MODIFIED;
            case Answer.NotDue _ -> FeedReport.From.NOT_DUE;
            case Answer.NotQueried _, Answer.Refused _ ->
                copy.seen().isPresent() ? FeedReport.From.LAST_GOOD_COPY : FeedReport.From.NOTHING;
        };
    }

    /// The input of the snapshot where the feed's keys come from there.
    ///
    /// @param before of the last rebuild
    FeedInput input(FeedReport.From taken, boolean failed, Optional<FeedInput> before, Instant now) {
        boolean queried = !(answer instanceof Answer.NotQueried) && !(answer instanceof Answer.NotDue);
        return new FeedInput(
                feed.name(),
                OptionsDigest.of(feed),
                queried ? Optional.of(now) : before.flatMap(FeedInput::askedAt),
                stamp,
                fingerprint(taken),
                taken,
                failed);
    }

    private String fingerprint(FeedReport.From taken) {
        if (taken == FeedReport.From.SOURCE && answer instanceof Answer.Content content) {
            return content.fingerprint();
        }
        boolean unknown = taken == FeedReport.From.SOURCE && answer instanceof Answer.Runs;
        return unknown || taken == FeedReport.From.NOTHING
                ? ""
                : copy.seen().map(FeedCache.Copy::fingerprint).orElse("");
    }
}
