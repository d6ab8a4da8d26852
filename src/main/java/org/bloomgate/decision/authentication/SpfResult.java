package org.bloomgate.decision.authentication;

import java.util.Arrays;
import java.util.Locale;

/// The result of an SPF check of MAIL FROM.
///
/// @param domain MAIL FROM's domain in lower case and A-labels; empty without a valid one
record SpfResult(Reason reason, String domain) {
    /// What the mechanism `spf` proves.
    enum Result {
        PASS,
        FAIL,
        UNKNOWN
    }

    /// The result of RFC 7208 2.6, or why there is another one.
    enum Reason {
        PASS(Result.PASS),
        NONE(Result.FAIL),
        NEUTRAL(Result.FAIL),
        SOFTFAIL(Result.FAIL),
        FAIL(Result.FAIL),
        PERMERROR(Result.FAIL),
        /// The record passes nearly every client.
        TOO_WIDE(Result.FAIL),
        /// The listener does not know the client's address.
        NO_CLIENT(Result.FAIL),
        TEMPERROR(Result.UNKNOWN),
        TIMEOUT(Result.UNKNOWN),
        BOUND(Result.UNKNOWN);

        private final Result result;

        Reason(Result result) {
            this.result = result;
        }

        Result result() {
            return result;
        }

        String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        /// The reason with the label of an answer that is unknown; `temperror` if there is none.
        static Reason of(DnsQueries.Answer.Unknown unknown) {
            return Arrays.stream(values())
                    .filter(reason ->
                            reason.result == Result.UNKNOWN && reason.label().equals(unknown.reason()))
                    .findFirst()
                    .orElse(TEMPERROR);
        }
    }

    Result result() {
        return reason.result();
    }
}
