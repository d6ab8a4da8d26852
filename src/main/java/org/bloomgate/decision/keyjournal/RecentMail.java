package org.bloomgate.decision.keyjournal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.bloomgate.base.io.IoText;
import org.bloomgate.base.io.Token;
import org.bloomgate.core.bloom.ScalableFilter;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Use;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A search of recently delivered mail for listed keys. A few keys are compared with every message exactly. Millions
/// of keys are first tested against a filter of all recorded hashes.
///
/// Heap: at most [#MAX_NOTED] listings and, for millions of keys, a filter for at most [#MAX_RECORDED] keys. Of an
/// incomplete or damaged file, the readable records are used. Used by one thread.
///
/// @param <T> the stored part of a listing
public final class RecentMail<T> {
    /// The most listings that are noted; [Tally#overlooked()] counts further ones.
    public static final int MAX_NOTED = 200_000;

    private static final Logger LOG = LoggerFactory.getLogger(RecentMail.class);

    /// The capacity of the filter in keys, about 50 MB. With more keys it has more false positives, so that more
    /// listings are noted without a match, and the limit [#MAX_NOTED] is reached earlier.
    static final long MAX_RECORDED = 1 << 24;

    private static final long MIN_RECORDED = 1 << 10;
    private static final double FALSE_POSITIVE_RATE = 1e-4;

    /// The upper bits of a hash that select a word of `hints`, which rules out most of a hundred million hashes before
    /// the map is searched.
    private static final int HINT_BITS = 15;

    private final Path directory;
    private final Instant since;
    private final Optional<MailKeyHash> hash;
    private final Optional<ScalableFilter> recordedHashes;
    private final Map<Long, List<T>> listingsByHash = new HashMap<>();
    private final long[] hints = new long[1 << HINT_BITS];
    private int size;
    private final Set<HourFile> unreadableFiles = new HashSet<>();
    private int unreadable;
    private boolean empty = true;
    private int damagedAtFirst;
    private long overlookedListings;

    private RecentMail(Path directory, Instant since, boolean forMany) throws IOException {
        this.directory = directory;
        this.since = since;
        this.hash = InstallationKey.readIfWhole(directory).map(InstallationKey::hash);
        List<HourFile> files = HourFile.oldestFirst(directory).stream()
                .filter(file -> file.reaches(since))
                .toList();
        recordedHashes = forMany ? Optional.of(filter(files)) : Optional.empty();
        for (HourFile file : files) {
            loadHashes(file);
        }
    }

    private ScalableFilter filter(List<HourFile> files) throws IOException {
        long bytes = 0;
        for (HourFile file : files) {
            bytes += sizeOf(file);
        }
        return ScalableFilter.fixed(Math.clamp(bytes / Long.BYTES, MIN_RECORDED, MAX_RECORDED), FALSE_POSITIVE_RATE);
    }

    private long sizeOf(HourFile file) throws IOException {
        try {
            return Files.size(file.in(directory));
        } catch (NoSuchFileException e) {
            return 0;
        }
    }

    /// The number of hours whose file is damaged or was written with another installation key.
    public int unreadable() {
        return unreadable;
    }

    /// Messages delivered since the hour of an instant, to be searched for a few keys.
    public static <T> RecentMail<T> since(Instant since, KeyJournalOptions options) throws IOException {
        return new RecentMail<>(options.directory(), since, false);
    }

    /// The same for any number of keys: reads all recorded hashes into the filter.
    public static <T> RecentMail<T> forMany(Instant since, KeyJournalOptions options) throws IOException {
        return new RecentMail<>(options.directory(), since, true);
    }

    /// The start of the oldest record; earlier mail is unknown. Empty if there is none.
    public Optional<Instant> begins() throws IOException {
        return HourFile.oldestFirst(directory).stream().findFirst().map(HourFile::hour);
    }

    /// True if there is no record, not even a damaged one.
    public boolean isEmpty() {
        return empty;
    }

