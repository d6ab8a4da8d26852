/// The DNS listener: serves the current lists as a DNS blocklist (RFC 5782), over UDP and TCP on one port.
///
/// [Question] parses a query, [Responder] answers it and [Answer] writes the answer, all without allocating. A
/// name that is surely not listed is answered on the thread that read the query; so is a suspect whose exact
/// tier is a store on this machine. Any other suspect gets a thread of its own. The lookup is that of all other
/// listeners; [Zone] alone decides which listings a zone contains.
///
/// A name that is not listed may have listed names below it. [ListedParents] knows them, so that it is answered "no
/// such record" and not "no such name": resolvers that minimise names (RFC 9156) would ask no further (RFC 8020).
///
/// "I cannot say" is SERVFAIL with an extended error (RFC 8914), never an address.
///
/// Start reading at [DnsListener] and [Responder].
@NullMarked
package org.bloomgate.server.dns;

import org.jspecify.annotations.NullMarked;
