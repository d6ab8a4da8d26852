package org.bloomgate.lists.rebuild;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.format.FeedReader;
import org.bloomgate.lists.layer.RebuildStage;
import org.bloomgate.lists.sort.RunReader;
import org.bloomgate.lists.sort.SortBuffer;

/// Adds runs to the sort. Size, digest and order of every run are checked against `runs.json` before anything
/// is built.
final class RunIngest {
    private static final int BUFFER_BYTES = 1 << 18;
    private static final int TICK = 1 << 16;

    private final Runs runs;
    private final FeedIngest ingest;
    private final FeedReader reader;
    private final LayerRun run;
    private final byte[] last = new byte[SortBuffer.MAX_KEY_BYTES];
    private int lastLength;
    private int lastSource;
    private long held;

    RunIngest(Runs runs, FeedIngest ingest, FeedReader reader, LayerRun run) {
        this.runs = runs;
        this.ingest = ingest;
        this.reader = reader;
        this.run = run;
    }

    /// The outcomes of the feeds, with the runs as their content.
    ///
    /// @param suffixes SHA-256 of the public suffix list
    /// @throws RunsRefusedException if the runs were made from other feeds, or with other settings
    List<FeedOutcome> outcomes(List<Feed> feeds, String suffixes) throws IOException {
        Runs.OfLayer layer = runs.of(run.layer());
        requireSame("the public suffix list", runs.index().suffixes(), suffixes);
        requireSame("the set of allow lists", runs.index().allowed(), reader.computeGatesDigest());
        List<String> configured = feeds.stream().map(Feed::name).toList();
        List<String> made = layer.feeds().stream().map(Runs.OfFeed::name).toList();
        if (!made.equals(configured)) {
            throw refused("made from the feeds " + made + ", but configured are " + configured);
        }
        List<FeedOutcome> outcomes = new ArrayList<>();
        for (int i = 0; i < feeds.size(); i++) {
            Runs.OfFeed inRuns = layer.feeds().get(i);
            requireSame("feed " + inRuns.name(), inRuns.definition(), OptionsDigest.of(feeds.get(i)));
            outcomes.add(ingest.useRuns(feeds.get(i), inRuns.counts(), exceptions(inRuns)));
        }
        return outcomes;
    }

    private List<Key> exceptions(Runs.OfFeed inRuns) throws RunsRefusedException {
        try {
            return inRuns.exceptions().stream().map(Key::ofLine).toList();
        } catch (IllegalArgumentException malformed) {
            throw refused("feed " + inRuns.name() + ": an exception is " + malformed.getMessage());
        }
    }

    private void requireSame(String what, Optional<String> made, String now) throws RunsRefusedException {
        if (made.isPresent() && !made.get().equals(now)) {
            throw refused(what + " has changed since");
        }
    }

    private RunsRefusedException refused(String why) {
        return new RunsRefusedException(runs.folder(), why + ": make the runs again");
    }

    /// @throws RunsRefusedException naming the run that is damaged
    List<FeedOutcome> ingest(List<FeedOutcome> fetched) throws IOException {
        int[] numbers = new int[fetched.size()];
        List<FeedOutcome> ingested = new ArrayList<>();
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = run.sorting().sources().nextNumber();
            ingested.add(ingest.ingest(fetched.get(i)));
        }
        for (Runs.Run file : runs.of(run.layer()).runs()) {
            run.progress().begin(RebuildStage.READ, file.file());
            add(file, ingested, numbers);
        }
        if (held > 0) {
            run.warn("allow lists hold back " + held + " entries of the runs");
        }
        return ingested;
    }

    private void add(Runs.Run described, List<FeedOutcome> feeds, int[] numbers) throws IOException {
        Path file = runs.folder().resolve(described.file());
        requireSize(file, described.bytes());
        try (DigestInputStream in = new DigestInputStream(Files.newInputStream(file), Sha256.begin());
                RunReader records = new RunReader(in, BUFFER_BYTES)) {
            lastLength = 0;
            for (long done = 1; next(records, file); done++) {
                add(records, file, feeds, numbers);
                if (done % TICK == 0) {
                    run.progress().advance(done, -1);
                }
            }
            if (!HexFormat.of().formatHex(in.getMessageDigest().digest()).equals(described.sha256())) {
                throw new RunsRefusedException(file, "damaged: its SHA-256 is not that of runs.json");
            }
        }
    }

    private static void requireSize(Path file, long expected) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new RunsRefusedException(file, "no such file");
        }
        if (Files.size(file) != expected) {
            throw new RunsRefusedException(
                    file, "damaged: has " + Files.size(file) + " bytes, and runs.json says " + expected);
        }
    }

    private static boolean next(RunReader records, Path file) throws IOException {
        try {
            return records.next();
        } catch (IOException e) {
            throw new RunsRefusedException(file, "damaged: " + e.getMessage());
        }
    }

    private void add(RunReader record, Path file, List<FeedOutcome> feeds, int[] numbers) throws IOException {
        requireOrder(record, file);
        int source = record.source() % Runs.BELOW;
        boolean below = record.source() >= Runs.BELOW;
        Optional<KeyKind> kind = KeyKind.ofWireCode(record.key()[0] & 0xff);
        if (source >= numbers.length
                || (below && kind.stream().noneMatch(KeyKind.DOMAIN::equals))
                || kind.stream().noneMatch(feeds.get(source).feed().kind()::holds)) {
            throw new RunsRefusedException(file, "a key that its feed cannot contain");
        }
        if (runs.index().allowed().isEmpty() && isHeld(feeds.get(source).feed(), kind.get(), record)) {
            held++;
        } else {
            int number = below ? numberBelow(feeds.get(source), numbers[source]) : numbers[source];
            run.sorting()
                    .sort()
                    .add(record.key()[0] & 0xff, record.key(), 1, record.keyLength(), number, record.count());
        }
    }

    /// The source of the keys of which only the names below are listed; the dropped source if the feed was rejected.
    private static int numberBelow(FeedOutcome feed, int number) {
        return feed.reading()
                .filter(reading -> reading.source().number() == number)
                .map(reading -> reading.sourceBelow().number())
                .orElse(number);
    }

    private boolean isHeld(Feed feed, KeyKind kind, RunReader record) {
        return reader.isHeld(feed, Key.ofBytes(kind, record.key(), 1, record.keyLength() - 1));
    }

    private void requireOrder(RunReader record, Path file) throws RunsRefusedException {
        int order = Arrays.compareUnsigned(record.key(), 0, record.keyLength(), last, 0, lastLength);
        if (order < 0 || (order == 0 && lastLength > 0 && record.source() <= lastSource)) {
            throw new RunsRefusedException(file, "damaged: its keys are not in order");
        }
        System.arraycopy(record.key(), 0, last, 0, record.keyLength());
        lastLength = record.keyLength();
        lastSource = record.source();
    }
}
