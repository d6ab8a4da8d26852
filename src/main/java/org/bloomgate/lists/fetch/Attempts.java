package org.bloomgate.lists.fetch;

import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.random.RandomGenerator;

/// Repeats network requests that fail temporarily, with pauses that double and are spread at random, so that
/// many installations that failed together do not retry together. Thread-safe.
final class Attempts {
    static final int MAX = 4;

    /// The attempts if the connection is refused: no process listens, and a service that restarts is back soon.
    static final int MAX_REFUSED = 2;

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

    /// The longest pause that a server may request by `Retry-After`; after that, the next rebuild tries again.
    private static final Duration MAX_PAUSE = Duration.ofMinutes(1);

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

    /// A temporary fault.
    static final class TemporaryFault extends IOException {
        private static final long serialVersionUID = 1L;

        private final Duration wait;

        /// @param wait at least this long, as the server requested; zero if it did not
        TemporaryFault(String reason, Duration wait) {
            super(reason);
            this.wait = wait;
        }
    }

    /// @param until end of the last pause at the latest, in [System#nanoTime()]
    /// @throws IOException of the last attempt; a [FeedRefusedException] is final at once
    <T> T run(Attempt<T> attempt, long until) throws IOException, InterruptedException {
        for (int number = 1; ; number++) {
            try {
                return attempt.run();
            } catch (FeedRefusedException e) {
                throw e;
            } catch (IOException e) {
                Duration pause = pause(number, e);
                int limit = e instanceof ConnectException ? MAX_REFUSED : MAX;
                if (number >= limit || System.nanoTime() + pause.toNanos() - until >= 0) {
                    throw e;
                }
                pauses.pause(pause);
            }
        }
    }

    /// A random time between a half and one and a half of 1, 2 or 4 seconds, but not less than the server
    /// requested.
    private Duration pause(int number, IOException fault) {
        Duration wait = FIRST_PAUSE.multipliedBy(1L << (number - 1));
        Duration spread = wait.dividedBy(2).plusMillis(random.nextLong(wait.toMillis()));
        Duration requested = fault instanceof TemporaryFault temporary ? temporary.wait : Duration.ZERO;
        Duration bounded = requested.compareTo(MAX_PAUSE) > 0 ? MAX_PAUSE : requested;
        return spread.compareTo(bounded) > 0 ? spread : bounded;
    }
}
