package org.bloomgate.server.http;

import java.net.InetAddress;
import java.util.Optional;
import org.bloomgate.base.net.RateLimiter;

/// The rate limit of checks: the quota of the token if it has one, otherwise the limit of the client's address.
/// Thread-safe.
final class CheckRates {
    private final Optional<RateLimiter> addresses;

    /// @param perSecond for each address; 0: no limit
    CheckRates(int perSecond) {
        addresses = perSecond == 0 ? Optional.empty() : Optional.of(RateLimiter.perSecond(perSecond, System::nanoTime));
    }

    /// @throws ProblemException beyond the limit
    void require(Optional<Caller> caller, Optional<InetAddress> client) {
        Optional<RateLimiter> quota = caller.flatMap(Caller::quota);
        if (quota.isPresent()) {
            requireAllowed(quota.get().tryAcquire(), "this token", "checksPerSecond of its operator");
        } else if (addresses.isPresent() && client.isPresent()) {
            requireAllowed(addresses.get().tryAcquire(client.get()), "this address", "http.checksPerSecond");
        }
    }

    private static void requireAllowed(boolean allowed, String subject, String setting) {
        if (!allowed) {
            throw new ProblemException(Answer.problem(Problem.tooOften(subject + " asks too often: " + setting))
                    .with("Retry-After", "1")
                    .closing());
        }
    }
}
