package org.bloomgate.server.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.decision.journal.DecisionJournal;
import org.bloomgate.lists.report.ShadowReport;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.Resource;

/// `GET /v1/shadow?since=&limit=&cursor=`: what feeds and listeners in shadow mode would have done. For the role
/// reader.
final class ShadowResource implements Resource {
    private static final String PATH = "/v1/shadow";

    /// Senders of each list that are kept for further pages.
    private static final int MAX_SENDERS = 1_000;

    private final DecisionJournal journal;
    private final Duration timeout;
    private final InstantSource clock;
    private final ReportDesk desk;

    ShadowResource(DecisionJournal journal, Duration timeout, ReportDesk desk, InstantSource clock) {
        this.journal = journal;
        this.timeout = timeout;
        this.clock = clock;
        this.desk = desk;
    }

    /// A page of a [ShadowReport]: feeds and categories are on the first one.
    ///
    /// @param time at which the report was made
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    record Report(
            Instant time,
            Instant since,
            long mails,
            Map<String, Long> messages,
            List<ShadowReport.Row> feeds,
            List<ShadowReport.Row> categories,
            List<ShadowReport.Sender> senders,
            List<ShadowReport.Sender> honest,
            long unreadable,
            long uncounted,
            boolean complete,
            Optional<String> nextCursor) {}

    @Override
    public Answer answer(Request request) throws IOException {
        Instant since = SearchParameters.since(request, clock);
        int limit = SearchParameters.limit(request);
        String sinceText =
                SearchParameters.value(request, SearchParameters.SINCE).orElse("");
        ReportDesk.TimedReport<ShadowReport> timedReport = desk.report(
                PATH,
                sinceText,
                () -> ShadowReport.of(since, MAX_SENDERS, reader -> journal.shadowed(since, timeout, reader)));
        ShadowReport report = timedReport.report();
        Page<ShadowReport.Sender> senders = Page.byNumber(request, limit, report.senders());
        Page<ShadowReport.Sender> honest = Page.byNumber(request, limit, report.honest());
        boolean first = SearchParameters.value(request, SearchParameters.CURSOR).isEmpty();
        return Answer.json(new Report(
                timedReport.time(),
                report.since(),
                report.mails(),
                report.messages(),
                first ? report.feeds() : List.of(),
                first ? report.categories() : List.of(),
                senders.records(),
                honest.records(),
                report.unreadable(),
                report.uncounted(),
                report.complete(),
                senders.nextCursor().or(honest::nextCursor)));
    }
}
