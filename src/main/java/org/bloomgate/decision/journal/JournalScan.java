package org.bloomgate.decision.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.function.Consumer;

/// Reads the findings and filter hits of the journal, newest first. Only lines with findings or filter hits are
/// parsed. The others, nearly all lines, are only counted.
///
/// A line contains each of the markers `"found":[` and `"filters":[` at most once, because quotes inside a JSON
/// string are escaped.
/// Used by one thread.
public final class JournalScan {
    private static final String FOUND = "\"found\":[";
    private static final String FILTERS = "\"filters\":[";

    private static final ObjectReader READER = DecisionLine.JSON.readerFor(DecisionFindings.class);

    /// The decimal place at which the reading of a number stops, so that it cannot overflow.
    private static final long MAX_UNIT = 1_000_000_000_000L;

    private final String since;
    private final Consumer<DecisionFindings> consumer;
    private long decisions;
    private long suspects;
    private long unreadable;

    /// Counts of one scan.
    ///
    /// @param decisions since the requested instant
    /// @param suspects of all these decisions
    /// @param unreadable lines that are torn or not decisions
    public record Totals(long decisions, long suspects, long unreadable) {}

    private JournalScan(Instant since, Consumer<DecisionFindings> consumer) {
        this.since = DecisionLine.second(since);
        this.consumer = consumer;
    }

    /// Passes on every decision since an instant, to the second, that has findings or filter hits.
    ///
    /// @param directory of the day files; one that does not exist yet contains no decision
    public static Totals scan(Instant since, Path directory, Consumer<DecisionFindings> consumer) throws IOException {
        JournalScan scan = new JournalScan(since, consumer);
        JournalWalk.newestFirst(directory, JournalWalk.Span.since(since), line -> {
            scan.readLine(line);
            return true;
        });
        return new Totals(scan.decisions, scan.suspects, scan.unreadable);
    }

    private void readLine(String line) {
        String second = DecisionLine.secondOf(line);
        int found = line.indexOf(FOUND);
        if (second.isEmpty() || found < 0 || !line.endsWith("}")) {
            unreadable++;
        } else if (second.compareTo(since) >= 0) {
            decisions++;
            long suspectCount = numberBefore(line, found - 1);
            suspects += suspectCount;
            int contentStart = found + FOUND.length();
            if (line.charAt(contentStart) != ']' || (suspectCount > 0 && line.indexOf(FILTERS, contentStart) >= 0)) {
                parse(line);
            }
        }
    }

    private void parse(String line) {
        try {
            consumer.accept(READER.readValue(line));
        } catch (JsonProcessingException e) {
            unreadable++;
        }
    }

    /// Returns the number that ends before `end`; 0 if there is none. The field before `found` is `suspects`.
    private static long numberBefore(String line, int end) {
        long number = 0;
        long unit = 1;
        for (int i = end - 1; i >= 0 && line.charAt(i) >= '0' && line.charAt(i) <= '9' && unit < MAX_UNIT; i--) {
            number += unit * (line.charAt(i) - '0');
            unit *= 10;
        }
        return number;
    }
}
