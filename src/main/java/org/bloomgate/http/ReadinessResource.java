package org.bloomgate.http;

import org.bloomgate.lookup.LayerLease;
import org.bloomgate.lookup.LayerSource;

/// `GET /health/ready`: a snapshot is in force, so that questions have answers.
final class ReadinessResource implements Resource {
    private final LayerSource layers;

    ReadinessResource(LayerSource layers) {
        this.layers = layers;
    }

    record Readiness(String status, String snapshot) {}

    @Override
    public Route route() {
        return Route.get("/health/ready");
    }

    @Override
    public Answer answer(RequestBody body) {
        try (LayerLease lease = layers.lease()) {
            return lease.layers().isEmpty()
                    ? Answer.problem(Problem.unavailable("no snapshot is in force"))
                    : Answer.json(new Readiness("ready", Generations.of(lease.layers())));
        }
    }
}
