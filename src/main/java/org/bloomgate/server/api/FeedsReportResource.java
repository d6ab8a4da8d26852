package org.bloomgate.server.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.bloomgate.lists.report.FeedRow;
import org.bloomgate.lists.report.FeedsReport;
import org.bloomgate.lists.report.ReportSource;
import org.bloomgate.lists.snapshot.LiveStatus;
import org.bloomgate.lists.snapshot.ManifestFeed;
import org.bloomgate.lists.snapshot.PastRebuild;
import org.bloomgate.lists.snapshot.RebuildHistory;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.Resource;

/// `GET /v1/feeds/report?since=&limit=&cursor=`: the use of each feed, as the command `feeds report` prints it,
/// and the state of its copy. Feeds that stopped the most messages come first. For the role reader.
final class FeedsReportResource implements Resource {
    private static final String PATH = "/v1/feeds/report";
    private static final String DEFAULT_SINCE = "30d";
    private static final Comparator<FeedLine> MOST_STOPPED_FIRST = Comparator.<FeedLine>comparingLong(
                    line -> -stopped(line.row()))
            .thenComparingLong(line -> -line.row().hits())
            .thenComparing(line -> line.row().feed());

    private final ReportSource reports;
    private final Supplier<LiveStatus> status;
    private final RebuildHistory history;
    private final InstantSource clock;
    private final ReportDesk desk;

    FeedsReportResource(Services.Lists lists, Supplier<LiveStatus> status, ReportDesk desk, InstantSource clock) {
        this.reports = lists.reports();
        this.status = status;
        this.history = lists.history();
        this.desk = desk;
        this.clock = clock;
    }

    /// @param time at which the report was made
    /// @param decisions read from the journal
    /// @param unreadable lines of the journal
    /// @param untold hits for which it is unknown whether they are still listed
    /// @param total feeds on all pages
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    record Report(
            Instant time,
            Instant since,
            long decisions,
            long suspects,
            long unreadable,
            long untold,
            int total,
            List<FeedLine> feeds,
            Optional<String> nextCursor) {}

    /// A feed with the state of its copy; absent for a name that is in no snapshot.
    ///
    /// @param state `current`, `held` at its last good copy, or `missing`
    /// @param stateReason why it is not current, if the last rebuild recorded a reason
    /// @param seen when the source was last known to have its listings
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    record FeedLine(
            @JsonUnwrapped FeedRow row,
            Optional<String> layer,
            Optional<String> state,
            Optional<String> stateReason,
            Optional<Instant> seen) {}

    @Override
    public Answer answer(Request request) throws IOException {
        Instant since = SearchParameters.since(request, DEFAULT_SINCE, clock);
        int limit = SearchParameters.limit(request);
        String sinceText =
                SearchParameters.value(request, SearchParameters.SINCE).orElse(DEFAULT_SINCE);
        ReportDesk.TimedReport<FeedsReport> timedReport = desk.report(PATH, sinceText, () -> reports.since(since));
        FeedsReport report = timedReport.report();
        List<FeedLine> lines = lines(report.feeds());
        Page<FeedLine> page = Page.byNumber(request, limit, lines);
        return Answer.json(new Report(
                timedReport.time(),
                report.since(),
                report.decisions(),
                report.suspects(),
                report.unreadable(),
                report.untold(),
                lines.size(),
                page.records(),
                page.nextCursor()));
    }

    private List<FeedLine> lines(List<FeedRow> rows) {
        Map<String, FeedLine> lines = new LinkedHashMap<>();
        rows.forEach(row -> lines.put(
                row.feed(), new FeedLine(row, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty())));
        for (LiveStatus.LayerStatus layer : status.get().layers()) {
            for (ManifestFeed feed : layer.feeds()) {
                FeedRow row = Optional.ofNullable(lines.get(feed.name()))
                        .map(FeedLine::row)
                        .orElseGet(() -> FeedRow.unused(feed.name(), feed.category()));
                lines.put(feed.name(), line(row, layer.layer(), feed));
            }
        }
        List<FeedLine> sorted = new ArrayList<>(lines.values());
        sorted.sort(MOST_STOPPED_FIRST);
        return sorted;
    }

    private FeedLine line(FeedRow row, String layer, ManifestFeed feed) {
        String state = feed.cameFromSource() ? "current" : feed.gaveNothing() ? "missing" : "held";
        Optional<String> reason = Optional.ofNullable(history.findLastRebuilds().get(layer)).stream()
                .flatMap(last -> last.feeds().stream())
                .filter(past ->
                        past.feed().equals(feed.name()) && !past.failure().isEmpty())
                .map(PastRebuild.FeedSummary::failure)
                .findFirst();
        return new FeedLine(row, Optional.of(layer), Optional.of(state), reason, feed.seen());
    }

    private static long stopped(FeedRow row) {
        return Stream.of(Action.values())
                .filter(action -> !action.isDelivered())
                .mapToLong(row::messages)
                .sum();
    }
}
