/// Network addresses as text and as values.
///
/// Opens no connection; resolves the name of an address to listen on, and of a host that must be a public one.
///
/// Start reading at [IpLiteral] and [Network].
@NullMarked
package org.bloomgate.base.net;

import org.jspecify.annotations.NullMarked;
