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
import org.bloomgate.lists.build.FeedReport;
import org.bloomgate.lists.build.RebuildOptions;
import org.bloomgate.lists.build.RebuildStage;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedCounts;
import org.bloomgate.lists.fetch.FeedFetcher;
import org.bloomgate.lists.fetch.FeedRefusedException;
import org.bloomgate.lists.fetch.Fetched;
import org.bloomgate.lists.fetch.SourceStamp;
import org.bloomgate.lists.fetch.Validators;
import org.bloomgate.lists.format.FeedReader;
import org.bloomgate.lists.rebuild.FeedReading.Failure;
import org.bloomgate.lists.rebuild.FetchResult.Answer;
import org.bloomgate.lists.rebuild.IngestResult.CopyUpdate;
import org.bloomgate.lists.snapshot.ManifestFeed;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Brings feeds into the sort. A feed that cannot be taken today is replaced by its last good copy; without
/// one it is left out. Either way the others go on, and the report names it.
///
/// Each attempt to read is a source of its own, see [KeySources]. What brings a feed may be called by several threads,
/// for each feed by one; what takes it, by one alone.
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

    /// Asks the feed's source, and reads nothing of what it gives.
    FetchResult fromSource(Feed feed) throws IOException {
        FetchResult queried = brought(feed, new Answer.Refused(""));
        try {
            Path file = folder.resolve(feed.name());
            Validators known = SourceStamp.isRemote(feed)
                    ? queried.copy().get().map(FeedCache.Copy::validators).orElse(Validators.NONE)
                    : Validators.NONE;
            return switch (fetcher.fetch(feed, file, known)) {
                case Fetched.Content(Validators validators) ->
                    queried.with(new Answer.Content(file, Sha256.hex(file), validators));
                case Fetched.Unchanged _ ->
                    queried.with(new Answer.NotModified(queried.copy().get().orElseThrow()));
            };
        } catch (FeedRefusedException e) {
            Optional<FeedCache.Copy> _ = queried.copy().get();
            return queried.with(new Answer.Refused(reason(e)));
        }
    }

    /// Does not ask: the feed's last good copy is to be read.
    FetchResult fromCopy(Feed feed) throws IOException {
        FetchResult known = brought(feed, new Answer.NotQueried());
        Optional<FeedCache.Copy> _ = known.copy().get();
        return known;
    }

    /// Does not fetch a source again within a short time, unless there is no copy.
    FetchResult notDue(Feed feed) throws IOException {
        FetchResult known = brought(feed, new Answer.NotQueried());
        Optional<FeedCache.Copy> copy = known.copy().get();
        return copy.isPresent() ? known.with(new Answer.NotDue(copy.get())) : fromSource(feed);
    }

    private FetchResult brought(Feed feed, Answer answer) throws IOException {
        return new FetchResult(
                feed,
                new CachedFeed(copies, feed, run.now()),
                SourceStamp.of(feed, run.now()),
                answer,
                System.nanoTime());
    }

    /// Reads what was brought, or else the last good copy.
    IngestResult take(FetchResult brought) throws IOException {
        Feed feed = brought.feed();
        run.progress().begin(RebuildStage.READ, feed.name());
        Optional<ManifestFeed> before = run.previous().feed(feed.name());
        return switch (brought.answer()) {
            case Answer.Content(Path file, String fingerprint, Validators validators) ->
                taken(
                        brought,
                        begin(feed, file, run.now(), Map.of()),
                        before,
                        new CopyUpdate.Replace(file, fingerprint, validators));
            case Answer.NotModified(FeedCache.Copy copy) ->
                taken(brought, begin(feed, copy.file(), run.now(), Map.of()), before, new CopyUpdate.Confirm(copy));
            case Answer.NotDue(FeedCache.Copy copy) ->
                taken(
                        brought,
                        begin(feed, copy.file(), copy.fetchedAt(), Map.of()),
                        Optional.empty(),
                        new CopyUpdate.Leave());
            case Answer.Runs runs -> readElsewhere(brought, runs, before);
            case Answer.NotQueried _ -> fromCopy(feed, brought.copy().get(), Failure.NONE, brought.start());
            case Answer.Refused(String why) -> fromCopy(feed, brought.copy().get(), Failure.of(why), brought.start());
        };
    }

    private IngestResult taken(
            FetchResult brought, FeedReading reading, Optional<ManifestFeed> before, CopyUpdate update)
            throws IOException {
        try {
            read(brought.feed(), reading, before);
            return reading.ingested(brought.from(), Failure.NONE, secondsSince(brought.start()), update);
        } catch (FeedRefusedException e) {
            Failure failure = new Failure(Optional.of(reason(e)), Optional.of(reading.refused()));
            return fromCopy(brought.feed(), brought.copy().get(), failure, brought.start());
        }
    }

    /// The keys come by themselves, as those of the source that is made here.
    private IngestResult readElsewhere(FetchResult brought, Answer.Runs runs, Optional<ManifestFeed> before)
            throws IOException {
        FeedReading reading = begin(brought.feed(), folder, run.now(), Map.of());
        reading.counted(runs.counts());
        runs.exceptions().forEach(key -> reading.except(0, key));
        try {
            gates.pass(brought.feed(), reading, before);
            return reading.ingested(
                    brought.from(), Failure.NONE, secondsSince(brought.start()), new CopyUpdate.Leave());
        } catch (FeedRefusedException e) {
            run.sources().drop(reading.source());
            Failure failure = new Failure(Optional.of(reason(e)), Optional.of(reading.refused()));
            return fromCopy(brought.feed(), brought.copy().get(), failure, brought.start());
        }
    }

    /// The result for a feed whose content is that of the previous snapshot; it is not read again.
    IngestResult unchanged(FetchResult brought) {
        ManifestFeed before = run.previous().feed(brought.feed().name()).orElseThrow();
        FeedCounts counts = new FeedCounts(
                before.lines(), before.entries(), before.comments(), before.rejects(), 0, before.held(), before.keys());
        CopyUpdate update = switch (brought.answer()) {
            case Answer.Content(Path file, String fingerprint, Validators validators) ->
                new CopyUpdate.Replace(file, fingerprint, validators);
            case Answer.NotModified(FeedCache.Copy copy) -> new CopyUpdate.Confirm(copy);
            case Answer.NotDue _, Answer.Runs _, Answer.NotQueried _, Answer.Refused _ -> new CopyUpdate.Leave();
        };
        FeedReport report = new FeedReport(
                brought.feed().name(),
                brought.from(),
                Optional.of(run.now()),
                counts,
                Optional.empty(),
                Optional.empty(),
                List.of(),
                List.of(),
                secondsSince(brought.start()));
        return new IngestResult(brought.feed(), report, Optional.empty(), update);
    }

    private IngestResult fromCopy(Feed feed, Optional<FeedCache.Copy> copy, Failure failure, long start)
            throws IOException {
        if (copy.isEmpty()) {
            String why = failure.reason().orElse("not fetched, as asked")
                    + (copies.isKept(feed) ? "; its last good copy is damaged" : "; there is no last good copy");
            return nothing(feed, new Failure(Optional.of(why), failure.refused()), start);
        }
        FeedReading reading = begin(feed, copy.get().file(), copy.get().fetchedAt(), Map.of());
        try {
            read(feed, reading, Optional.empty());
            return reading.ingested(
                    FeedReport.From.LAST_GOOD_COPY, failure, secondsSince(start), new CopyUpdate.Leave());
        } catch (FeedRefusedException e) {
            String both = failure.reason().map(today -> today + "; ").orElse("") + "last good copy: " + reason(e);
            return nothing(
                    feed,
                    new Failure(Optional.of(both), failure.refused().or(() -> Optional.of(reading.refused()))),
                    start);
        }
    }

    private static IngestResult nothing(Feed feed, Failure failure, long start) {
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

    /// Reads a feed again after a fault was found in it, as the fault requires. The keys of its first reading
    /// are void.
    IngestResult again(IngestResult first, FeedFault fault) throws IOException {
        FeedReading reading = first.reading().orElseThrow();
        run.progress().begin(RebuildStage.READ, first.feed().name());
        run.sources().drop(reading.source());
        return switch (fault) {
            case FeedFault.Whole whole -> instead(first, reading, whole.reason());
            case FeedFault.Entries entries -> without(first, reading, entries);
        };
    }

    private IngestResult instead(IngestResult first, FeedReading reading, String reason) throws IOException {
        Failure failure = new Failure(Optional.of(reason), Optional.of(reading.refused()));
        return first.report().from() == FeedReport.From.LAST_GOOD_COPY
                ? nothing(first.feed(), failure, System.nanoTime())
                : fromCopy(first.feed(), copies.of(first.feed(), run.now()), failure, System.nanoTime());
    }

    private IngestResult without(IngestResult first, FeedReading reading, FeedFault.Entries fault) throws IOException {
        long start = System.nanoTime();
        Map<Key, String> held = new HashMap<>(reading.held());
        fault.keys().forEach(key -> held.put(key, fault.reason()));
        FeedReading again = begin(first.feed(), reading.file(), reading.source().seen(), held);
        read(first.feed(), again);
        String reason = first.report().failure().map(before -> before + "; ").orElse("") + fault.reason();
        return again.ingested(
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
            reading.counted(
                    reader.holding(reading.held()).read(feed, () -> Files.newInputStream(reading.file()), reading));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (FeedRefusedException e) {
            reading.counted(e.counts());
            throw e;
        }
    }

    /// The reason without the name of the feed, which the report shows next to it. A fault of the program is
    /// logged as well.
    private static String reason(FeedRefusedException refused) {
        if (refused.isFault()) {
            LOG.error("unexpected error, in reading a feed", refused);
        }
        String message = String.valueOf(refused.getMessage());
        return message.startsWith("feed ") ? message.substring(message.indexOf(": ") + 2) : message;
    }

    private static double secondsSince(long start) {
        return (System.nanoTime() - start) / 1e9;
    }
}