    /// The aspects of a key that a listing applies to, for [#note]: one bit each. Keys that were already listed when
    /// the message was delivered are not among them.
    public static int reach(Match match, Set<Use> uses) {
        return MailKeyHash.reach(match, uses);
    }

    /// The aspects of a key, wherever it was found and whether it was listed or not: all recorded messages with it.
    public static int reachOfAll(Match match) {
        return MailKeyHash.withListed(reach(match, EnumSet.allOf(Use.class)));
    }

    /// Notes a key wherever it was found, listed or not, if any message may contain it.
    ///
    /// @param listing called only if a message may contain the key
    public void noteAnywhere(Key key, Match match, Supplier<T> listing) {
        byte[] bytes = key.bytes();
        note(key.kind().wireCode(), bytes, 0, bytes.length, reachOfAll(match), listing);
    }

    /// Notes that a key is listed, if any message may contain it.
    ///
    /// @param reach of the listing
    /// @param listing called only if a message may contain the key
    public void note(int kindCode, byte[] bytes, int from, int to, int reach, Supplier<T> listing) {
        if (isEmpty() || !MailKeys.isRecorded(kindCode)) {
            return;
        }
        MailKeyHash keyed = hash.orElseThrow();
        long key = keyed.hash(kindCode, bytes, from, to);
        for (int aspect = 0; aspect < MailKeyHash.ASPECTS; aspect++) {
            long keyHash = keyed.withAspect(aspect, key);
            if ((reach & 1 << aspect) != 0 && mightBeRecorded(keyHash)) {
                note(keyHash, listing);
            }
        }
    }

    private boolean mightBeRecorded(long keyHash) {
        return recordedHashes.isEmpty() || recordedHashes.get().mightContain(keyHash);
    }

    private void note(long keyHash, Supplier<T> listing) {
        if (size == MAX_NOTED) {
            overlookedListings++;
            return;
        }
        size++;
        hints[hint(keyHash)] |= 1L << keyHash;
        listingsByHash.computeIfAbsent(keyHash, _ -> new ArrayList<>(1)).add(listing.get());
    }

    private static int hint(long keyHash) {
        return (int) (keyHash >>> (Long.SIZE - HINT_BITS));
    }

    /// Receives each message that contains a noted key, hour by hour.
    @FunctionalInterface
    public interface Visitor<T> {
        /// @param listings of its keys; one may stand for several aspects of a key and come more than once
        void mail(String token, Instant delivered, Votes.Voter voter, List<T> listings) throws IOException;
    }

    /// The number of records searched.
    ///
    /// @param mails messages delivered in that time
    /// @param votes those of one client network to one recipient counted once
    /// @param holding those of them that contain a noted key
    /// @param overlooked listings beyond [#MAX_NOTED]: when not 0, there may be more such messages
    /// @param damaged number of records that could not be read
    public record Tally(long mails, long votes, long holding, long overlooked, int damaged) {}

    /// Passes every message that contains a noted key to the visitor.
    public Tally forEach(Visitor<T> visitor) throws IOException {
        return walk(new Walk(visitor, since, Instant.MAX));
    }

    /// Passes every recorded message that contains a noted key and was delivered before the searched time to the
    /// visitor. Reads nothing if no key is noted.
    public void forEachBefore(Visitor<T> visitor) throws IOException {
        if (!listingsByHash.isEmpty()) {
            walk(new Walk(visitor, Instant.MIN, since));
        }
    }

    /// Passes messages that contain a noted key to the visitor, those of the newest hour first, until the time is up.
    ///
    /// @param until messages delivered before this
    public void forEachNewestFirst(Instant until, Duration within, Visitor<T> visitor) throws IOException {
        Walk walk = new Walk(visitor, since, until);
        walk.endNanos = System.nanoTime() + within.toNanos();
        for (HourFile file : HourFile.oldestFirst(directory).reversed()) {
            if (walk.includes(file)) {
                walk.file(file);
            }
        }
    }

