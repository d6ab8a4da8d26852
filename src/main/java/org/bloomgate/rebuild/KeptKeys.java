package org.bloomgate.rebuild;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.bloomgate.disk.Fingerprint;
import org.bloomgate.disk.IoText;
import org.bloomgate.feed.Feed;
import org.bloomgate.feed.FeedCounts;
import org.bloomgate.feed.FeedRefusedException;
import org.bloomgate.feed.TextDifference;
import org.bloomgate.feed.Unpacking;
import org.bloomgate.format.FeedReader;
import org.bloomgate.format.FeedSink;
import org.bloomgate.key.Key;
import org.bloomgate.key.KeyKind;
import org.bloomgate.rebuild.KeptNote.OfFeed;
import org.bloomgate.sort.RunSelection;
import org.bloomgate.sort.SortedKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The keys that the feeds of a layer gave to the last snapshot, in order: a feed that gives the same octets again is
/// neither parsed nor sorted, and of a text in which some lines are others only these are.
///
/// What is kept is used up: a rebuild that ends without a snapshot is followed by one that reads everything. Each feed
/// is read whole again after [KeptNote#MAX_AGE], and always when something of it is rejected or held back, which a
/// report tells of. Faults of what is kept cost time and nothing else. Not thread-safe.
final class KeptKeys {
    /// Of the file; the keys of a larger layer are not kept.
    static final long MAX_BYTES = 256L << 20;

    /// Of lines that are others, in all feeds together; more are read whole.
    static final int MAX_CHANGED_KEYS = 1 << 16;

    /// Of these keys.
    static final int MAX_CHANGED_BYTES = 8 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(KeptKeys.class);

    private static final byte[] UTF8_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    private final Path folder;
    private final Path work;
    private final LastGoodCopies copies;
    private final FeedReader reader;
    private final LayerRun run;
    private final String made;
    private final Optional<KeptNote> note;
    private final RunSelection selection = new RunSelection();

    /// By name of the feed.
    private final Map<String, OfFeed> given = new HashMap<>();

    private Optional<Boolean> whole = Optional.empty();
    private boolean used;
    private int changed;
    private int changedOctets;

    private KeptKeys(
            Path folder,
            Path work,
            LastGoodCopies copies,
            FeedReader reader,
            LayerRun run,
            String made,
            Optional<KeptNote> note) {
        this.folder = folder;
        this.work = work;
        this.copies = copies;
        this.reader = reader;
        this.run = run;
        this.made = made;
        this.note = note.filter(kept -> kept.made().equals(made));
    }

    /// @param recipe of what a snapshot holds, besides its feeds
    /// @param work folder of this rebuild
    static KeptKeys of(
            Path snapshots, Path work, String recipe, LastGoodCopies copies, FeedReader reader, LayerRun run) {
        Path folder = snapshots.resolve(".keys");
        Optional<KeptNote> note = KeptNote.read(folder.resolve(run.layer() + KeptNote.SUFFIX));
        return new KeptKeys(folder, work, copies, reader, run, KeptNote.made(recipe), note);
    }

    /// What a rebuild takes that publishes nothing: it reads everything, and leaves what is kept to the next.
    KeptKeys leftAlone() {
        return new KeptKeys(folder, work, copies, reader, run, made, Optional.empty());
    }

    /// Deletes keys that nobody can use.
    KeptKeys swept() {
        try {
            if (note.isEmpty()) {
                Files.deleteIfExists(file());
            }
        } catch (IOException e) {
            LOG.warn("layer {}: keys of before are not deleted: {}", run.layer(), IoText.told(e));
        }
        return this;
    }

    private Path file() {
        return folder.resolve(run.layer());
    }

    private Path noteFile() {
        return folder.resolve(run.layer() + KeptNote.SUFFIX);
    }

    /// Has the sort take the keys of what is to be read from here; false when it has to be read.
    ///
    /// @param fingerprint of what is to be read
    boolean gives(Feed feed, FeedReading reading, String fingerprint) throws IOException {
        Optional<OfFeed> kept = note.flatMap(known -> known.feed(feed, run.now()))
                .filter(known -> !used && selection.isInOrder(known.number()));
        if (kept.isEmpty() || !isWhole()) {
            return false;
        }
        OfFeed known = kept.get();
        if (known.fingerprint().equals(fingerprint)
                && copies.file(feed, fingerprint).isPresent()) {
            take(known, reading, known.counts(), List.of());
            return true;
        }
        Optional<Change> change = change(feed, known, reading.file());
        if (change.isPresent()) {
            take(
                    known,
                    reading,
                    change.get().counts(known.counts()),
                    change.get().gone().keys);
            change.get().come().handTo(reading);
        }
        return change.isPresent();
    }

