/// Exact tiers on other machines over HTTP, and what protects mail from a slow or broken one.
///
/// A remote tier can be late, wrong or gone. Whatever is not proven is `Unknown`, never "not listed", and is never
/// cached; the caller's deadline holds whatever the other side does. [RemoteLookup] puts cache, single flight, circuit
/// breaker and bulkhead around a remote tier: [HttpExactLookup], or the published stores of `lookup.store`. Both use a
/// [FailoverClient]. [LookupQuestion] and [LookupReply] are the JSON of `/v1/lookup`, shared by client and server.
///
/// Start reading at [RemoteLookup].
@NullMarked
package org.bloomgate.lookup.remote;

import org.jspecify.annotations.NullMarked;
