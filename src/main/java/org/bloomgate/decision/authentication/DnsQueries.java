package org.bloomgate.decision.authentication;

import org.bloomgate.lookup.dns.DnsQuestion.RecordType;
import org.bloomgate.lookup.dns.DnsReply;

/// The DNS, as the mechanisms of one authentication query it. A call blocks until there is an answer or a bound is
/// reached; it never throws for what a server answers. Used by one thread.
interface DnsQueries {
    /// Queries the records of a name.
    ///
    /// @param name ASCII, without a final dot, as a stranger wrote it. The answer for a name that cannot be
    ///     queried is [DnsReply.Absent]
    DnsReply query(String name, RecordType type);
}
