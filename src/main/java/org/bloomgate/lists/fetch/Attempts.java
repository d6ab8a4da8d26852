package org.bloomgate.lists.fetch;

import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.random.RandomGenerator;

/// Repeats what a network may fail at for a moment, with pauses that double and are spread at random, so that many
/// installations that failed together do not come back together. Thread-safe.
final class Attempts {
    static final int MAX = 4;

    /// If no process listens, the host refuses at once, and a service that restarts is back within a moment.
    static final int MAX_REFUSED = 2;

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

    /// Longest pause a server may ask for by `Retry-After`; the next rebuild comes anyhow.
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    private final Pauses pauses;
    private final RandomGenerator random;

    Attempts(Pauses pauses, RandomGenerator random) {
        this.pauses = pauses;
        this.random = random;
    }

    /// Waits.
    interface Pauses {
        void pause(Duration duration) throws InterruptedException;
    }

    /// One attempt.
    interface Attempt<T> {
        T run() throws IOException, InterruptedException;
    }

    /// A fault that may be over in a moment.
    static final class PassingFault extends IOException {
        private static final long serialVersionUID = 1L;

        private final Duration wait;

        /// @param wait at least this long, as the server requested; zero if it did not
        PassingFault(String reason, Duration wait) {
            super(reason);
            this.wait = wait;
        }
    }

    /// @param until no pause goes beyond this, in [System#nanoTime()]
    /// @throws IOException of the last attempt; a [FeedRefusedException] is final at once
    <T> T run(Attempt<T> attempt, long until) throws IOException, InterruptedException {
        for (int number = 1; ; number++) {
            try {
                return attempt.run();
            } catch (FeedRefusedException last) {
                throw last;
            } catch (IOException passing) {
                Duration pause = pause(number, passing);
                int most = passing instanceof ConnectException ? MAX_REFUSED : MAX;
                if (number >= most || System.nanoTime() + pause.toNanos() - until >= 0) {
                    throw passing;
                }
                pauses.pause(pause);
            }
        }
    }

    /// Half to one and a half of 1, 2, 4 seconds, and no less than the server requested.
    private Duration pause(int number, IOException fault) {
        Duration wait = FIRST_PAUSE.multipliedBy(1L << (number - 1));
        Duration spread = wait.dividedBy(2).plusMillis(random.nextLong(wait.toMillis()));
        Duration queried = fault instanceof PassingFault passing ? passing.wait : Duration.ZERO;
        Duration bounded = queried.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : queried;
        return spread.compareTo(bounded) > 0 ? spread : bounded;
    }
}
