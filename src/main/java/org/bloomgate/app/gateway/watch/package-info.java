/// Watches a running service: folders, the exact store, rebuilds and certificates. The faults appear in the status
/// and in the metrics.
///
/// Repairs nothing, and does not know `wiring`.
///
/// Start reading at [StateWatch].
@NullMarked
package org.bloomgate.app.gateway.watch;

import org.jspecify.annotations.NullMarked;
