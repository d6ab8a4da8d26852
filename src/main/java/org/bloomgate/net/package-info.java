/// Addresses of the network as text and as values, written once for every room.
///
/// Opens no connection, and resolves no name but that of an address to listen on.
///
/// Doors: none. Start reading at [IpLiteral] and [Network].
@NullMarked
package org.bloomgate.net;

import org.jspecify.annotations.NullMarked;
