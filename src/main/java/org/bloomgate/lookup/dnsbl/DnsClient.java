package org.bloomgate.lookup.dnsbl;

import java.util.concurrent.CompletableFuture;

/// Asks the DNS for the IPv4 addresses of names. Thread-safe.
interface DnsClient {

    /// The answer, later; never exceptionally: what went wrong is a [DnsReply.Failed].
    ///
    /// @param name without a final dot, its labels as they go over the wire
    CompletableFuture<DnsReply> query(String name);
}
