/// Binds counts and figures that other packages keep to the names Prometheus sees. What there is stands in
/// `docker/METRICS.md`.
///
/// Counts nothing itself: each package counts its own events, and this one reads the counters when metrics are
/// queried.
///
/// Start reading at [GatewayMetrics].
@NullMarked
package org.bloomgate.server.metrics;

import org.jspecify.annotations.NullMarked;
