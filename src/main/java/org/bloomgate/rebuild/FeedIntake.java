package org.bloomgate.rebuild;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.feed.Feed;
import org.bloomgate.feed.FeedCounts;
import org.bloomgate.feed.FeedFetcher;
import org.bloomgate.feed.FeedReader;
import org.bloomgate.feed.FeedRefusedException;
import org.bloomgate.feed.Fetched;
import org.bloomgate.feed.Validators;
import org.bloomgate.key.Key;
import org.bloomgate.rebuild.FeedIntaken.CopyUpdate;
import org.bloomgate.rebuild.FeedReading.Failure;
import org.bloomgate.snapshot.ManifestFeed;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Brings feeds into the sort. A feed that cannot be taken today is replaced by its last good copy; without
/// one it is left out. Either way the others go on, and the report names it.
///
/// Each attempt to read is a source of its own, see [KeySources].
final class FeedIntake {
    private static final Logger LOG = LoggerFactory.getLogger(FeedIntake.class);

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
            return fromCopy(feed, copy, Failure.of(reason(e)), start);
        }
    }

    private FeedIntaken taken(Feed feed, Path file, FeedReport.From from, CopyUpdate update, long start)
            throws IOException {
        FeedReading reading = begin(feed, file, run.now(), Map.of());
        try {
            read(feed, reading, run.previous().feed(feed.name()));
            return reading.intaken(from, Failure.NONE, secondsSince(start), update);
        } catch (FeedRefusedException e) {
            Failure failure = new Failure(Optional.of(reason(e)), Optional.of(reading.refused()));
            return fromCopy(feed, copies.of(feed, run.now()), failure, start);
        }
    }

    /// Reads the last good copy of a feed that is not asked for today.
    FeedIntaken fromCopy(Feed feed) throws IOException {
        run.progress().begin(RebuildStage.READ, feed.name());
        return fromCopy(feed, copies.of(feed, run.now()), Failure.NONE, System.nanoTime());
    }

    private FeedIntaken fromCopy(Feed feed, Optional<LastGoodCopies.Copy> copy, Failure failure, long start)
            throws IOException {
        if (copy.isEmpty()) {
            String why =
                    failure.reason().orElse("not fetched, as asked") + "; there is no last good copy, or it is damaged";
            return nothing(feed, new Failure(Optional.of(why), failure.refused()), start);
        }
        FeedReading reading = begin(feed, copy.get().file(), copy.get().fetchedAt(), Map.of());
        try {
            read(feed, reading, Optional.empty());
            return reading.intaken(
                    FeedReport.From.LAST_GOOD_COPY, failure, secondsSince(start), new CopyUpdate.Leave());
        } catch (FeedRefusedException e) {
            String both = failure.reason().map(today -> today + "; ").orElse("") + "last good copy: " + reason(e);
            return nothing(
                    feed,
                    new Failure(Optional.of(both), failure.refused().or(() -> Optional.of(reading.refused()))),
                    start);
        }
    }

    private static FeedIntaken nothing(Feed feed, Failure failure, long start) {
        FeedReport report = new FeedReport(
                feed.name(),
                FeedReport.From.NOTHING,
                Optional.empty(),
                FeedCounts.NOTHING,
                failure.reason(),
                failure.refused(),
                List.of(),
                List.of(),
                secondsSince(start));
        return new FeedIntaken(feed, report, Optional.empty(), new CopyUpdate.Leave());
    }

    /// Takes a feed again that was read and then found at fault, as its fault asks for. What its first
    /// reading gave is void.
    FeedIntaken again(FeedIntaken first, FeedFault fault) throws IOException {
        FeedReading reading = first.reading().orElseThrow();
        run.progress().begin(RebuildStage.READ, first.feed().name());
        run.sources().drop(reading.source());
        return switch (fault) {
            case FeedFault.Whole whole -> instead(first, reading, whole.reason());
            case FeedFault.Entries entries -> without(first, reading, entries);
        };
    }

    private FeedIntaken instead(FeedIntaken first, FeedReading reading, String reason) throws IOException {
        Failure failure = new Failure(Optional.of(reason), Optional.of(reading.refused()));
        return first.report().from() == FeedReport.From.LAST_GOOD_COPY
                ? nothing(first.feed(), failure, System.nanoTime())
                : fromCopy(first.feed(), copies.of(first.feed(), run.now()), failure, System.nanoTime());
    }

    private FeedIntaken without(FeedIntaken first, FeedReading reading, FeedFault.Entries fault) throws IOException {
        long start = System.nanoTime();
        Map<Key, String> held = new HashMap<>(reading.held());
        fault.keys().forEach(key -> held.put(key, fault.reason()));
        FeedReading again = begin(first.feed(), reading.file(), reading.source().seen(), held);
        read(first.feed(), again);
        String reason = first.report().failure().map(before -> before + "; ").orElse("") + fault.reason();
        return again.intaken(
                first.report().from(),
                new Failure(Optional.of(reason), first.report().refused()),
                first.report().seconds() + secondsSince(start),
                first.update());
    }

    private FeedReading begin(Feed feed, Path file, Instant seen, Map<Key, String> held) {
        return new FeedReading(feed, file, run.sources().read(feed, seen), held, run, options.examples());
    }

    private void read(Feed feed, FeedReading reading, Optional<ManifestFeed> before) throws IOException {
        try {
            read(feed, reading);
            gates.pass(feed, reading.counts(), reading.rejected(), before);
        } catch (FeedRefusedException e) {
            run.sources().drop(reading.source());
            throw e;
        }
    }

    private void read(Feed feed, FeedReading reading) throws IOException {
        try {
            reading.counted(reader.holding(reading.held())
                    .read(feed, () -> Files.newInputStream(reading.file()), reading));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (FeedRefusedException e) {
            reading.counted(e.counts());
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
}
