package org.bloomgate.lists.rebuild;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.bloomgate.core.key.Key;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedCounts;
import org.bloomgate.lists.fetch.Validators;
import org.bloomgate.lists.layer.FeedReport;
import org.bloomgate.lists.rebuild.LayerInputs.FeedInput;

/// The result of fetching one feed, before it is read.
///
/// @param copy the last good one
/// @param stamp of the source, taken before the request
/// @param start time of the request, of [System#nanoTime()]
record FetchResult(Feed feed, CachedFeed copy, Optional<String> stamp, Answer answer, long start) {

    /// The same result for the feed as it is configured.
    FetchResult of(Feed configured) {
        return new FetchResult(configured, copy, stamp, answer, start);
    }

    /// The result of the request.
    sealed interface Answer {

        /// @param fingerprint of the file
        record Content(Path file, String fingerprint, Validators validators) implements Answer {}

        /// The source has not changed since the copy.
        record NotModified(FeedCache.Copy copy) implements Answer {}

        /// The source was fetched recently and was not requested.
        record NotDue(FeedCache.Copy copy) implements Answer {}

        /// Another engine read the feed into runs.
        record Runs(FeedCounts counts, List<Key> exceptions) implements Answer {}

        /// The operator requested other feeds.
        record NotRequested() implements Answer {}

        record Refused(String why) implements Answer {}
    }

    FetchResult with(Answer other) {
        return new FetchResult(feed, copy, stamp, other, start);
    }

    /// Where the keys of the feed come from, if the content can be read.
    FeedReport.From from() {
        return switch (answer) {
            case Answer.Content _, Answer.Runs _ -> FeedReport.From.SOURCE;
            case Answer.NotModified _ -> FeedReport.From.NOT_MODIFIED;
            case Answer.NotDue _ -> FeedReport.From.NOT_DUE;
            case Answer.NotRequested _, Answer.Refused _ ->
                copy.ifLoaded().isPresent() ? FeedReport.From.LAST_GOOD_COPY : FeedReport.From.NOTHING;
        };
    }

    /// The feed as an input of the snapshot.
    ///
    /// @param from where the keys in the snapshot come from
    /// @param before the input of the last rebuild
    FeedInput input(FeedReport.From from, boolean failed, Optional<FeedInput> before, Instant now) {
        boolean requested = !(answer instanceof Answer.NotRequested) && !(answer instanceof Answer.NotDue);
        return new FeedInput(
                feed.name(),
                OptionsDigest.of(feed),
                requested ? Optional.of(now) : before.flatMap(FeedInput::requestedAt),
                stamp,
                fingerprint(from),
                from,
                failed);
    }

    private String fingerprint(FeedReport.From from) {
        if (from == FeedReport.From.SOURCE && answer instanceof Answer.Content content) {
            return content.fingerprint();
        }
        boolean unknown = from == FeedReport.From.SOURCE && answer instanceof Answer.Runs;
        return unknown || from == FeedReport.From.NOTHING
                ? ""
                : copy.ifLoaded().map(FeedCache.Copy::fingerprint).orElse("");
    }
}
