package org.bloomgate.server.api;

import java.io.IOException;
import java.util.List;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.Resource;
import org.bloomgate.server.http.Route;

/// `POST /v1/rollback`: makes an earlier generation of a layer current. For the role admin.
final class RollbackResource implements Resource {
    private final LayerChangeStart start;

    RollbackResource(LayerChangeStart start) {
        this.start = start;
    }

    @Override
    public Route route() {
        return start.route("/v1/rollback", List.of("POST")).with();
    }

    @Override
    public Answer answer(Request request) throws IOException {
        return start.answer(request, LayerChanges.Operation.ROLLBACK);
    }
}
