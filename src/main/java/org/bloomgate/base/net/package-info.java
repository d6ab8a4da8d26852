/// Network addresses, rate limits and memory budgets for clients, and HTTP exchanges within bounds.
///
/// It resolves only the name of an address to listen on, and of a host that must be a public one.
///
/// Start reading at [IpLiteral] and [Network].
@NullMarked
package org.bloomgate.base.net;

import org.jspecify.annotations.NullMarked;
