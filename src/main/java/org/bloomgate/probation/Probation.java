package org.bloomgate.probation;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/// A feed that tags at most until then.
///
/// @param errors values that it listed wrongly, as confirmed within [#TERM] before
/// @param domains registrable domains that they touch
/// @param hits distinct values of it that mail held in that time, as far as the journal goes back, the errors among
/// them
public record Probation(String feed, Instant since, Instant until, int errors, int domains, long hits) {
    public static final Duration TERM = Duration.ofDays(30);

    private static final Duration CLOCK_SLACK = Duration.ofDays(1);

    static Probation begun(String feed, Instant now, int errors, int domains, long hits) {
        return new Probation(feed, now, now.plus(TERM), errors, domains, hits);
    }

    /// One that ends later than any that begins now was begun by a clock that was wrong.
    boolean holdsAt(Instant now) {
        return now.isBefore(until) && !until.isAfter(now.plus(TERM).plus(CLOCK_SLACK));
    }

    /// For a log.
    String text() {
        return String.format(
                Locale.ROOT,
                "feed %s is on probation until %s, its listings tag at most: %d errors in %d registrable domains, of %d"
                        + " values that it hit",
                feed,
                until,
                errors,
                domains,
                hits);
    }
}
