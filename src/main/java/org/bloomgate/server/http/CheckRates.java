package org.bloomgate.server.http;

import java.net.InetAddress;
import java.util.Optional;
import org.bloomgate.base.net.RateTable;

/// The rate limit of requests that check something: that of the token if it has a quota, otherwise that of the
/// client's address. Thread-safe.
public final class CheckRates {
    private final Optional<RateTable> addresses;

    /// @param perSecond for each address; 0: no limit
    public CheckRates(int perSecond) {
        addresses = perSecond == 0 ? Optional.empty() : Optional.of(RateTable.perSecond(perSecond, System::nanoTime));
    }

    /// @throws ProblemException beyond the limit
    void require(Optional<Caller> caller, Optional<InetAddress> client) {
        Optional<RateTable> quota = caller.flatMap(Caller::quota);
        if (quota.isPresent()) {
            refuseUnless(quota.get().allows(), "this token", "checksPerSecond of its operator");
        } else if (addresses.isPresent() && client.isPresent()) {
            refuseUnless(addresses.get().allows(client.get()), "this address", "http.checksPerSecond");
        }
    }

    private static void refuseUnless(boolean allowed, String who, String setting) {
        if (!allowed) {
            throw new ProblemException(Answer.problem(Problem.tooOften(who + " asks too often: " + setting))
                    .with("Retry-After", "1")
                    .closing());
        }
    }
}
