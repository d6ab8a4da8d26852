package org.bloomgate.server.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.bloomgate.lists.snapshot.PastRebuild;
import org.bloomgate.lists.snapshot.RebuildHistory;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.Resource;

/// `/v1/rebuilds`: `GET` returns the running rebuild and the history, newest first, for the role reader. `POST`
/// starts a rebuild of a layer, for the role admin.
final class RebuildsResource implements Resource {

    private final RebuildHistory history;
    private final LayerChanges changes;
    private final LayerChangeStart start;

    RebuildsResource(RebuildHistory history, LayerChanges changes, LayerChangeStart start) {
        this.history = history;
        this.changes = changes;
        this.start = start;
    }

    /// @param running absent if none is running
    /// @param startable whether this process can start one
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    record Rebuilds(
            Optional<LayerChanges.Running> running,
            boolean startable,
            List<PastRebuild> rebuilds,
            Optional<String> nextCursor) {}

    @Override
    public Answer answer(Request request) throws IOException {
        return request.method().equals("POST")
                ? start.answer(request, LayerChanges.Operation.REBUILD)
                : listHistory(request);
    }

    private Answer listHistory(Request request) throws IOException {
        Page<PastRebuild> page = Page.byTime(
                request, history.find(SearchParameters.value(request, "layer"), Integer.MAX_VALUE), PastRebuild::time);
        return Answer.json(
                new Rebuilds(changes.running(), changes.obstacle().isEmpty(), page.records(), page.nextCursor()));
    }
}
