package org.bloomgate.http;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.bloomgate.journal.DecisionJournal;
import org.bloomgate.report.ShadowReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// `GET /v1/shadow?since=&limit=`: what shadow mode and feeds on trial would have done. For the admin or the read
/// token.
final class ShadowResource implements Resource {
    private static final Logger LOG = LoggerFactory.getLogger(ShadowResource.class);

    private final DecisionJournal journal;
    private final Tokens tokens;
    private final Duration timeout;
    private final InstantSource clock;

    ShadowResource(DecisionJournal journal, HttpOptions options, InstantSource clock) {
        this.journal = journal;
        this.tokens = Tokens.of(options);
        this.timeout = options.requestTimeout();
        this.clock = clock;
    }

    @Override
    public Route route() {
        return Route.get("/v1/shadow").with(LookedBack.SINCE, LookedBack.LIMIT);
    }

    @Override
    public Answer answer(Request request) {
        tokens.requireReader(request);
        Instant since = LookedBack.since(request, clock);
        int limit = LookedBack.limit(request);
        try {
            return Answer.json(ShadowReport.of(since, limit, reader -> journal.shadowed(since, timeout, reader)));
        } catch (IOException fault) {
            LOG.error("/v1/shadow: {}", fault.toString());
            throw new ProblemException(
                    Problem.unavailable("the journal could not be read; the fault is in the log of the server"));
        }
    }
}