    private void take(OfFeed known, FeedReading reading, FeedCounts counts, List<byte[]> gone) {
        selection.take(known.number(), reading.source().number(), known.repeated(), gone);
        given.put(known.name(), known);
        reading.counted(counts);
    }

    /// Nobody else's as long as this rebuild runs.
    private Path own() {
        return work.resolve(".kept");
    }

    /// Asked when something of it is wanted, which takes it.
    private boolean isWhole() {
        if (whole.isEmpty()) {
            whole = Optional.of(false);
            try {
                Files.delete(noteFile());
                Files.move(file(), own());
                whole = Optional.of(Fingerprint.isOf(own(), note.orElseThrow().fingerprint()));
            } catch (IOException e) {
                LOG.warn("layer {}: the keys of before cannot be used: {}", run.layer(), IoText.told(e));
            }
        }
        return whole.get();
    }

    /// What the lines gave that are others now, and what they give.
    private record Change(Lines gone, Lines come) {

        FeedCounts counts(FeedCounts before) {
            FeedCounts less = gone.counts;
            FeedCounts more = come.counts;
            return new FeedCounts(
                    before.lines() - less.lines() + more.lines(),
                    before.entries() - less.entries() + more.entries(),
                    before.comments() - less.comments() + more.comments(),
                    0,
                    0,
                    0,
                    before.keys() - less.keys() + more.keys());
        }
    }

    /// Empty when it cannot be told from the lines that differ, or would not pay. A key that stood in two lines is
    /// listed still when one of them goes.
    private Optional<Change> change(Feed feed, OfFeed known, Path now) {
        try {
            Optional<TextDifference> difference = difference(feed, known, now);
            return difference.isPresent() ? change(feed, difference.get()) : Optional.empty();
        } catch (IOException e) {
            LOG.warn("feed {} is read whole: {}", feed.name(), IoText.told(e));
            return Optional.empty();
        }
    }

    private Optional<TextDifference> difference(Feed feed, OfFeed known, Path now) throws IOException {
        Optional<Path> before = copies.file(feed, known.fingerprint());
        boolean told = before.isPresent()
                && feed.format().linesStandAlone()
                && !known.repeated()
                && Files.size(now) > 0
                && !isPacked(before.get())
                && !isPacked(now)
                && Fingerprint.isOf(before.get(), known.fingerprint());
        return told ? TextDifference.of(before.orElseThrow(), now).filter(KeptKeys::readsAsWithin) : Optional.empty();
    }

    /// Whether lines read by themselves are what they are within the text: at its beginning some octets mean more.
    private static boolean readsAsWithin(TextDifference lines) {
        return Stream.of(lines.before(), lines.after())
                .noneMatch(text -> isPacked(text) || (lines.begin() > 0 && isMarked(text)));
    }

    private static boolean isPacked(byte[] text) {
        return Unpacking.isPacked(Arrays.copyOf(text, Math.min(text.length, Unpacking.HEAD_BYTES)));
    }

    private static boolean isMarked(byte[] text) {
        return Arrays.equals(Arrays.copyOf(text, UTF8_MARK.length), UTF8_MARK);
    }

    private Optional<Change> change(Feed feed, TextDifference difference) {
        try {
            Lines gone = lines(feed, difference.before());
            Lines come = lines(feed, difference.after());
            return gone.leftOut || come.leftOut ? Optional.empty() : Optional.of(new Change(gone, come));
        } catch (FeedRefusedException | TooMany noList) {
            return Optional.empty();
        }
    }

