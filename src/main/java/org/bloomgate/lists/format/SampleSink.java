package org.bloomgate.lists.format;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;

/// Counts what becomes of the first lines of a list.
final class SampleSink implements FeedSink {
    private static final int EXAMPLES = 5;

    private final int lines;
    private final Set<Long> readable = new HashSet<>();
    private final Set<Long> rejected = new HashSet<>();
    private final Map<KeyKind, Integer> kinds = new EnumMap<>(KeyKind.class);
    private final List<String> examples = new ArrayList<>();
    private int keys;

    /// Ends the reading.
    static final class Enough extends RuntimeException {
        private static final long serialVersionUID = 1;

        private Enough() {
            super("", null, false, false);
        }
    }

    /// @param lines after which the reading ends
    SampleSink(int lines) {
        this.lines = lines;
    }

    private void counted(Set<Long> in, long line) {
        in.add(line);
        if (readable.size() + rejected.size() > lines) {
            throw new Enough();
        }
    }

    @Override
    public void key(long line, Key key, long count) {
        take(line, key);
    }

    /// A value that a gate would hold back is of the format all the same.
    @Override
    public void held(long line, String reason, Key key) {
        take(line, key);
    }

    private void take(long line, Key key) {
        keys++;
        kinds.merge(key.kind(), 1, Integer::sum);
        if (examples.size() < EXAMPLES) {
            examples.add(key.text());
        }
        counted(readable, line);
    }

    @Override
    public void reject(long line, String reason, String excerpt) {
        counted(rejected, line);
    }

    @Override
    public void except(long line, Key key) {
        counted(readable, line);
    }

    /// The share of lines with a value that gave one.
    double readable() {
        long bad = rejected.stream().filter(line -> !readable.contains(line)).count();
        return keys == 0 ? 0 : readable.size() / (double) (readable.size() + bad);
    }

    double share(KeyKind kind) {
        return kinds.getOrDefault(kind, 0) / (double) Math.max(1, keys);
    }

    List<String> examples() {
        return List.copyOf(examples);
    }
}
