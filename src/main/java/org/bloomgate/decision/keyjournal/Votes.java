package org.bloomgate.decision.keyjournal;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bloomgate.core.bloom.ScalableFilter;

/// Counts what messages say for several subjects, such as listed keys, so that one sender cannot decide by writing
/// often: the messages of one client network to one recipient count once, and its voters are as many as it has
/// different client networks and different recipients, whichever are fewer. Used by one thread.
///
/// @param <K> a subject
public final class Votes<K> {
    /// The capacity of the filter, some 5 MB: with more pairs of subject and voter, some voters are not counted.
    private static final long MAX_PAIRS = 1 << 21;

    private static final double FALSE_POSITIVE_RATE = 1e-4;
    private static final long GOLDEN_RATIO = 0x9e37_79b9_7f4a_7c15L;

    private final ScalableFilter seen = ScalableFilter.fixed(MAX_PAIRS, FALSE_POSITIVE_RATE);
    private final Map<K, Count> counts = new HashMap<>();

    /// Where a message comes from and where it goes, as hashes of an installation; 0 if it is not known.
    public record Voter(long network, long recipient) {}

    private static final class Count {
        private final long seed;
        private long messages;
        private long networks;
        private long recipients;

        Count(long seed) {
            this.seed = seed;
        }
    }

    /// Adds a message.
    public void add(K subject, Voter voter) {
        Count count = counts.computeIfAbsent(subject, _ -> new Count(counts.size() * 3L));
        long network = mix(count.seed ^ mix(voter.network()));
        count.messages += seen.add(mix(network ^ mix(voter.recipient()))) ? 1 : 0;
        count.networks += seen.add(network) ? 1 : 0;
        count.recipients += seen.add(mix((count.seed + 1) ^ mix(voter.recipient()))) ? 1 : 0;
    }

    /// The messages for a subject, those of one client network to one recipient counted once.
    public long messages(K subject) {
        return counts.containsKey(subject) ? counts.get(subject).messages : 0;
    }

    /// The smaller of the numbers of client networks and of recipients.
    public long voters(K subject) {
        return counts.containsKey(subject) ? voters(counts.get(subject)) : 0;
    }

    private static long voters(Count count) {
        return Math.min(count.networks, count.recipients);
    }

    /// The subjects with most voters, and of these those with most messages first.
    public List<K> most() {
        return counts.entrySet().stream()
                .sorted(Comparator.<Map.Entry<K, Count>>comparingLong(entry -> -voters(entry.getValue()))
                        .thenComparingLong(entry -> -entry.getValue().messages))
                .map(Map.Entry::getKey)
                .toList();
    }

    /// The finalizer of SplitMix64.
    private static long mix(long value) {
        long mixed = value + GOLDEN_RATIO;
        mixed = (mixed ^ (mixed >>> 30)) * 0xbf58_476d_1ce4_e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d0_49bb_1331_11ebL;
        return mixed ^ (mixed >>> 31);
    }
}
