package org.bloomgate.lookup.dnsbl;

import java.time.Instant;

/// The state of a zone's self-test.
///
/// @param fault what went wrong; empty unless it failed
/// @param since start of the state
public record ZoneStatus(String zone, State state, String fault, Instant since) {

    public enum State {
        /// The first test is in progress: queries wait for it.
        UNTESTED,
        PASSED,
        /// Nothing is believed of the zone.
        FAILED
    }
}
