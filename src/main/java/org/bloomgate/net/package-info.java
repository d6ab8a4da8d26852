/// Addresses of the network as text and as values, written once for every room.
///
/// Resolves no name and opens no connection.
///
/// Doors: none. Start reading at [IpLiteral].
@NullMarked
package org.bloomgate.net;

import org.jspecify.annotations.NullMarked;
