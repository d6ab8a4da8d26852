package org.bloomgate.lookup.dnsbl;

import java.time.Duration;
import java.util.SortedSet;

/// The DNS answer about the IPv4 addresses of one name.
sealed interface DnsReply {

    /// @param addresses one or more, dotted
    /// @param ttl how long it may be kept, as answered
    record Addresses(SortedSet<String> addresses, Duration ttl) implements DnsReply {}

    /// The name, or an address of it, does not exist.
    ///
    /// @param ttl how long that may be kept (RFC 2308); zero when the zone does not say
    record Absent(Duration ttl) implements DnsReply {}

    /// No answer, or none that can be used: says nothing about the name.
    record Failed(String reason) implements DnsReply {}

    /// The same without the secret of the zone's name.
    default DnsReply masked(ZoneName zone) {
        return this instanceof Failed failed ? new Failed(zone.masked(failed.reason())) : this;
    }

    /// Text for people.
    default String text() {
        return switch (this) {
            case Addresses found ->
                String.join(", ", found.addresses()) + " (TTL " + found.ttl().toSeconds() + " s)";
            case Absent absent -> "no address (TTL " + absent.ttl().toSeconds() + " s)";
            case Failed failed -> failed.reason();
        };
    }
}
