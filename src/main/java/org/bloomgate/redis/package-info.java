/// The exact tier of a fleet in a Redis or Valkey Cluster: published by the rebuild, asked by gateways.
///
/// A missing key means "not listed" only where the marker of its generation stands in the same bucket: a node that lost
/// its data is `Unknown`.
///
/// Doors: `key`, `verdict`, `lookup`, `exact` (listings are stored in the same octets), `snapshot`.
@NullMarked
package org.bloomgate.redis;

import org.jspecify.annotations.NullMarked;
