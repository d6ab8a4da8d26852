package org.bloomgate.http;

import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.bloomgate.report.FeedRow;
import org.bloomgate.report.FeedsReport;
import org.bloomgate.report.ReportSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// `GET /v1/feeds/report?since=`: what each feed is worth, as the command `feeds report` tells it. For the admin or the
/// read token. It walks the journal and the stores, seconds long on a large journal: one at a time.
final class FeedsReportResource implements Resource {
    private static final Logger LOG = LoggerFactory.getLogger(FeedsReportResource.class);

    private final ReportSource reports;
    private final Tokens tokens;
    private final InstantSource clock;
    private final ReentrantLock busy = new ReentrantLock();

    FeedsReportResource(ReportSource reports, HttpOptions options, InstantSource clock) {
        this.reports = reports;
        this.tokens = Tokens.of(options);
        this.clock = clock;
    }

    /// @param decisions looked at
    /// @param unreadable lines of the journal
    /// @param untold hits of which nobody can tell whether they are listed still
    record Report(Instant since, long decisions, long suspects, long unreadable, long untold, List<FeedRow> feeds) {
        static Report of(FeedsReport made) {
            return new Report(
                    made.since(), made.decisions(), made.suspects(), made.unreadable(), made.untold(), made.feeds());
        }
    }

    @Override
    public Route route() {
        return Route.get("/v1/feeds/report").with(LookedBack.SINCE);
    }

    @Override
    public Answer answer(Request request) {
        tokens.requireReader(request);
        Instant since = LookedBack.since(request, "30d", clock);
        if (!busy.tryLock()) {
            throw new ProblemException(Problem.unavailable("another report is being made; ask again"));
        }
        try {
            return Answer.json(Report.of(reports.since(since)));
        } catch (IOException fault) {
            LOG.error("/v1/feeds/report: {}", fault.toString());
            throw new ProblemException(
                    Problem.unavailable("the report could not be made; the fault is in the log of the server"));
        } finally {
            busy.unlock();
        }
    }
}
