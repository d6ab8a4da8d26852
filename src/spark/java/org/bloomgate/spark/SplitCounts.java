package org.bloomgate.spark;

import java.io.Serializable;
import java.nio.ByteBuffer;
import org.bloomgate.lists.fetch.FeedCounts;

/// What became of the lines of one split. Serializable, as the counts of a feed are not.
///
/// @param source position of the feed in its layer
record SplitCounts(
        int source, long lines, long entries, long comments, long rejects, long unsupported, long held, long keys)
        implements Serializable {
    private static final int NUMBERS = 8;

    static SplitCounts of(int source, FeedCounts counts) {
        return new SplitCounts(
                source,
                counts.lines(),
                counts.entries(),
                counts.comments(),
                counts.rejects(),
                counts.unsupported(),
                counts.held(),
                counts.keys());
    }

    FeedCounts counts() {
        return new FeedCounts(lines, entries, comments, rejects, unsupported, held, keys);
    }

    static FeedCounts sum(FeedCounts one, FeedCounts other) {
        return new FeedCounts(
                one.lines() + other.lines(),
                one.entries() + other.entries(),
                one.comments() + other.comments(),
                one.rejects() + other.rejects(),
                one.unsupported() + other.unsupported(),
                one.held() + other.held(),
                one.keys() + other.keys());
    }

    byte[] bytes() {
        return ByteBuffer.allocate(NUMBERS * Long.BYTES)
                .putLong(source)
                .putLong(lines)
                .putLong(entries)
                .putLong(comments)
                .putLong(rejects)
                .putLong(unsupported)
                .putLong(held)
                .putLong(keys)
                .array();
    }

    static SplitCounts read(byte[] bytes) {
        ByteBuffer from = ByteBuffer.wrap(bytes);
        return new SplitCounts(
                (int) from.getLong(),
                from.getLong(),
                from.getLong(),
                from.getLong(),
                from.getLong(),
                from.getLong(),
                from.getLong(),
                from.getLong());
    }
}
