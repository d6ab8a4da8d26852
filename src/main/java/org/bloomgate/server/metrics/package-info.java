/// Binds counters and figures of other packages to Prometheus metrics. `docker/METRICS.md` lists them.
///
/// Counts nothing itself: each package counts its own events, and this one reads the counters when metrics are
/// queried.
///
/// Start reading at [GatewayMetrics].
@NullMarked
package org.bloomgate.server.metrics;

import org.jspecify.annotations.NullMarked;
