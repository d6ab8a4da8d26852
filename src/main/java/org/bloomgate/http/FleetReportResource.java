package org.bloomgate.http;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.bloomgate.fleet.Fleet;
import org.bloomgate.web.AdminToken;
import org.bloomgate.web.Answer;
import org.bloomgate.web.Problem;
import org.bloomgate.web.ProblemException;
import org.bloomgate.web.Request;
import org.bloomgate.web.RequestJson;
import org.bloomgate.web.Resource;
import org.bloomgate.web.Route;
import org.bloomgate.web.Tokens;
import org.bloomgate.wire.MirrorReport;

/// `POST /v1/fleet/report`: a mirror tells how it is, with the token that `publisher.tokens` has for it.
final class FleetReportResource implements Resource {
    private static final RequestJson<MirrorReport> REPORT = RequestJson.withOptionalFields(
            MirrorReport.class, "{\"layers\": [..], \"faults\": [..], \"entries\": [..], ..}");

    private final Fleet fleet;

    FleetReportResource(Fleet fleet) {
        this.fleet = fleet;
    }

    @Override
    public Route route() {
        return Route.post(MirrorReport.PATH, List.of(JSON), MirrorReport.MAX_BYTES)
                .with();
    }

    @Override
    public Answer answer(Request request) throws IOException {
        if (fleet.isEmpty()) {
            throw new ProblemException(
                    Problem.of(403, "Forbidden", "switched off: set publisher.tokens in the configuration"));
        }
        Optional<String> mirror = AdminToken.bearer(request).flatMap(fleet::mirrorOf);
        if (mirror.isEmpty()) {
            throw Tokens.refused("send Authorization: Bearer and the token of a mirror");
        }
        if (!fleet.take(mirror.get(), REPORT.read(request.body()))) {
            throw new ProblemException(Problem.of(429, "Too Many Requests", "a mirror reports once a second at most"));
        }
        return Answer.empty(204);
    }
}
