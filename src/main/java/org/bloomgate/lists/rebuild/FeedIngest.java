package org.bloomgate.lists.rebuild;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.core.key.Key;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedCounts;
import org.bloomgate.lists.fetch.FeedFetcher;
import org.bloomgate.lists.fetch.FeedRefusedException;
import org.bloomgate.lists.fetch.Fetched;
import org.bloomgate.lists.fetch.SourceStamp;
import org.bloomgate.lists.fetch.Validators;
import org.bloomgate.lists.format.FeedReader;
import org.bloomgate.lists.layer.FeedReport;
import org.bloomgate.lists.layer.RebuildOptions;
import org.bloomgate.lists.layer.RebuildStage;
import org.bloomgate.lists.rebuild.FeedReading.Failure;
import org.bloomgate.lists.rebuild.FetchResult.Answer;
import org.bloomgate.lists.rebuild.IngestResult.CopyUpdate;
import org.bloomgate.lists.snapshot.ManifestFeed;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Fetches feeds and reads them into the sort. If today's content cannot be used, the last good copy is read
/// instead; if there is none, the feed is left out. In both cases the report names the feed, and the others are
/// not affected.
///
/// Each attempt to read is a source of its own, see [KeySources]. Several threads may fetch, each another feed;
/// one thread reads.
final class FeedIngest {
    private static final Logger LOG = LoggerFactory.getLogger(FeedIngest.class);

    private final FeedFetcher fetcher;
    private final FeedReader reader;
    private final FeedCache copies;
    private final Path folder;
    private final RebuildOptions options;
    private final FeedGates gates;
    private final LayerRun run;

