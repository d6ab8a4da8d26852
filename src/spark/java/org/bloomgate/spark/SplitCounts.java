package org.bloomgate.spark;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import org.bloomgate.lists.fetch.FeedCounts;

/// What became of the lines of one split. Serializable, as the counts of a feed are not.
///
/// @param source position of the feed in its layer
/// @param exceptions what the feed says is not bad, each a kind and a key
record SplitCounts(
        int source,
        long lines,
        long entries,
        long comments,
        long rejects,
        long unsupported,
        long held,
        long keys,
        ArrayList<String> exceptions)
        implements Serializable {
    private static final int NUMBERS = 8;

    static SplitCounts of(int source, FeedCounts counts, Collection<String> exceptions) {
        return new SplitCounts(
                source,
                counts.lines(),
                counts.entries(),
                counts.comments(),
                counts.rejects(),
                counts.unsupported(),
                counts.held(),
                counts.keys(),
                new ArrayList<>(exceptions));
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
        byte[] lines = String.join("\n", exceptions).getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(NUMBERS * Long.BYTES + lines.length)
                .putLong(source)
                .putLong(this.lines)
                .putLong(entries)
                .putLong(comments)
                .putLong(rejects)
                .putLong(unsupported)
                .putLong(held)
                .putLong(keys)
                .put(lines)
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
                from.getLong(),
                new ArrayList<>(
                        StandardCharsets.UTF_8.decode(from).toString().lines().toList()));
    }
}
