package org.bloomgate.server.api;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.bloomgate.lists.report.FeedRow;
import org.bloomgate.lists.report.FeedsReport;
import org.bloomgate.lists.report.ReportSource;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.Resource;
import org.bloomgate.server.http.Role;
import org.bloomgate.server.http.Route;

/// `GET /v1/feeds/report?since=`: the use of each feed, as the command `feeds report` prints it. For the role
/// reader.
final class FeedsReportResource implements Resource {
    private final ReportSource reports;
    private final InstantSource clock;
    private final ReportDesk quarantineService;

    FeedsReportResource(ReportSource reports, InstantSource clock, ReportDesk quarantineService) {
        this.reports = reports;
        this.clock = clock;
        this.quarantineService = quarantineService;
    }

    /// @param decisions looked at
    /// @param unreadable lines of the journal
    /// @param untold hits for which it is unknown whether they are still listed
    record Report(Instant since, long decisions, long suspects, long unreadable, long untold, List<FeedRow> feeds) {
        static Report of(FeedsReport made) {
            return new Report(
                    made.since(), made.decisions(), made.suspects(), made.unreadable(), made.untold(), made.feeds());
        }
    }

    @Override
    public Route route() {
        return Route.get("/v1/feeds/report", Role.READER).with(LookedBack.SINCE);
    }

    @Override
    public Answer answer(Request request) {
        Instant since = LookedBack.since(request, "30d", clock);
        return quarantineService.answer("/v1/feeds/report", () -> Report.of(reports.since(since)));
    }
}
