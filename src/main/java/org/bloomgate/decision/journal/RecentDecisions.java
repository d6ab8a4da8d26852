package org.bloomgate.decision.journal;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

/// The latest decisions in memory: half of the places for any, half for those other than passed clean mail, so
/// that a flood of clean mail does not displace the interesting ones. Not thread-safe.
final class RecentDecisions {
    static final int MAX = 50;

    private static final int EACH = MAX / 2;

    private final Deque<Numbered> remarkable = new ArrayDeque<>(EACH);
    private final Deque<Numbered> others = new ArrayDeque<>(EACH);
    private long count;

    private record Numbered(long number, Decision decision) {}

    void add(Decision decision) {
        Deque<Numbered> of = decision.unremarkable() ? others : remarkable;
        if (of.size() == EACH) {
            of.removeFirst();
        }
        of.addLast(new Numbered(count++, decision));
    }

    List<Decision> newestFirst() {
        return Stream.concat(remarkable.stream(), others.stream())
                .sorted(Comparator.comparingLong(Numbered::number).reversed())
                .map(Numbered::decision)
                .toList();
    }
}
