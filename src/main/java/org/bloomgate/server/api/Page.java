package org.bloomgate.server.api;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.bloomgate.core.text.TextScan;
import org.bloomgate.server.http.ProblemException;
import org.bloomgate.server.http.Request;

/// The records of one answer, newest first or in another fixed order.
///
/// @param nextCursor where the next answer begins; empty after the last record
record Page<T>(List<T> records, Optional<String> nextCursor) {
    private static final String SEPARATOR = "~";

    Page {
        records = List.copyOf(records);
    }

    /// Where a page of records with times begins.
    ///
    /// @param time of the last record on the page before
    /// @param same number of records with this time on the pages before
    private record After(Instant time, int same) {
        static Optional<After> parse(String text) {
            List<String> parts = TextScan.split(text, c -> SEPARATOR.indexOf(c) >= 0);
            try {
                Instant time = Instant.parse(parts.getFirst());
                return parts.size() == 2 ? number(parts.get(1)).map(same -> new After(time, same)) : Optional.empty();
            } catch (DateTimeException other) {
                return Optional.empty();
            }
        }
    }

    /// The page that limit and cursor of a request select. Records that were added or removed since the page
    /// before do not displace others.
    ///
    /// @throws ProblemException if limit or cursor is invalid
    static <T> Page<T> byTime(Request request, List<T> records, Function<T, Instant> time) {
        int limit = SearchParameters.limit(request);
        Optional<After> after = SearchParameters.position(request, After::parse);
        List<T> sorted =
                records.stream().sorted(Comparator.comparing(time).reversed()).toList();
        int from = 0;
        if (after.isPresent()) {
            Instant last = after.get().time();
            int newer = first(sorted, record -> !time.apply(record).isAfter(last));
            int older = first(sorted, record -> time.apply(record).isBefore(last));
            from = Math.min(newer + after.get().same(), older);
        }
        List<T> page = sorted.subList(from, Math.min(sorted.size(), from + limit));
        if (from + page.size() == sorted.size()) {
            return new Page<>(page, Optional.empty());
        }
        Instant last = time.apply(page.getLast());
        int same =
                from + page.size() - first(sorted, record -> !time.apply(record).isAfter(last));
        return new Page<>(page, Optional.of(SearchParameters.cursor(last + SEPARATOR + same)));
    }

    /// The first position whose record meets a condition, which all records after it meet too.
    private static <T> int first(List<T> sorted, Predicate<T> condition) {
        int from = 0;
        int to = sorted.size();
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (condition.test(sorted.get(middle))) {
                to = middle;
            } else {
                from = middle + 1;
            }
        }
        return from;
    }

    /// The same for a list in another fixed order: the cursor is a position.
    ///
    /// @throws ProblemException if the cursor is invalid
    static <T> Page<T> byNumber(Request request, int limit, List<T> records) {
        int from = Math.min(
                records.size(), SearchParameters.position(request, Page::number).orElse(0));
        int to = Math.min(records.size(), from + limit);
        return new Page<>(
                records.subList(from, to),
                to == records.size() ? Optional.empty() : Optional.of(SearchParameters.cursor(Integer.toString(to))));
    }

    /// Parses at most nine digits, so that the size of a list can be added to the number.
    private static Optional<Integer> number(String text) {
        return TextScan.consistsOf(text, TextScan::isDigit, 1, 9)
                ? Optional.of(Integer.valueOf(text))
                : Optional.empty();
    }
}
