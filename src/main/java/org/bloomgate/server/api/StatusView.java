package org.bloomgate.server.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.core.bloom.BloomFilter;
import org.bloomgate.core.bloom.FilterHeader;
import org.bloomgate.core.key.FeedKind;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.decision.journal.DayTotals;
import org.bloomgate.lists.snapshot.Following;
import org.bloomgate.lists.snapshot.LiveStatus;
import org.bloomgate.lists.snapshot.LiveStatus.LayerStatus;
import org.bloomgate.lists.snapshot.ManifestFeed;
import org.bloomgate.lookup.tier.FilterCounts;
import org.bloomgate.lookup.tier.Layer;
import org.bloomgate.server.metrics.LiveFigures;

/// The answer of `/v1/status` without its time.
///
/// @param state `ready` or `not ready`
/// @param reason why it is not ready, or why many lookups fail; absent if neither is the case
/// @param role of the caller's token, `none` without one
/// @param operator name of the caller; absent without a token
/// @param refused what is wrong at present, with snapshots and with other parts
/// @param following absent if snapshots are built on this machine
/// @param freeBytes that can still be written on the fullest file system of a state folder, at most a minute
///     old; absent in a lookup service, as `totalBytes` is
/// @param totalBytes size of that file system
/// @param totals since `startedAt`
/// @param day the last 24 hours, including the time before `startedAt`
record StatusView(
        String state,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) String reason,
        String version,
        Instant startedAt,
        String role,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) String operator,
        List<LayerView> layers,
        List<ConditionView> refused,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<FollowingView> following,
        LocalView local,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Long> freeBytes,
        @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Long> totalBytes,
        LiveFigures totals,
        DayTotals day) {

    /// What is wrong with a layer or another part.
    ///
    /// @param layer or the name of another part
    /// @param generation empty if it is unknown
    /// @param at when it began
    /// @param text for people: subject, reason, and which snapshot of the layer is in force since when
    record ConditionView(String layer, String generation, Instant at, String reason, String text) {
        static List<ConditionView> of(LiveStatus status) {
            return status.conditions().stream()
                    .map(condition -> new ConditionView(
                            condition.subject(),
                            condition.generation(),
                            condition.since(),
                            condition.reason(),
                            condition.describe(status.layers())))
                    .toList();
        }
    }

    /// The state of a mirror.
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    record FollowingView(
            Optional<Instant> answered,
            Optional<Long> counter,
            Optional<Instant> expires,
            boolean expired,
            boolean ready) {
        static FollowingView of(Following mirror) {
            return new FollowingView(
                    mirror.lastAnswerAt(), mirror.counter(), mirror.expires(), mirror.expired(), mirror.ready());
        }
    }

    /// The number of entries of operators.
    record LocalView(int listings, int exceptions) {}

    /// One current layer.
    ///
    /// @param confirmedAt when a rebuild last found no change in its feeds
    /// @param adoptedAt empty if it has no manifest; `sizeBytes` is then 0
    /// @param feeds the first ones of `feedCount`
    record LayerView(
            String layer,
            String generation,
            Instant createdAt,
            Optional<Instant> confirmedAt,
            Optional<Instant> adoptedAt,
            long sizeBytes,
            List<FilterView> filters,
            List<FeedView> feeds,
            int feedCount) {
        private static final int MAX_FEEDS = 200;

        static LayerView of(Layer layer, Optional<LayerStatus> status, Map<KeyKind, FilterCounts> counts) {
            List<FilterView> filters = new ArrayList<>();
            layer.filters()
                    .forEach((kind, filter) ->
                            filters.add(FilterView.of(kind, filter, Optional.ofNullable(counts.get(kind)))));
            filters.sort((a, b) -> a.kind().compareTo(b.kind()));
            List<ManifestFeed> feeds = status.map(LayerStatus::feeds).orElse(List.of());
            return new LayerView(
                    layer.name(),
                    layer.generation(),
                    status.map(LayerStatus::createdAt).orElse(layer.createdAt()),
                    status.flatMap(LayerStatus::confirmedAt),
                    status.map(LayerStatus::adoptedAt),
                    status.map(LayerStatus::sizeBytes).orElse(0L),
                    filters,
                    feeds.stream().limit(MAX_FEEDS).map(FeedView::of).toList(),
                    feeds.size());
        }
    }

    /// One filter: its parameters, and the results of its lookups since the start.
    record FilterView(
            String kind,
            long entries,
            long bytes,
            double fill,
            double designRate,
            double predictedRate,
            double refutedRate,
            long keys,
            long suspects,
            long confirmed,
            long refuted,
            long unknown) {

        static FilterView of(KeyKind kind, BloomFilter filter, Optional<FilterCounts> counts) {
            FilterHeader header = filter.header();
            return new FilterView(
                    kind.label(),
                    header.inserted(),
                    header.parameters().fileBytes(),
                    header.fill(),
                    header.parameters().sizing().targetRate(),
                    header.predictedRate(),
                    counts.map(FilterCounts::refutedRate).orElse(0.0),
                    counts.map(FilterCounts::keys).orElse(0L),
                    counts.map(FilterCounts::suspects).orElse(0L),
                    counts.map(FilterCounts::confirmed).orElse(0L),
                    counts.map(FilterCounts::refuted).orElse(0L),
                    counts.map(FilterCounts::unknown).orElse(0L));
        }
    }

    /// One feed as in the manifest.
    record FeedView(
            String name,
            FeedKind kind,
            String category,
            long entries,
            long rejects,
            long held,
            String from,
            Optional<Instant> seen) {

        static FeedView of(ManifestFeed feed) {
            return new FeedView(
                    feed.name(),
                    feed.kind(),
                    feed.category(),
                    feed.entries(),
                    feed.rejects(),
                    feed.held(),
                    feed.from(),
                    feed.seen());
        }
    }
}
