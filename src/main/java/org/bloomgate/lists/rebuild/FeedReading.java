package org.bloomgate.lists.rebuild;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedCounts;
import org.bloomgate.lists.format.FeedSink;
import org.bloomgate.lists.layer.FeedReport;
import org.bloomgate.lists.layer.KeySource;
import org.bloomgate.lists.snapshot.ManifestFeed;

/// One reading of one feed into the sort, where it is a source of its own. It collects the lines that the
/// report shows.
final class FeedReading implements FeedSink {
    private static final int TICK = 1 << 14;

    private final Feed feed;
    private final Path file;
    private final KeySource source;

    /// The source of the keys of which only the names below are listed, added with the first of them.
    private Optional<KeySource> sourceBelow = Optional.empty();

    private final Map<Key, String> held;
    private final LayerRun run;
    private final int examples;
    private final List<FeedReport.Example> rejectedLines = new ArrayList<>();
    private final List<FeedReport.Example> heldLines = new ArrayList<>();
    private final Set<Key> exceptions =
            new TreeSet<>(Comparator.comparing(Key::kind).thenComparing(Key::text));
    private long exceptionChars;
    private FeedCounts counts = FeedCounts.NOTHING;
    private long keys;

    /// @param held keys that are held back only in this reading
    /// @param examples number of rejected, and of held back, lines to report
    FeedReading(Feed feed, Path file, KeySource source, Map<Key, String> held, LayerRun run, int examples) {
        this.feed = feed;
        this.file = file;
        this.source = source;
        this.held = Map.copyOf(held);
        this.run = run;
        this.examples = examples;
    }

    Feed feed() {
        return feed;
    }

    Path file() {
        return file;
    }

    KeySource source() {
        return source;
    }

    /// Excludes all keys that were read.
    void drop() {
        run.sorting().sources().drop(source);
        sourceBelow.ifPresent(run.sorting().sources()::drop);
    }

    Map<Key, String> held() {
        return held;
    }

    FeedCounts counts() {
        return counts;
    }

    List<FeedReport.Example> rejected() {
        return rejectedLines;
    }

    List<FeedReport.Example> heldBack() {
        return heldLines;
    }

    /// The exceptions in order; incomplete if [#hasTooManyExceptions()].
    List<Key> exceptions() {
        return List.copyOf(exceptions);
    }

    boolean hasTooManyExceptions() {
        return exceptions.size() > ManifestFeed.MAX_EXCEPTIONS || exceptionChars > ManifestFeed.MAX_EXCEPTION_CHARS;
    }

    void setCounts(FeedCounts read) {
        counts = read;
    }

    @Override
    public void addKey(long line, Key key, long count) {
        byte[] bytes = key.bytes();
        addKey(line, key.kind(), bytes, 0, bytes.length, count);
    }

    @Override
    public void addBelow(long line, Key key) {
        byte[] bytes = key.bytes();
        add(key.kind(), bytes, 0, bytes.length, sourceBelow().number(), 0);
    }

    KeySource sourceBelow() {
        sourceBelow =
                sourceBelow.or(() -> Optional.of(run.sorting().sources().addRead(feed, Match.BELOW, source.seen())));
        return sourceBelow.get();
    }

    @Override
    public void addKey(long line, KeyKind kind, byte[] bytes, int from, int to, long count) {
        add(kind, bytes, from, to, source.number(), count);
    }

    /// A full disk is a fault of this machine, so it must not look like a fault of the feed.
    private void add(KeyKind kind, byte[] bytes, int from, int to, int sourceNumber, long count) {
        try {
            run.sorting().sort().add(kind.wireCode(), bytes, from, to, sourceNumber, count);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (++keys % TICK == 0) {
            run.progress().advance(keys, -1);
        }
    }

    @Override
    public void reject(long line, String reason, String excerpt) {
        if (rejectedLines.size() < examples) {
            rejectedLines.add(new FeedReport.Example(line, reason, excerpt));
        }
    }

    @Override
    public void hold(long line, String reason, Key key) {
        if (heldLines.size() < examples) {
            heldLines.add(new FeedReport.Example(line, reason, key.text()));
        }
    }

    @Override
    public void except(long line, Key key) {
        if (!hasTooManyExceptions() && exceptions.add(key)) {
            exceptionChars += key.text().length();
        }
    }

    /// What was read, for the report of a rejected feed.
    FeedReport.Refused refused() {
        return new FeedReport.Refused(counts, rejectedLines, heldLines);
    }
}
