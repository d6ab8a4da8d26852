package org.bloomgate.server.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.bloomgate.decision.evaluation.Generations;
import org.bloomgate.lists.snapshot.LiveStatus;
import org.bloomgate.lookup.tier.LayerLease;
import org.bloomgate.lookup.tier.LayerSource;
import org.bloomgate.server.api.StatusView.ConditionView;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.Problem;
import org.bloomgate.server.http.ProblemType;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.Resource;
import org.bloomgate.server.http.RouteGroup;

/// `GET /health/ready`: ready if there is a snapshot, if the state folders are writable, and if the publisher,
/// if any, has confirmed recently that the snapshot is the newest (`mirror.onExpired: unready`). Names what
/// is wrong at present, with the generation in force. A caller that may not read the status gets no reasons,
/// names and generations.
final class ReadinessResource implements Resource {
    private final LayerSource layers;
    private final Supplier<LiveStatus> status;

    ReadinessResource(LayerSource layers, Supplier<LiveStatus> status) {
        this.layers = layers;
        this.status = status;
    }

    record Readiness(
            String status,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) String snapshot,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) String reason,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ConditionView> refused) {}

    @Override
    public Answer answer(Request request) {
        boolean details = request.caller().may(RouteGroup.STATUS);
        try (LayerLease lease = layers.lease()) {
            Optional<String> notReady =
                    status.get().explainUnreadiness(!lease.layers().isEmpty());
            if (notReady.isPresent()) {
                return Answer.problem(
                        details ? unready(notReady.get(), lease.layers().isEmpty()) : withoutDetails());
            }
            Readiness readiness = readiness(Generations.join(lease.layers()));
            return Answer.json(details ? readiness : new Readiness(readiness.status(), "", "", List.of()));
        }
    }

    private static Problem unready(String reason, boolean empty) {
        return empty ? Problem.of(ProblemType.NO_SNAPSHOT, reason) : Problem.unavailable(reason);
    }

    private static Problem withoutDetails() {
        return Problem.unavailable("not ready; the role reader sees why");
    }

    /// Still 200 when many lookups fail: a shared store that fails must not take every gateway out of a load
    /// balancer.
    private Readiness readiness(String snapshot) {
        LiveStatus current = status.get();
        Optional<String> degraded = current.findDegradation();
        return new Readiness(
                degraded.isPresent() ? "degraded" : "ready", snapshot, degraded.orElse(""), ConditionView.of(current));
    }
}
