package org.bloomgate.spark;

import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.app.gateway.options.ConfigurationSource;
import org.bloomgate.app.gateway.wiring.Rebuilding;
import org.bloomgate.base.config.ConfigException;
import org.bloomgate.core.key.Key;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedCounts;
import org.bloomgate.lists.fetch.FeedRefusedException;
import org.bloomgate.lists.fetch.Feeds;
import org.bloomgate.lists.fetch.SourceFiles;
import org.bloomgate.lists.format.FeedReader;
import org.bloomgate.lists.format.FeedSink;
import org.bloomgate.lists.rebuild.Runs;
import scala.Tuple2;

/// What every machine reads feeds by: the configuration, found there at the same path. Each process reads it
/// once.
record Settings(String file, TreeMap<String, String> sets) implements Serializable {
    private static final Map<Settings, Readers> KNOWN = new ConcurrentHashMap<>();

    /// Of a split, for its sample.
    private static final long SAMPLED_BYTES = 256 << 10;

    static Settings of(ConfigurationSource source) {
        return new Settings(source.file().toAbsolutePath().toString(), new TreeMap<>(source.sets()));
    }

    private record Readers(FeedReader reader, Map<String, Feed> feeds) {}

    private static Readers read(Settings settings) {
        try {
            ConfigurationSource source = new ConfigurationSource(Path.of(settings.file), settings.sets);
            Configuration configuration = source.read();
            Feeds feeds = source.feedsOf(configuration).fetched();
            Map<String, Feed> byName = new TreeMap<>();
            feeds.feeds().forEach(feed -> SourceFiles.of(feed).forEach(one -> byName.put(one.name(), one)));
            return new Readers(Rebuilding.reader(configuration, feeds), byName);
        } catch (ConfigException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private FeedCounts read(Split split, long most, FeedSink sink) throws IOException {
        Readers readers = KNOWN.computeIfAbsent(this, Settings::read);
        Feed feed = readers.feeds().get(split.feed());
        if (feed == null) {
            throw new IOException("no feed " + split.feed() + " in " + file + " on this machine");
        }
        try {
            return readers.reader().read(feed, () -> open(split, most), sink);
        } catch (FeedRefusedException refused) {
            // Counted as nothing, the feed is replaced by its last good copy.
            return FeedCounts.NOTHING;
        }
    }

    private static InputStream open(Split split, long most) throws IOException {
        return split.open(most);
    }

    /// Keys evenly spread over the beginning of the split.
    Iterator<byte[]> sample(Split split, int most) throws IOException {
        Sample sample = new Sample(most);
        FeedCounts _ = read(split, split.lines() ? SAMPLED_BYTES : Long.MAX_VALUE, sample);
        return sample.keys.iterator();
    }

    /// Blocks by partition; the counts go to the first.
    Iterator<Tuple2<Integer, Block>> read(Split split, Bounds bounds) throws IOException {
        Partitioned keys = new Partitioned(split.source(), bounds);
        FeedCounts counts = read(split, Long.MAX_VALUE, keys);
        return keys.finish(SplitCounts.of(split.source(), counts, keys.exceptions()));
    }

    /// Takes keys and nothing else.
    private abstract static class Keys implements FeedSink {
        private final Set<String> exceptions = new TreeSet<>();

        @Override
        public final void addKey(long line, Key key, long count) {
            take(whole(key), false, count);
        }

        @Override
        public final void addBelow(long line, Key key) {
            take(whole(key), true, 0);
        }

        private static byte[] whole(Key key) {
            byte[] bytes = key.bytes();
            byte[] whole = new byte[bytes.length + 1];
            whole[0] = (byte) key.kind().wireCode();
            System.arraycopy(bytes, 0, whole, 1, bytes.length);
            return whole;
        }

        /// @param below whether the feed lists only the names below the key
        abstract void take(byte[] key, boolean below, long count);

        @Override
        public final void reject(long line, String reason, String excerpt) {}

        @Override
        public final void hold(long line, String reason, Key key) {}

        @Override
        public final void except(long line, Key key) {
            exceptions.add(key.line());
        }

        Set<String> exceptions() {
            return exceptions;
        }
    }

    /// Every so-manieth key: whenever there are twice as many as wanted, every second goes.
    private static final class Sample extends Keys {
        private final int most;
        private List<byte[]> keys = new ArrayList<>();
        private long step = 1;
        private long met;

        Sample(int most) {
            this.most = most;
        }

        @Override
        void take(byte[] key, boolean below, long count) {
            if (met++ % step == 0) {
                keys.add(key);
            }
            if (keys.size() == 2 * most) {
                List<byte[]> half = new ArrayList<>();
                for (int i = 0; i < keys.size(); i += 2) {
                    half.add(keys.get(i));
                }
                keys = half;
                step *= 2;
            }
        }
    }

    private static final class Partitioned extends Keys {
        private final int source;
        private final Bounds bounds;
        private final Block.Open[] open;
        private final List<Tuple2<Integer, Block>> full = new ArrayList<>();

        Partitioned(int source, Bounds bounds) {
            this.source = source;
            this.bounds = bounds;
            open = new Block.Open[bounds.partitions()];
            for (int part = 0; part < open.length; part++) {
                open[part] = new Block.Open();
            }
        }

        @Override
        void take(byte[] key, boolean below, long count) {
            int part = bounds.of(key);
            open[part].add(key, below ? source + Runs.BELOW : source, count);
            if (open[part].isFull()) {
                full.add(new Tuple2<>(part, open[part].take()));
            }
        }

        Iterator<Tuple2<Integer, Block>> finish(SplitCounts counts) {
            for (int part = 0; part < open.length; part++) {
                if (!open[part].isEmpty()) {
                    full.add(new Tuple2<>(part, open[part].take()));
                }
            }
            full.add(new Tuple2<>(0, new Block(true, counts.bytes())));
            return full.iterator();
        }
    }
}
