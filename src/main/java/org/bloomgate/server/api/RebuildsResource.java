package org.bloomgate.server.api;

import java.io.IOException;
import java.util.List;
import org.bloomgate.base.io.IoText;
import org.bloomgate.lists.snapshot.PastRebuild;
import org.bloomgate.lists.snapshot.RebuildHistory;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.Problem;
import org.bloomgate.server.http.ProblemException;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.Resource;
import org.bloomgate.server.http.Role;
import org.bloomgate.server.http.Route;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// `GET /v1/rebuilds?layer=&limit=`: how rebuilds ended, newest first. For the role reader.
final class RebuildsResource implements Resource {
    private static final Logger LOG = LoggerFactory.getLogger(RebuildsResource.class);

    private final RebuildHistory history;

    RebuildsResource(RebuildHistory history) {
        this.history = history;
    }

    record Rebuilds(List<PastRebuild> rebuilds) {}

    @Override
    public Route route() {
        return Route.get("/v1/rebuilds", Role.READER).with("layer", LookedBack.LIMIT);
    }

    @Override
    public Answer answer(Request request) {
        int limit = LookedBack.limit(request);
        try {
            return Answer.json(
                    new Rebuilds(history.find(request.query("layer").filter(layer -> !layer.isBlank()), limit)));
        } catch (IOException fault) {
            LOG.error("/v1/rebuilds: {}", IoText.describe(fault));
            throw new ProblemException(
                    Problem.unavailable("the history could not be read; the fault is in the log of the server"));
        }
    }
}