    /// @param folder for fetched files
    FeedIngest(
            FeedFetcher fetcher,
            FeedReader reader,
            FeedCache copies,
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

    /// Fetches the feed from its source, without reading it.
    FetchResult fetch(Feed feed) throws IOException {
        FetchResult result = result(feed, new Answer.Refused(""));
        try {
            Path file = folder.resolve(feed.name());
            Validators known = SourceStamp.isRemote(feed)
                    ? result.copy().get().map(FeedCache.Copy::validators).orElse(Validators.NONE)
                    : Validators.NONE;
            return switch (fetcher.fetch(feed, file, known)) {
                case Fetched.Content(Validators validators) ->
                    result.with(new Answer.Content(file, Sha256.hex(file), validators));
                case Fetched.Unchanged _ ->
                    result.with(new Answer.NotModified(result.copy().get().orElseThrow()));
            };
        } catch (FeedRefusedException e) {
            Optional<FeedCache.Copy> _ = result.copy().get();
            return result.with(new Answer.Refused(reason(e)));
        }
    }

    /// Chooses the last good copy without fetching the feed.
    FetchResult useCopy(Feed feed) throws IOException {
        FetchResult result = result(feed, new Answer.NotRequested());
        Optional<FeedCache.Copy> _ = result.copy().get();
        return result;
    }

    /// Chooses the copy of a source that was fetched recently; fetches the feed if there is no copy.
    FetchResult useRecentCopy(Feed feed) throws IOException {
        FetchResult result = result(feed, new Answer.NotRequested());
        Optional<FeedCache.Copy> copy = result.copy().get();
        return copy.isPresent() ? result.with(new Answer.NotDue(copy.get())) : fetch(feed);
    }

    private FetchResult result(Feed feed, Answer answer) throws IOException {
        return new FetchResult(
                feed,
                new CachedFeed(copies, feed, run.now()),
                SourceStamp.of(feed, run.now()),
                answer,
                System.nanoTime());
    }

    /// Reads the fetched content, or else the last good copy.
    IngestResult ingest(FetchResult fetched) throws IOException {
        Feed feed = fetched.feed();
        run.progress().begin(RebuildStage.READ, feed.name());
        Optional<ManifestFeed> before = run.previous().feed(feed.name());
        return switch (fetched.answer()) {
            case Answer.Content(Path file, String fingerprint, Validators validators) ->
                readContent(
                        fetched,
                        begin(feed, file, run.now()),
                        before,
                        new CopyUpdate.Replace(file, fingerprint, validators));
            case Answer.NotModified(FeedCache.Copy copy) ->
                readContent(fetched, begin(feed, copy.file(), run.now()), before, new CopyUpdate.Confirm(copy));
            case Answer.NotDue(FeedCache.Copy copy) ->
                readContent(
                        fetched, begin(feed, copy.file(), copy.fetchedAt()), Optional.empty(), new CopyUpdate.Leave());
            case Answer.Runs runs -> ingestRuns(fetched, runs, before);
            case Answer.NotRequested _ -> readCopy(feed, fetched.copy().get(), Failure.NONE, fetched.start());
            case Answer.Refused(String why) -> readCopy(feed, fetched.copy().get(), Failure.of(why), fetched.start());
        };
    }

    private IngestResult readContent(
            FetchResult fetched, FeedReading reading, Optional<ManifestFeed> before, CopyUpdate update)
            throws IOException {
        try {
            read(fetched.feed(), reading, before);
            return reading.result(fetched.from(), Failure.NONE, secondsSince(fetched.start()), update);
        } catch (FeedRefusedException e) {
            Failure failure = new Failure(Optional.of(reason(e)), Optional.of(reading.refused()));
            return readCopy(fetched.feed(), fetched.copy().get(), failure, fetched.start());
        }
    }

    /// Checks the counts of runs. [RunIngest] adds their keys to the sort, with the source made here.
    private IngestResult ingestRuns(FetchResult fetched, Answer.Runs runs, Optional<ManifestFeed> before)
            throws IOException {
        FeedReading reading = begin(fetched.feed(), folder, run.now());
        reading.setCounts(runs.counts());
        runs.exceptions().forEach(key -> reading.except(0, key));
        try {
            gates.pass(fetched.feed(), reading, before);
            return reading.result(fetched.from(), Failure.NONE, secondsSince(fetched.start()), new CopyUpdate.Leave());
        } catch (FeedRefusedException e) {
            run.sources().drop(reading.source());
            Failure failure = new Failure(Optional.of(reason(e)), Optional.of(reading.refused()));
            return readCopy(fetched.feed(), fetched.copy().get(), failure, fetched.start());
        }
    }

    /// The result for a feed with the content of the previous snapshot; it is not read again.
    IngestResult unchanged(FetchResult fetched) {
        ManifestFeed before = run.previous().feed(fetched.feed().name()).orElseThrow();
        FeedCounts counts = new FeedCounts(
                before.lines(), before.entries(), before.comments(), before.rejects(), 0, before.held(), before.keys());
        CopyUpdate update = switch (fetched.answer()) {
            case Answer.Content(Path file, String fingerprint, Validators validators) ->
                new CopyUpdate.Replace(file, fingerprint, validators);
            case Answer.NotModified(FeedCache.Copy copy) -> new CopyUpdate.Confirm(copy);
            case Answer.NotDue _, Answer.Runs _, Answer.NotRequested _, Answer.Refused _ -> new CopyUpdate.Leave();
        };
        FeedReport report = new FeedReport(
                fetched.feed().name(),
                fetched.from(),
                Optional.of(run.now()),
                counts,
                Optional.empty(),
                Optional.empty(),
                List.of(),
                List.of(),
                secondsSince(fetched.start()));
        return new IngestResult(fetched.feed(), report, Optional.empty(), update);
    }

    private IngestResult readCopy(Feed feed, Optional<FeedCache.Copy> copy, Failure failure, long start)
            throws IOException {
        if (copy.isEmpty()) {
            String why = failure.reason().orElse("not fetched, as requested")
                    + (copies.exists(feed) ? "; its last good copy is damaged" : "; there is no last good copy");
            return withoutContent(feed, new Failure(Optional.of(why), failure.refused()), start);
        }
        FeedReading reading = begin(feed, copy.get().file(), copy.get().fetchedAt());
        try {
            read(feed, reading, Optional.empty());
            return reading.result(FeedReport.From.LAST_GOOD_COPY, failure, secondsSince(start), new CopyUpdate.Leave());
        } catch (FeedRefusedException e) {
            String both = failure.reason().map(today -> today + "; ").orElse("") + "last good copy: " + reason(e);
            return withoutContent(
                    feed,
                    new Failure(Optional.of(both), failure.refused().or(() -> Optional.of(reading.refused()))),
                    start);
        }
    }

    private static IngestResult withoutContent(Feed feed, Failure failure, long start) {
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
        return new IngestResult(feed, report, Optional.empty(), new CopyUpdate.Leave());
    }

    /// Reads a feed again after a fault was found in it. The keys of its first reading are dropped.
    IngestResult readAgain(IngestResult first, FeedFault fault) throws IOException {
        FeedReading reading = first.reading().orElseThrow();
        run.progress().begin(RebuildStage.READ, first.feed().name());
        run.sources().drop(reading.source());
        return switch (fault) {
            case FeedFault.Whole whole -> replaceByCopy(first, reading, whole.reason());
            case FeedFault.Entries entries -> readWithout(first, reading, entries);
        };
    }

    private IngestResult replaceByCopy(IngestResult first, FeedReading reading, String reason) throws IOException {
        Failure failure = new Failure(Optional.of(reason), Optional.of(reading.refused()));
        return first.report().from() == FeedReport.From.LAST_GOOD_COPY
                ? withoutContent(first.feed(), failure, System.nanoTime())
                : readCopy(first.feed(), copies.of(first.feed(), run.now()), failure, System.nanoTime());
    }

    private IngestResult readWithout(IngestResult first, FeedReading reading, FeedFault.Entries fault)
            throws IOException {
        long start = System.nanoTime();
        Map<Key, String> held = new HashMap<>(reading.held());
        fault.keys().forEach(key -> held.put(key, fault.reason()));
        FeedReading again = begin(first.feed(), reading.file(), reading.source().seen(), held);
        read(first.feed(), again);
        String reason = first.report().failure().map(before -> before + "; ").orElse("") + fault.reason();
        return again.result(
                first.report().from(),
                new Failure(Optional.of(reason), first.report().refused()),
                first.report().seconds() + secondsSince(start),
                first.update());
    }

    private FeedReading begin(Feed feed, Path file, Instant seen) {
        return begin(feed, file, seen, Map.of());
    }

    /// @param held keys to hold back, with the reason
    private FeedReading begin(Feed feed, Path file, Instant seen, Map<Key, String> held) {
        return new FeedReading(feed, file, run.sources().read(feed, seen), held, run, options.examples());
    }

    private void read(Feed feed, FeedReading reading, Optional<ManifestFeed> before) throws IOException {
        try {
            read(feed, reading);
            gates.pass(feed, reading, before);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (FeedRefusedException e) {
            run.sources().drop(reading.source());
            throw e;
        }
    }

    private void read(Feed feed, FeedReading reading) throws IOException {
        try {
            reading.setCounts(
                    reader.withHeld(reading.held()).read(feed, () -> Files.newInputStream(reading.file()), reading));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (FeedRefusedException e) {
            reading.setCounts(e.counts());
            throw e;
        }
    }

    /// The reason without the name of the feed, which the report shows next to it. A fault of the program is
    /// logged as well.
    private static String reason(FeedRefusedException refused) {
        if (refused.isFault()) {
            LOG.error("unexpected error while reading a feed", refused);
        }
        String message = String.valueOf(refused.getMessage());
        return message.startsWith("feed ") ? message.substring(message.indexOf(": ") + 2) : message;
    }

    private static double secondsSince(long start) {
        return (System.nanoTime() - start) / 1e9;
    }
}
