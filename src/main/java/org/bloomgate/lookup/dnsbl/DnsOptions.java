package org.bloomgate.lookup.dnsbl;

import java.time.Duration;
import java.util.List;
import org.bloomgate.base.config.NotASetting;

/// The `exact.dns` section of the configuration: the resolvers for DNS lists.
///
/// @param resolvers IP addresses with or without a port, in the order of use; empty for the resolvers of the system
/// @param timeout of one query to one resolver; a caller that has less time does not wait so long, but the answer
///     is there for the next
/// @param selfTest time from one self-test of a zone that passed to the next
public record DnsOptions(
        List<String> resolvers,
        @NotASetting Duration timeout,
        @NotASetting Duration selfTest) {

    public DnsOptions {
        resolvers = List.copyOf(resolvers);
        resolvers.forEach(ResolverAddress::parse);
        if (timeout.toMillis() < 1 || timeout.compareTo(Duration.ofMinutes(1)) > 0) {
            throw new IllegalArgumentException("timeout: " + timeout + " is not at least 1ms and at most 1m");
        }
        if (selfTest.compareTo(Duration.ofSeconds(1)) < 0 || selfTest.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("selfTest: " + selfTest + " is not at least 1s and at most 1d");
        }
    }

    public static DnsOptions defaults() {
        return new DnsOptions(List.of(), Duration.ofSeconds(1), Duration.ofMinutes(1));
    }
}
