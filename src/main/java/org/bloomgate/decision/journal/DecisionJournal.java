package org.bloomgate.decision.journal;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Records decisions and finds them again. Thread-safe.
public interface DecisionJournal extends AutoCloseable {

    /// Records a decision without waiting for the disk.
    void record(Decision decision);

    Optional<Decision> find(String token);

    /// Searches for decisions; a journal that does not store them finds none.
    ///
    /// @param from where an earlier search with the same query ended; empty to begin with the newest decision
    /// @param within how long it may take
    /// @throws IOException when the journal cannot be read
    default SearchResult find(DecisionQuery query, Optional<JournalPosition> from, Duration within) throws IOException {
        return new SearchResult(List.of(), Optional.empty(), Optional.empty());
    }

    /// Reads the actions that shadow mode prevented; a journal that does not store decisions has none.
    ///
    /// @param within how long it may take
    /// @throws IOException when the journal cannot be read
    default ShadowScan.Totals shadowed(Instant since, Duration within, ShadowScan.Reader reader) throws IOException {
        return new ShadowScan.Totals(0, 0, true);
    }

    /// The result of a query.
    ///
    /// @param decisions newest first, at most the requested number
    /// @param next where to continue if the limit was reached or the time was up; empty if everything was searched
    /// @param back everything newer was searched; empty if there are no decisions
    record SearchResult(List<Decision> decisions, Optional<JournalPosition> next, Optional<Instant> back) {
        public SearchResult {
            decisions = List.copyOf(decisions);
        }
    }

    /// The totals of the last 24 hours; all zero for a journal that does not count.
    default DayTotals dayUntil(Instant now) {
        return new MessageCounts().day(now);
    }

    /// The messages of the last 14 days by hour; none for a journal that does not count.
    default HourTotals hoursUntil(Instant now) {
        return new MessageCounts().hours(now);
    }

    @Override
    void close();
}
