package org.bloomgate.decision.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.function.Consumer;

/// Reads the findings and filter hits of the journal, newest first. Only lines that contain some are parsed; the
/// others, nearly all, are only counted.
///
/// Looks for `"found":[` and `"filters":[`, which are in a line once: quotes within a text have a backslash.
/// Used by one thread.
public final class JournalScan {
    private static final String FOUND = "\"found\":[";
    private static final String FILTERS = "\"filters\":[";

    private static final ObjectReader READER = DecisionLine.JSON.readerFor(DecisionFindings.class);

    /// A number in a line is below this.
    private static final long MAX_UNIT = 1_000_000_000_000L;

    private final String since;
    private final Consumer<DecisionFindings> consumer;
    private long decisions;
    private long suspects;
    private long unreadable;

    /// The number of records read.
    ///
    /// @param decisions since the requested instant
    /// @param suspects keys of all of them for which a filter was positive
    /// @param unreadable lines that are torn or not decisions
    public record Totals(long decisions, long suspects, long unreadable) {}

    private JournalScan(Instant since, Consumer<DecisionFindings> consumer) {
        this.since = DecisionLine.second(since);
        this.consumer = consumer;
    }

    /// Passes on every decision since an instant, to the second, that has findings or filter hits.
    ///
    /// @param directory of the day files; one that does not exist yet contains no decision
    public static Totals since(Instant since, Path directory, Consumer<DecisionFindings> consumer) throws IOException {
        JournalScan scan = new JournalScan(since, consumer);
        JournalWalk.newestFirst(directory, JournalWalk.Span.since(since), line -> {
            scan.line(line);
            return true;
        });
        return new Totals(scan.decisions, scan.suspects, scan.unreadable);
    }

    private void line(String line) {
        String second = DecisionLine.secondOf(line);
        int found = line.indexOf(FOUND);
        if (second.isEmpty() || found < 0 || !line.endsWith("}")) {
            unreadable++;
        } else if (second.compareTo(since) >= 0) {
            decisions++;
            long filterHits = numberBefore(line, found - 1);
            suspects += filterHits;
            int behind = found + FOUND.length();
            if (line.charAt(behind) != ']' || (filterHits > 0 && line.indexOf(FILTERS, behind) >= 0)) {
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

    /// The digits that end before `end`: `suspects` in every line of this program; 0 without any.
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
