package org.bloomgate.lookup.dnsbl;

import java.time.Instant;

/// How a zone's self-test stands.
///
/// @param fault what went wrong; empty unless it failed
/// @param since when it stands so
public record ZoneStatus(String zone, State state, String fault, Instant since) {

    public enum State {
        /// The first test is under way: questions wait for it.
        UNTESTED,
        PASSED,
        /// Nothing is believed of the zone.
        FAILED
    }
}
