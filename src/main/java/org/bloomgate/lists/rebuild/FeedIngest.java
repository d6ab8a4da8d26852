package org.bloomgate.lists.rebuild;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
import org.bloomgate.lists.fetch.SourceStamp;
import org.bloomgate.lists.fetch.Validators;
import org.bloomgate.lists.format.FeedReader;
import org.bloomgate.lists.layer.FeedReport.From;
import org.bloomgate.lists.layer.RebuildOptions;
import org.bloomgate.lists.layer.RebuildStage;
import org.bloomgate.lists.rebuild.FeedCache.Copy;
import org.bloomgate.lists.rebuild.FeedOutcome.Content;
import org.bloomgate.lists.rebuild.FeedOutcome.Failure;
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
    FeedIngest(Rebuild rebuild, FeedCache copies, Path folder, LayerRun run) {
        this.fetcher = rebuild.tools().fetcher();
        this.reader = rebuild.tools().reader();
        this.options = rebuild.settings().options();
        this.copies = copies;
        this.folder = folder;
        this.gates = new FeedGates(options, run.remarks().gates());
        this.run = run;
    }

    /// Fetches the feed from its source, without reading it.
    ///
    /// @param timeout of the whole download
    FeedOutcome fetch(Feed feed, Duration timeout) throws IOException {
        long start = System.nanoTime();
        Optional<String> stamp = SourceStamp.of(feed, run.now());
        Optional<Copy> copy = SourceStamp.isRemote(feed) ? copies.of(feed, run.now()) : Optional.empty();
        FeedOutcome outcome = begin(feed, stamp, Optional.of(run.now()));
        try {
            Path file = folder.resolve(feed.name());
            Optional<Validators> validators =
                    fetcher.fetch(feed, file, copy.map(Copy::validators).orElse(Validators.NONE), timeout);
            return outcome.with(
                            validators.isPresent()
                                    ? new Content.Fetched(file, Sha256.hex(file), validators.get())
                                    : new Content.Stored(copy.orElseThrow(), From.NOT_MODIFIED))
                    .addTimeSince(start);
        } catch (FeedRefusedException e) {
            Optional<Copy> fallback = copy.isPresent() ? copy : copies.of(feed, run.now());
            return useLastGoodCopy(outcome, fallback, new Failure(describe(e), Optional.empty()))
                    .addTimeSince(start);
        }
    }

    /// Chooses the last good copy without fetching the feed.
    FeedOutcome useCopy(Feed feed) throws IOException {
        FeedOutcome outcome = begin(feed, SourceStamp.of(feed, run.now()), Optional.empty());
        Optional<Copy> copy = copies.of(feed, run.now());
        return copy.isPresent()
                ? outcome.with(new Content.Stored(copy.get(), From.LAST_GOOD_COPY))
                : useLastGoodCopy(outcome, copy, new Failure("not fetched, as requested", Optional.empty()));
    }

    /// Chooses the copy of a source that was fetched recently; fetches the feed if there is no copy.
    FeedOutcome useRecentCopy(Feed feed, Duration timeout) throws IOException {
        Optional<Copy> copy = copies.of(feed, run.now());
        return copy.isPresent()
                ? begin(feed, SourceStamp.of(feed, run.now()), Optional.empty())
                        .with(new Content.Stored(copy.get(), From.NOT_DUE))
                : fetch(feed, timeout);
    }

    /// Chooses runs, into which another engine read the feed.
    FeedOutcome useRuns(Feed feed, FeedCounts counts, List<Key> exceptions) throws IOException {
        return begin(feed, SourceStamp.of(feed, run.now()), Optional.of(run.now()))
                .with(new Content.InRuns(counts, exceptions));
    }

    private static FeedOutcome begin(Feed feed, Optional<String> stamp, Optional<Instant> requestedAt) {
        return new FeedOutcome(feed, stamp, requestedAt, new Content.Missing(), Optional.empty(), Optional.empty(), 0);
    }

    private FeedOutcome useLastGoodCopy(FeedOutcome outcome, Failure failure) throws IOException {
        return useLastGoodCopy(outcome, copies.of(outcome.feed(), run.now()), failure);
    }

    private FeedOutcome useLastGoodCopy(FeedOutcome outcome, Optional<Copy> copy, Failure failure) throws IOException {
        if (copy.isPresent()) {
            return outcome.with(new Content.Stored(copy.get(), From.LAST_GOOD_COPY), failure);
        }
        String reason = failure.reason()
                + (copies.exists(outcome.feed()) ? "; its last good copy is damaged" : "; there is no last good copy");
        return outcome.with(new Content.Missing(), new Failure(reason, failure.refused()));
    }

    /// Reads the fetched content, or else the last good copy.
    FeedOutcome ingest(FeedOutcome fetched) throws IOException {
        long start = System.nanoTime();
        run.progress().begin(RebuildStage.READ, fetched.feed().name());
        return read(fetched).addTimeSince(start);
    }

    private FeedOutcome read(FeedOutcome fetched) throws IOException {
        Optional<ManifestFeed> before = run.previous().findFeed(fetched.feed().name());
        return switch (fetched.content()) {
            case Content.Fetched content -> read(fetched, content.file(), run.now(), before);
            case Content.Stored(Copy copy, From from) ->
                from == From.NOT_MODIFIED
                        ? read(fetched, copy.file(), run.now(), before)
                        : read(fetched, copy.file(), copy.fetchedAt(), Optional.empty());
            case Content.InRuns runs -> checkRuns(fetched, runs, before);
            case Content.Missing _ -> fetched;
        };
    }

    private FeedOutcome read(FeedOutcome fetched, Path file, Instant seen, Optional<ManifestFeed> before)
            throws IOException {
        FeedReading reading = beginReading(fetched.feed(), file, seen, Map.of());
        try {
            read(reading);
            gates.check(fetched.feed(), reading, before);
            return fetched.with(reading);
        } catch (FeedRefusedException e) {
            return replace(fetched, reading, e);
        }
    }

    /// Checks the counts of runs. [RunIngest] adds their keys to the sort, with the source made here.
    private FeedOutcome checkRuns(FeedOutcome fetched, Content.InRuns runs, Optional<ManifestFeed> before)
            throws IOException {
        FeedReading reading = beginReading(fetched.feed(), folder, run.now(), Map.of());
        reading.setCounts(runs.counts());
        runs.exceptions().forEach(key -> reading.except(0, key));
        try {
            gates.check(fetched.feed(), reading, before);
            return fetched.with(reading);
        } catch (FeedRefusedException e) {
            return replace(fetched, reading, e);
        }
    }

    /// Reads the last good copy instead of rejected content; a rejected copy is replaced by nothing.
    private FeedOutcome replace(FeedOutcome outcome, FeedReading reading, FeedRefusedException refused)
            throws IOException {
        reading.drop();
        if (outcome.content().from() != From.LAST_GOOD_COPY) {
            return read(useLastGoodCopy(outcome, new Failure(describe(refused), Optional.of(reading.refused()))));
        }
        String reason = outcome.failure().map(today -> today.reason() + "; ").orElse("") + "last good copy: "
                + describe(refused);
        return outcome.with(
                new Content.Missing(),
                new Failure(
                        reason, outcome.failure().flatMap(Failure::refused).or(() -> Optional.of(reading.refused()))));
    }

    /// The outcome of a feed with the content of the previous snapshot; it is not read again.
    FeedOutcome confirm(FeedOutcome fetched) {
        ManifestFeed before = run.previous().findFeed(fetched.feed().name()).orElseThrow();
        FeedReading reading = beginReading(fetched.feed(), folder, run.now(), Map.of());
        reading.setCounts(new FeedCounts(
                before.lines(),
                before.entries(),
                before.comments(),
                before.rejects(),
                0,
                before.held(),
                before.keys()));
        return fetched.with(reading);
    }

    /// Reads a feed again after a fault was found in it. The keys of its first reading are dropped.
    FeedOutcome readAgain(FeedOutcome first, FeedFault fault) throws IOException {
        long start = System.nanoTime();
        FeedReading reading = first.reading().orElseThrow();
        run.progress().begin(RebuildStage.READ, first.feed().name());
        reading.drop();
        FeedOutcome again = switch (fault) {
            case FeedFault.Whole whole -> readOther(first, new Failure(whole.reason(), Optional.of(reading.refused())));
            case FeedFault.Entries entries -> readWithout(first, reading, entries);
        };
        return again.addTimeSince(start);
    }

    private FeedOutcome readOther(FeedOutcome first, Failure failure) throws IOException {
        return first.content().from() == From.LAST_GOOD_COPY
                ? first.with(new Content.Missing(), failure)
                : read(useLastGoodCopy(first, failure));
    }

    private FeedOutcome readWithout(FeedOutcome first, FeedReading reading, FeedFault.Entries fault)
            throws IOException {
        Map<Key, String> held = new HashMap<>(reading.held());
        fault.keys().forEach(key -> held.put(key, fault.reason()));
        FeedReading again =
                beginReading(first.feed(), reading.file(), reading.source().seen(), held);
        read(again);
        String reason = first.failure().map(before -> before.reason() + "; ").orElse("") + fault.reason();
        return first.with(first.content(), new Failure(reason, first.failure().flatMap(Failure::refused)))
                .with(again);
    }

    /// @param held keys to hold back, with the reason
    private FeedReading beginReading(Feed feed, Path file, Instant seen, Map<Key, String> held) {
        return new FeedReading(feed, file, run.sorting().sources().addRead(feed, seen), held, run, options.examples());
    }

    private void read(FeedReading reading) throws IOException {
        try {
            reading.setCounts(reader.withHeldKeys(reading.held())
                    .read(reading.feed(), () -> Files.newInputStream(reading.file()), reading));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (FeedRefusedException e) {
            reading.setCounts(e.counts());
            throw e;
        }
    }

    /// The reason without the name of the feed, which the report shows next to it. A fault of the program is
    /// logged as well.
    private static String describe(FeedRefusedException refused) {
        if (refused.isFault()) {
            LOG.error("unexpected error while reading a feed", refused);
        }
        String message = String.valueOf(refused.getMessage());
        return message.startsWith("feed ") ? message.substring(message.indexOf(": ") + 2) : message;
    }
}
