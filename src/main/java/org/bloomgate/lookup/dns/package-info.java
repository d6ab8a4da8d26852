/// The DNS client: resolvers over UDP and TCP, and one cache of their answers.
///
/// It must not decide what an answer means for a list or a sender. What could not be looked up is a
/// [DnsReply.Failed], never the absence of a record.
///
/// Start reading at [DnsClient].
@NullMarked
package org.bloomgate.lookup.dns;

import org.jspecify.annotations.NullMarked;
