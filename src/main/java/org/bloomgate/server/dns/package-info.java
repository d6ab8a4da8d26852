/// The DNS listener: a view of what is in force as a list of domains in DNS (RFC 5782), over UDP and TCP on one
/// port.
///
/// A question is read by [Question], answered by [Responder] in the order that a contents page has, and written
/// by [Answer], all by hand and without an object. What is surely not listed is answered on the thread that
/// read it; so is a suspect whose exact tier is a store on this machine. Any other suspect is handed to a
/// thread of its own. Whether something is listed is said by the lookup that every other listener asks; which
/// listings a zone tells of is in [Zone] alone.
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
