/// Binds counts and figures that other packages keep to the names Prometheus sees. What there is stands in
/// `docker/METRICS.md`.
///
/// Counts nothing by itself: a room counts what it does, and this one reads it when somebody asks.
///
/// Start reading at [GatewayMetrics].
@NullMarked
package org.bloomgate.server.metrics;

import org.jspecify.annotations.NullMarked;
