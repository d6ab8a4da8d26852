/// Assembles a service from its configuration: tiers, relay and endpoint; applies another configuration to a
/// running service, and closes all of it.
///
/// Wires packages together and decides nothing itself; it has no commands and no texts for users.
///
/// Start reading at [Gateway] and [Tiers].
@NullMarked
package org.bloomgate.app.gateway.wiring;

import org.jspecify.annotations.NullMarked;