    private static boolean isPacked(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            return Unpacking.isPacked(in.readNBytes(Unpacking.HEAD_BYTES));
        }
    }

    private Lines lines(Feed feed, byte[] text) throws FeedRefusedException {
        Lines lines = new Lines(MAX_CHANGED_KEYS - changed, MAX_CHANGED_BYTES - changedOctets);
        if (text.length > 0) {
            lines.counts = reader.read(feed, () -> new ByteArrayInputStream(text), lines);
        }
        changed += lines.keys.size();
        changedOctets += lines.octets;
        return lines;
    }

    /// Lines give more keys than are held in memory.
    private static final class TooMany extends RuntimeException {
        private static final long serialVersionUID = 1;

        TooMany() {
            super("", null, false, false);
        }
    }

    /// What some lines give.
    private static final class Lines implements FeedSink {
        private final int mostKeys;
        private final int mostOctets;
        private final List<byte[]> keys = new ArrayList<>();
        private final List<Long> times = new ArrayList<>();
        private FeedCounts counts = FeedCounts.NOTHING;
        private int octets;
        private boolean leftOut;

        Lines(int mostKeys, int mostOctets) {
            this.mostKeys = mostKeys;
            this.mostOctets = mostOctets;
        }

        @Override
        public void key(long line, Key key, long count) {
            byte[] whole = key.octets();
            key(line, key.kind(), whole, 0, whole.length, count);
        }

        @Override
        public void key(long line, KeyKind kind, byte[] in, int from, int to, long count) {
            octets += to - from;
            if (keys.size() >= mostKeys || octets > mostOctets) {
                throw new TooMany();
            }
            byte[] key = new byte[to - from + 1];
            key[0] = (byte) kind.wireCode();
            System.arraycopy(in, from, key, 1, to - from);
            keys.add(key);
            times.add(count);
        }

        @Override
        public void reject(long line, String reason, String excerpt) {
            leftOut = true;
        }

        @Override
        public void held(long line, String reason, Key key) {
            leftOut = true;
        }

        void handTo(FeedReading reading) {
            for (int i = 0; i < keys.size(); i++) {
                byte[] key = keys.get(i);
                KeyKind kind = KeyKind.ofWireCode(key[0] & 0xff).orElseThrow();
                reading.key(0, kind, key, 1, key.length, times.get(i));
            }
        }
    }

    /// Hands to the sort, once, what feeds are to give from here.
    void use() throws IOException {
        if (!used && !given.isEmpty()) {
            used = true;
            long keys = given.values().stream().mapToLong(OfFeed::keys).sum();
            run.sort().add(own(), selection, keys);
        }
    }

    /// For the next rebuild, when this one makes nothing.
    void putBack() {
        if (!used && whole.equals(Optional.of(true))) {
            try {
                Files.move(own(), file(), StandardCopyOption.REPLACE_EXISTING);
                note.orElseThrow().write(noteFile());
            } catch (IOException e) {
                LOG.warn("layer {}: the keys of before are not kept: {}", run.layer(), IoText.told(e));
            }
        }
    }

    /// Keeps the keys of the snapshot that was published.
    ///
    /// @param keys which nobody needs any more
    /// @param inputs of the feeds, in their order
    void keep(SortedKeys keys, List<FeedIntaken> feeds, LayerInputs inputs) throws IOException {
        Files.deleteIfExists(noteFile());
        List<OfFeed> kept =
                Files.size(keys.file()) > MAX_BYTES ? List.of() : kept(feeds, inputs.feeds(), keys.repeated());
        if (kept.isEmpty()) {
            Files.deleteIfExists(file());
            return;
        }
        Files.createDirectories(folder);
        Files.move(keys.file(), file(), StandardCopyOption.REPLACE_EXISTING);
        KeptNote.of(made, Fingerprint.of(file()), kept).write(noteFile());
    }

    private List<OfFeed> kept(List<FeedIntaken> feeds, List<LayerInputs.FeedInput> inputs, BitSet repeated) {
        List<OfFeed> kept = new ArrayList<>();
        for (int i = 0; i < feeds.size(); i++) {
            kept(feeds.get(i), inputs.get(i), repeated).ifPresent(kept::add);
        }
        return kept;
    }

    private Optional<OfFeed> kept(FeedIntaken feed, LayerInputs.FeedInput input, BitSet repeated) {
        FeedCounts counts = feed.report().counts();
        Optional<FeedReading> reading =
                feed.reading().filter(read -> read.held().isEmpty());
        if (reading.isEmpty() || input.fingerprint().isEmpty() || reading.get().leftOut()) {
            return Optional.empty();
        }
        int number = reading.get().source().number();
        return Optional.of(new OfFeed(
                number,
                input.name(),
                input.definition(),
                input.fingerprint(),
                Optional.ofNullable(given.get(input.name())).map(OfFeed::readAt).orElse(run.now()),
                counts.lines(),
                counts.entries(),
                counts.comments(),
                counts.keys(),
                repeated.get(number)));
    }
}
