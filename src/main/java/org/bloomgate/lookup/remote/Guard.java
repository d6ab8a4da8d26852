package org.bloomgate.lookup.remote;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.bloomgate.lookup.remote.RemoteCounts.Total;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.bloomgate.lookup.tier.UnknownReason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Circuit breaker and bulkhead (a bound on calls at one time) around one remote tier, shared by the lookups of all
/// layers. Never waits: a call is permitted at once or not made. Thread-safe.
///
/// A call has failed if any of its answers means that the other side did not work ([UnknownReason#fault()]). A
/// server that works and cannot answer, for example because it lags behind, is still queried: it knows most of
/// the listings.
public final class Guard {
    private static final Logger LOG = LoggerFactory.getLogger(Guard.class);

    /// Calls in the half-open state that decide whether the breaker closes.
    private static final int TRIAL_CALLS = 3;

    private final CircuitBreaker breaker;
    private final Semaphore bulkhead;
    private final Duration patience;
    private final RemoteCounts counts;

    /// @param name of the tier, for the log
    /// @param concurrency the most calls at one time
    /// @param patience for one call, even if its first caller has less time: the answer is cached for others
    /// @param clock for the time that the breaker stays open
    public Guard(String name, BreakerOptions options, int concurrency, Duration patience, Clock clock) {
        this.patience = patience;
        breaker = CircuitBreaker.of(
                name,
                CircuitBreakerConfig.custom()
                        .slidingWindowType(CircuitBreakerConfig.SlidingWindowType.COUNT_BASED)
                        .slidingWindowSize(options.calls())
                        .minimumNumberOfCalls(options.calls())
                        .failureRateThreshold((float) (options.failureRate() * 100))
                        .slowCallRateThreshold(100)
                        .slowCallDurationThreshold(Duration.ofDays(1))
                        .waitDurationInOpenState(options.openFor())
                        .permittedNumberOfCallsInHalfOpenState(TRIAL_CALLS)
                        .writableStackTraceEnabled(false)
                        .clock(clock)
                        .build());
        bulkhead = new Semaphore(concurrency);
        counts = new RemoteCounts(breaker, concurrency, () -> concurrency - bulkhead.availablePermits());
        breaker.getEventPublisher()
                .onStateTransition(event -> LOG.warn(
                        "{}: breaker {}",
                        name,
                        event.getStateTransition().getToState().name()));
    }

    public RemoteCounts counts() {
        return counts;
    }

    Duration patience() {
        return patience;
    }

    /// Permits one call, which must be ended with [#endCall], and returns empty; otherwise returns the reason.
    Optional<UnknownReason> tryBeginCall() {
        if (!bulkhead.tryAcquire()) {
            counts.add(Total.NOT_PERMITTED, 1);
            return Optional.of(UnknownReason.BULKHEAD_FULL);
        }
        if (!breaker.tryAcquirePermission()) {
            bulkhead.release();
            counts.add(Total.NOT_PERMITTED, 1);
            return Optional.of(UnknownReason.BREAKER_OPEN);
        }
        return Optional.empty();
    }

    /// Ends a permitted call.
    void endCall(List<ExactAnswer> answers, Duration duration) {
        if (answers.stream().anyMatch(Guard::isFault)) {
            breaker.onError(duration.toNanos(), TimeUnit.NANOSECONDS, new Fault());
            counts.add(Total.FAILURES, 1);
        } else {
            breaker.onSuccess(duration.toNanos(), TimeUnit.NANOSECONDS);
        }
        bulkhead.release();
        counts.recordCall(duration);
    }

    private static boolean isFault(ExactAnswer answer) {
        return answer instanceof ExactAnswer.Unknown unknown
                && UnknownReason.of(unknown).filter(UnknownReason::fault).isPresent();
    }

    /// The breaker requires a throwable; the cause is in the answers.
    private static final class Fault extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private Fault() {
            super("fault", null, false, false);
        }
    }
}
