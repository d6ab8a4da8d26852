package org.bloomgate.decision.authentication;

import org.bloomgate.base.config.Labelled;
import org.bloomgate.lookup.dns.DnsReply;

/// The result of an SPF check of MAIL FROM.
///
/// @param domain MAIL FROM's domain in lower case and A-labels; empty without a valid one
record SpfResult(Reason reason, String domain) {
    /// The result of RFC 7208 2.6, or why there is another one.
    enum Reason implements Labelled {
        PASS(MechanismResult.PASS),
        NONE(MechanismResult.FAIL),
        NEUTRAL(MechanismResult.FAIL),
        SOFTFAIL(MechanismResult.FAIL),
        FAIL(MechanismResult.FAIL),
        PERMERROR(MechanismResult.FAIL),
        /// The record passes nearly every client.
        TOO_WIDE(MechanismResult.FAIL),
        /// The listener does not know the client's address.
        NO_CLIENT(MechanismResult.FAIL),
        TEMPERROR(MechanismResult.UNKNOWN),
        TIMEOUT(MechanismResult.UNKNOWN),
        BOUND(MechanismResult.UNKNOWN);

        private final MechanismResult result;

        Reason(MechanismResult result) {
            this.result = result;
        }

        MechanismResult result() {
            return result;
        }

        static Reason of(DnsReply.Cause cause) {
            return switch (cause) {
                case TIMEOUT -> TIMEOUT;
                case BOUND -> BOUND;
                case ERROR -> TEMPERROR;
            };
        }
    }

    MechanismResult result() {
        return reason.result();
    }
}
