/// The DNS listener: serves the current lists as a DNS blocklist (RFC 5782), over UDP and TCP on one port.
///
/// [Question] parses a query, [Responder] answers it and [AnswerWriter] writes the answer, all without
/// allocating. A name that is surely not listed is answered on the thread that read the query; so is a suspect
/// whose exact tier is a store on this machine. Any other suspect gets a thread of its own. The lookup is that
/// of all other listeners; [ServedZone] alone decides which listings a zone contains.
///
/// A name that is not listed may have listed names below it. [ListedParents] knows these names, which are
/// answered "no such record" and not "no such name": a resolver that minimises names (RFC 9156) would stop
/// there (RFC 8020).
///
/// A failed lookup is answered SERVFAIL with an extended error (RFC 8914), never with an address.
///
/// Start reading at [DnsListener] and [Responder].
@NullMarked
package org.bloomgate.server.dns;

import org.jspecify.annotations.NullMarked;
