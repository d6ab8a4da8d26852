/// Exact tiers on other machines, and what keeps a slow or broken one from being felt.
///
/// Asked over the network, a tier can be late, wrong or gone. Whatever is not proven is `Unknown`, never "not listed"
/// and never cached; the caller's deadline holds whatever the other side does.
///
/// [GuardedLookup] is what a layer asks: cache, single flight, breaker and bulkhead around a remote tier such as
/// [HttpExactLookup].
///
/// [Zones] are the DNS zones that confirm listings of some feeds: [DnsConfirmation] stands over any tier, so that
/// what goes wrong with a zone never counts against the tier. DNS is spoken behind [DnsClient], by dnsjava.
///
/// Start reading at [GuardedLookup].
@NullMarked
package org.bloomgate.remote;

import org.jspecify.annotations.NullMarked;
