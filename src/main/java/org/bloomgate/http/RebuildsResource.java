package org.bloomgate.http;

import java.io.IOException;
import java.util.List;
import org.bloomgate.disk.IoText;
import org.bloomgate.snapshot.PastRebuild;
import org.bloomgate.snapshot.RebuildHistory;
import org.bloomgate.web.Answer;
import org.bloomgate.web.HttpOptions;
import org.bloomgate.web.Problem;
import org.bloomgate.web.ProblemException;
import org.bloomgate.web.Request;
import org.bloomgate.web.Resource;
import org.bloomgate.web.Route;
import org.bloomgate.web.Tokens;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// `GET /v1/rebuilds?layer=&limit=`: how rebuilds ended, newest first. For the admin or the read token.
final class RebuildsResource implements Resource {
    private static final Logger LOG = LoggerFactory.getLogger(RebuildsResource.class);

    private final RebuildHistory history;
    private final Tokens tokens;

    RebuildsResource(RebuildHistory history, HttpOptions options) {
        this.history = history;
        this.tokens = Tokens.of(options);
    }

    record Rebuilds(List<PastRebuild> rebuilds) {}

    @Override
    public Route route() {
        return Route.get("/v1/rebuilds").with("layer", LookedBack.LIMIT);
    }

    @Override
    public void admit(Request request) {
        tokens.requireReader(request);
    }

    @Override
    public Answer answer(Request request) {
        int limit = LookedBack.limit(request);
        try {
            return Answer.json(
                    new Rebuilds(history.find(request.query("layer").filter(layer -> !layer.isBlank()), limit)));
        } catch (IOException fault) {
            LOG.error("/v1/rebuilds: {}", IoText.told(fault));
            throw new ProblemException(
                    Problem.unavailable("the history could not be read; the fault is in the log of the server"));
        }
    }
}
