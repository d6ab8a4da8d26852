/// Assembles a service from its configuration: what the configuration holds, the tiers, the relay and the
/// endpoint, how a running one takes over another configuration, and how all of it is closed.
///
/// Wires rooms together and decides nothing by itself; no command and no text for a user stands here.
///
/// Doors: `url`, `audit`, `background`, `config`, `contact`, `disk`, `net`, `tls`, `key`, `text`, `lookalike`,
/// `message`, `nexthop`, `verdict`, `feed`, `lookup`, `format`, `exact`, `journal`, `local`, `policy`,
/// `account`, `probation`, `quarantine`, `snapshot`, `wire`, `fleet`, `metrics`, `mirror`, `rebuild`, `redis`,
/// `remote`, `report`, `web`, `judge`, `dns`, `http`, `transit`, `milter`, `smtp`. Start reading at [Gateway]
/// and [Tiers].
@NullMarked
package org.bloomgate.gateway;

import org.jspecify.annotations.NullMarked;