    private Tally walk(Walk walk) throws IOException {
        for (HourFile file : HourFile.oldestFirst(directory)) {
            if (walk.includes(file)) {
                walk.file(file);
            }
        }
        return new Tally(
                walk.mails,
                walk.votes.messages(this),
                walk.holding,
                overlookedListings,
                Math.max(walk.damaged, damagedAtFirst));
    }

    /// Forgets all noted keys.
    public void forget() {
        listingsByHash.clear();
        Arrays.fill(hints, 0);
        size = 0;
        overlookedListings = 0;
    }

    private boolean isOfThisInstallation(HourFileReader reader) throws IOException {
        return hash.isPresent() && reader.isWrittenWith(hash.get());
    }

    private void loadHashes(HourFile file) throws IOException {
        try (HourFileReader reader = new HourFileReader(file.in(directory))) {
            if (!isOfThisInstallation(reader)) {
                unreadable++;
                return;
            }
            ByteBuffer record = reader.next();
            empty &= !record.hasRemaining() && reader.damaged() == 0;
            for (; record.hasRemaining() && recordedHashes.isPresent(); record = reader.next()) {
                record.position(
                        Math.min(record.limit(), record.position() + HourFileFormat.RECORD_HEAD_BYTES + Long.BYTES));
                while (record.hasRemaining()) {
                    recordedHashes.get().add(record.getLong());
                }
            }
            damagedAtFirst += reader.damaged();
        } catch (NoSuchFileException e) {
            return;
        } catch (IOException e) {
            LOG.warn("{}: {}", file.in(directory), IoText.describe(e));
            unreadable++;
            unreadableFiles.add(file);
        }
    }

    private final class Walk {
        private final Visitor<T> visitor;
        private final Instant from;
        private final Instant until;
        private final Votes<Object> votes = new Votes<>();
        private long mails;
        private long holding;
        private int damaged;
        private long endNanos = Long.MAX_VALUE;

        /// @param from mail delivered then or later
        /// @param until and before this
        Walk(Visitor<T> visitor, Instant from, Instant until) {
            this.visitor = visitor;
            this.from = from;
            this.until = until;
        }

        boolean includes(HourFile file) {
            return file.reaches(from) && file.hour().isBefore(until) && !unreadableFiles.contains(file);
        }

        void file(HourFile file) throws IOException {
            try (HourFileReader reader = new HourFileReader(file.in(directory))) {
                if (!isOfThisInstallation(reader)) {
                    return;
                }
                for (ByteBuffer record = reader.next();
                        record.hasRemaining() && System.nanoTime() < endNanos;
                        record = reader.next()) {
                    mail(HourFileFormat.moveToToken(record));
                }
                damaged += reader.damaged();
            } catch (NoSuchFileException e) {
                return;
            }
        }

        private void mail(ByteBuffer record) throws IOException {
            long token = record.getLong();
            Instant delivered = Instant.ofEpochSecond(record.getLong());
            if (delivered.isBefore(from) || !delivered.isBefore(until)) {
                return;
            }
            long network = record.getLong();
            Votes.Voter voter = new Votes.Voter(network, record.hasRemaining() ? record.getLong() : 0);
            votes.add(RecentMail.this, voter);
            mails++;
            List<T> listings = listings(record);
            if (!listings.isEmpty()) {
                holding++;
                visitor.mail(Token.of(token), delivered, voter, listings);
            }
        }

        private List<T> listings(ByteBuffer hashes) {
            List<T> listings = List.of();
            while (hashes.hasRemaining()) {
                long keyHash = hashes.getLong();
                if ((hints[hint(keyHash)] & 1L << keyHash) != 0) {
                    List<T> ofKey = listingsByHash.getOrDefault(keyHash, List.of());
                    if (!ofKey.isEmpty()) {
                        listings = listings.isEmpty() ? new ArrayList<>() : listings;
                        listings.addAll(ofKey);
                    }
                }
            }
            return listings;
        }
    }
}
