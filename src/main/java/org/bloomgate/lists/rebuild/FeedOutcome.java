package org.bloomgate.lists.rebuild;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.bloomgate.core.key.Key;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedCounts;
import org.bloomgate.lists.fetch.MaskedAddress;
import org.bloomgate.lists.fetch.Validators;
import org.bloomgate.lists.layer.FeedReport;
import org.bloomgate.lists.layer.FeedReport.From;
import org.bloomgate.lists.rebuild.LayerInputs.FeedInput;
import org.bloomgate.lists.snapshot.ManifestFeed;

/// The outcome of one feed in one rebuild, as far as it is known: the request to its source first, then the
/// reading, then a fault that is found in the whole layer. Each step returns a new outcome. From the last one
/// come the report, the manifest, the inputs of the next rebuild and the last good copy.
///
/// @param stamp of the source, taken before the request
/// @param requestedAt time of the request to the source; empty if there was none
/// @param content that the keys of the feed come from
/// @param failure why today's content is not used, or not all of it
/// @param reading of the content; empty until it is read, and if there is no content
/// @param seconds that it took to fetch and read the feed
record FeedOutcome(
        Feed feed,
        Optional<String> stamp,
        Optional<Instant> requestedAt,
        Content content,
        Optional<Failure> failure,
        Optional<FeedReading> reading,
        double seconds) {

    /// @param refused the counts of the rejected content, if it was read
    record Failure(String reason, Optional<FeedReport.Refused> refused) {}

    /// Where the keys of a feed come from.
    sealed interface Content {
        From from();

        /// The digest of the content; empty if it is not known.
        String fingerprint();

        /// The source, today.
        ///
        /// @param fingerprint of the file
        record Fetched(Path file, String fingerprint, Validators validators) implements Content {
            @Override
            public From from() {
                return From.SOURCE;
            }
        }

        /// The last good copy.
        ///
        /// @param from why the copy is used: the source still has its content, was not due, or failed
        record Stored(FeedCache.Copy copy, From from) implements Content {
            @Override
            public String fingerprint() {
                return copy.fingerprint();
            }
        }

        /// Runs, into which another engine read the feed.
        record InRuns(FeedCounts counts, List<Key> exceptions) implements Content {
            @Override
            public From from() {
                return From.SOURCE;
            }

            @Override
            public String fingerprint() {
                return "";
            }
        }

        /// No content: the feed failed and there is no copy.
        record Missing() implements Content {
            @Override
            public From from() {
                return From.NOTHING;
            }

            @Override
            public String fingerprint() {
                return "";
            }
        }
    }

    FeedOutcome with(Content other) {
        return new FeedOutcome(feed, stamp, requestedAt, other, failure, reading, seconds);
    }

    /// The same outcome with other content, since today's content cannot be used.
    FeedOutcome with(Content other, Failure why) {
        return new FeedOutcome(feed, stamp, requestedAt, other, Optional.of(why), Optional.empty(), seconds);
    }

    FeedOutcome with(FeedReading contentReading) {
        return new FeedOutcome(feed, stamp, requestedAt, content, failure, Optional.of(contentReading), seconds);
    }

    /// The same outcome after another step.
    ///
    /// @param start of the step, of [System#nanoTime()]
    FeedOutcome addTimeSince(long start) {
        double sum = seconds + (System.nanoTime() - start) / 1e9;
        return new FeedOutcome(feed, stamp, requestedAt, content, failure, reading, sum);
    }

    FeedReport report() {
        return new FeedReport(
                feed.name(),
                content.from(),
                reading.map(used -> used.source().seen()),
                counts(),
                failure.map(Failure::reason),
                failure.flatMap(Failure::refused),
                reading.map(FeedReading::rejected).orElse(List.of()),
                reading.map(FeedReading::heldBack).orElse(List.of()),
                seconds);
    }

    private FeedCounts counts() {
        return reading.map(FeedReading::counts).orElse(FeedCounts.NOTHING);
    }

    ManifestFeed manifest() {
        FeedCounts counts = counts();
        return new ManifestFeed(
                feed.name(),
                feed.kind(),
                feed.category(),
                feed.match(),
                feed.use(),
                feed.effect().action(),
                feed.effect().shadow(),
                feed.effect().redistribute(),
                feed.cadence().layer(),
                MaskedAddress.of(feed.source()),
                content.from().label(),
                reading.map(used -> used.source().seen()),
                counts.lines(),
                counts.entries(),
                counts.comments(),
                counts.rejects(),
                counts.held(),
                counts.keys(),
                reading.map(FeedReading::exceptions).orElse(List.of()));
    }

    /// The feed as an input of the snapshot.
    ///
    /// @param before the input of the last rebuild
    FeedInput input(Optional<FeedInput> before) {
        return new FeedInput(
                feed.name(),
                OptionsDigest.of(feed),
                requestedAt.or(() -> before.flatMap(FeedInput::requestedAt)),
                stamp,
                content.fingerprint(),
                content.from(),
                failure.isPresent());
    }

    /// Stores today's content as the last good copy, after the snapshot was published or confirmed.
    void updateCopy(FeedCache copies, Instant now) throws IOException {
        switch (content) {
            case Content.Fetched(Path file, String fingerprint, Validators validators) ->
                copies.replace(feed, file, fingerprint, validators, now, seconds);
            case Content.Stored(FeedCache.Copy copy, From from)
            when from == From.NOT_MODIFIED -> copies.confirm(feed, copy, now);
            case Content.Stored _, Content.InRuns _, Content.Missing _ -> {}
        }
    }
}
