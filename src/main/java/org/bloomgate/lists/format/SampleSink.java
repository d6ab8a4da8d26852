package org.bloomgate.lists.format;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;

/// Counts the readable and rejected lines at the beginning of a list. A line whose value contains what another program
/// has in a column of its own, such as an action or a score, is rejected.
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

    private void count(Set<Long> in, long line) {
        in.add(line);
        if (readable.size() + rejected.size() > lines) {
            throw new Enough();
        }
    }

    @Override
    public void addKey(long line, Key key, long count) {
        addValue(line, key);
    }

    /// A value that a gate would hold back is still of the format.
    @Override
    public void hold(long line, String reason, Key key) {
        addValue(line, key);
    }

    private void addValue(long line, Key key) {
        keys++;
        kinds.merge(key.kind(), 1, Integer::sum);
        if (examples.size() < EXAMPLES) {
            examples.add(key.text());
        }
        count(isPlain(key) ? readable : rejected, line);
    }

    /// False for a URL with a blank and for an address whose domain is no name.
    private static boolean isPlain(Key key) {
        String text = key.text();
        return switch (key.kind()) {
            case URL -> !text.contains("%20");
            case ADDRESS ->
                text.codePoints()
                        .skip(text.indexOf('@') + 1L)
                        .allMatch(c -> Character.isLetterOrDigit(c) || c == '-' || c == '_' || c == '.');
            default -> true;
        };
    }

    @Override
    public void reject(long line, String reason, String excerpt) {
        count(rejected, line);
    }

    @Override
    public void except(long line, Key key) {
        count(readable, line);
    }

    /// The share of readable lines among those with a value.
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
