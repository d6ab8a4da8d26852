package org.bloomgate.rebuild;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bloomgate.feed.Feed;
import org.bloomgate.feed.FeedCounts;
import org.bloomgate.feed.FeedFetcher;
import org.bloomgate.feed.FeedReader;
import org.bloomgate.feed.FeedRefusedException;
import org.bloomgate.feed.FeedSink;
import org.bloomgate.feed.Fetched;
import org.bloomgate.feed.Validators;
import org.bloomgate.key.Key;
import org.bloomgate.rebuild.FeedIntaken.CopyUpdate;
import org.bloomgate.snapshot.ManifestFeed;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Brings feeds into the sort. A feed that cannot be taken today is replaced by its last good copy; without one it is
/// left out. Either way the others go on, and the report names it.
///
/// Each attempt to read is a source of its own, see [KeySources].
final class FeedIntake {
    private static final Logger LOG = LoggerFactory.getLogger(FeedIntake.class);
    private static final FeedCounts NOTHING = new FeedCounts(0, 0, 0, 0, 0, 0);

    private final FeedFetcher fetcher;
    private final FeedReader reader;
    private final LastGoodCopies copies;
    private final Path folder;
    private final RebuildOptions options;
    private final FeedGates gates;
    private final LayerRun run;

    /// @param folder for fetched files
    FeedIntake(
            FeedFetcher fetcher,
            FeedReader reader,
            LastGoodCopies copies,
            Path folder,
            RebuildOptions options,
            LayerRun run) {
        this.fetcher = fetcher;
        this.reader = reader;
        this.copies = copies;
        this.folder = folder;
        this.options = options;
        this.gates = new FeedGates(options, run.gates());
        this.run = run;
    }

    /// Reads the feed from its source, or else from its last good copy.
    FeedIntaken fromSource(Feed feed) throws IOException {
        run.progress().begin(RebuildStage.READ, feed.name());
        long start = System.nanoTime();
        Optional<LastGoodCopies.Copy> copy = copies.of(feed, run.now());
        try {
            Path file = folder.resolve(feed.name());
            Validators known = copy.map(LastGoodCopies.Copy::validators).orElse(Validators.NONE);
            return switch (fetcher.fetch(feed, file, known)) {
                case Fetched.Content(Validators validators) ->
                    taken(feed, file, FeedReport.From.SOURCE, new CopyUpdate.Replace(file, validators), start);
                case Fetched.Unchanged _ ->
                    taken(
                            feed,
                            copy.orElseThrow().file(),
                            FeedReport.From.NOT_MODIFIED,
                            new CopyUpdate.Confirm(copy.get()),
                            start);
            };
        } catch (FeedRefusedException e) {
            return fromCopy(feed, copy, Optional.of(reason(e)), start);
        }
    }

    private FeedIntaken taken(Feed feed, Path file, FeedReport.From from, CopyUpdate update, long start)
            throws IOException {
        Attempt attempt = read(feed, file, run.now(), run.previous().feed(feed.name()));
        return attempt.intaken(from, Optional.empty(), start, update);
    }

    /// Reads the last good copy of a feed that is not asked for today.
    FeedIntaken fromCopy(Feed feed) throws IOException {
        run.progress().begin(RebuildStage.READ, feed.name());
        return fromCopy(feed, copies.of(feed, run.now()), Optional.empty(), System.nanoTime());
    }

    private FeedIntaken fromCopy(Feed feed, Optional<LastGoodCopies.Copy> copy, Optional<String> failure, long start)
            throws IOException {
        if (copy.isEmpty()) {
            return nothing(
                    feed,
                    failure.orElse("not fetched, as asked") + "; there is no last good copy, or it is damaged",
                    start);
        }
        try {
            return read(feed, copy.get().file(), copy.get().fetchedAt(), Optional.empty())
                    .intaken(FeedReport.From.LAST_GOOD_COPY, failure, start, new CopyUpdate.Leave());
        } catch (FeedRefusedException e) {
            String both = failure.map(today -> today + "; ").orElse("") + "last good copy: " + reason(e);
            return nothing(feed, both, start);
        }
    }

    private FeedIntaken nothing(Feed feed, String failure, long start) {
        FeedReport report = new FeedReport(
                feed.name(),
                FeedReport.From.NOTHING,
                Optional.empty(),
                NOTHING,
                Optional.of(failure),
                List.of(),
                List.of(),
                secondsSince(start));
        return new FeedIntaken(feed, report, new CopyUpdate.Leave());
    }

    private Attempt read(Feed feed, Path file, Instant seen, Optional<ManifestFeed> before) throws IOException {
        Attempt attempt = new Attempt(feed, run.sources().read(feed, seen));
        try {
            attempt.counts = reader.read(feed, () -> Files.newInputStream(file), attempt);
            gates.pass(feed, attempt.counts, attempt.rejects, before);
            return attempt;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (FeedRefusedException e) {
            run.sources().drop(attempt.source);
            throw e;
        }
    }

    /// The reason without the name of the feed, beside which it will stand. A fault of ours is logged as well.
    private static String reason(FeedRefusedException refused) {
        if (refused.isFault()) {
            LOG.error("a fault nobody expected, in reading a feed", refused);
        }
        String message = String.valueOf(refused.getMessage());
        return message.startsWith("feed ") ? message.substring(message.indexOf(": ") + 2) : message;
    }

    private static double secondsSince(long start) {
        return (System.nanoTime() - start) / 1e9;
    }

    /// One reading of one feed.
    private final class Attempt implements FeedSink {
        private static final int TICK = 1 << 14;

        private final Feed feed;
        private final KeySource source;
        private final List<FeedReport.Example> rejects = new ArrayList<>();
        private final List<FeedReport.Example> held = new ArrayList<>();
        private FeedCounts counts = NOTHING;
        private long keys;

        Attempt(Feed feed, KeySource source) {
            this.feed = feed;
            this.source = source;
        }

        /// A full disk is a fault of this machine and not of the feed, so it must not pass for one.
        @Override
        public void key(long line, Key key, long count) {
            try {
                run.sort().add(key.kind().wireCode(), key.octets(), source.number(), count);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            if (++keys % TICK == 0) {
                run.progress().advance(keys, -1);
            }
        }

        @Override
        public void reject(long line, String reason, String excerpt) {
            if (rejects.size() < options.examples()) {
                rejects.add(new FeedReport.Example(line, reason, excerpt));
            }
        }

        @Override
        public void held(long line, String reason, Key key) {
            if (held.size() < options.examples()) {
                held.add(new FeedReport.Example(line, reason, key.text()));
            }
        }

        FeedIntaken intaken(FeedReport.From from, Optional<String> failure, long start, CopyUpdate update) {
            FeedReport report = new FeedReport(
                    feed.name(), from, Optional.of(source.seen()), counts, failure, rejects, held, secondsSince(start));
            return new FeedIntaken(feed, report, update);
        }
    }
}
