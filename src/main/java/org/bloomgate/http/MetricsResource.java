package org.bloomgate.http;

import org.bloomgate.metrics.GatewayMetrics;
import org.bloomgate.web.Answer;
import org.bloomgate.web.Request;
import org.bloomgate.web.Resource;
import org.bloomgate.web.Route;

/// `GET /metrics`: the counts of the gateway in Prometheus' text format.
final class MetricsResource implements Resource {
    private static final String TEXT_FORMAT = "text/plain; version=0.0.4; charset=utf-8";

    private final GatewayMetrics metrics;

    MetricsResource(GatewayMetrics metrics) {
        this.metrics = metrics;
    }

    @Override
    public Route route() {
        return Route.get("/metrics");
    }

    @Override
    public Answer answer(Request request) {
        return Answer.text(TEXT_FORMAT, metrics.scrape());
    }
}
