package org.bloomgate.server.api;

import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.Resource;
import org.bloomgate.server.http.Route;
import org.bloomgate.server.http.RouteGroup;
import org.bloomgate.server.metrics.GatewayMetrics;

/// `GET /metrics`: the counts of the gateway in Prometheus' text format.
final class MetricsResource implements Resource {
    private static final String TEXT_FORMAT = "text/plain; version=0.0.4; charset=utf-8";

    private final GatewayMetrics metrics;

    MetricsResource(GatewayMetrics metrics) {
        this.metrics = metrics;
    }

    @Override
    public Route route() {
        return Route.get("/metrics", RouteGroup.METRICS);
    }

    @Override
    public Answer answer(Request request) {
        return Answer.text(TEXT_FORMAT, metrics.scrape());
    }
}
