package org.bloomgate.server.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.bloomgate.decision.evaluation.Generations;
import org.bloomgate.lists.snapshot.LiveStatus;
import org.bloomgate.lookup.lookup.LayerLease;
import org.bloomgate.lookup.lookup.LayerSource;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.Problem;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.Resource;
import org.bloomgate.server.http.Route;

/// `GET /health/ready`: ready if there is a snapshot, if the state folders are writable, and if the publisher,
/// if any, has confirmed recently that the snapshot is the newest (`mirror.onExpired: unready`). Names newer
/// snapshots that were refused; the gateway continues with the previous one.
final class ReadinessResource implements Resource {
    private final LayerSource layers;
    private final Supplier<LiveStatus> status;

    ReadinessResource(LayerSource layers, Supplier<LiveStatus> status) {
        this.layers = layers;
        this.status = status;
    }

    record Refused(String layer, String generation, Instant at, String reason) {}

    record Readiness(
            String status,
            String snapshot,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) String reason,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Refused> refused) {}

    @Override
    public Route route() {
        return Route.get("/health/ready");
    }

    @Override
    public Answer answer(Request request) {
        List<String> unready = status.get().unready();
        if (!unready.isEmpty()) {
            return Answer.problem(Problem.unavailable(String.join("; ", unready)));
        }
        try (LayerLease lease = layers.lease()) {
            if (!status.get().ready()) {
                return Answer.problem(Problem.unavailable("what the publisher said last has expired"));
            }
            return lease.layers().isEmpty()
                    ? Answer.problem(Problem.unavailable("no snapshot is in force"))
                    : Answer.json(readiness(Generations.of(lease.layers())));
        }
    }

    /// Still 200 when many lookups fail: a shared store that fails must not take every gateway out of a load balancer.
    private Readiness readiness(String snapshot) {
        Optional<String> degraded = status.get().degraded();
        return new Readiness(degraded.isPresent() ? "degraded" : "ready", snapshot, degraded.orElse(""), refused());
    }

    private List<Refused> refused() {
        return status.get().listedBy().stream()
                .map(one -> new Refused(one.layer(), one.generation(), one.at(), one.reason()))
                .toList();
    }
}
