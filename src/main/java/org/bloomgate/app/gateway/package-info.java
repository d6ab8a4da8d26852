/// Assembles a service from its configuration: what the configuration holds, the tiers, the relay and the
/// endpoint, how a running one takes over another configuration, and how all of it is closed.
///
/// Wires packages together and decides nothing by itself; no command and no text for a user stands here.
///
/// Start reading at [Gateway] and [Tiers].
@NullMarked
package org.bloomgate.app.gateway;

import org.jspecify.annotations.NullMarked;
