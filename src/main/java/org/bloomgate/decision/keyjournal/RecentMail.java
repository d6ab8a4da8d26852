package org.bloomgate.decision.keyjournal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
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
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Use;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Recently delivered mail, which is searched for listed keys: a few of them exactly against each message, millions
/// first against a filter over all recorded hashes.
///
/// Heap: [#MAX_NOTED] listings at most, and for millions the filter, whose size has the bound [#MAX_RECORDED] whatever
/// is recorded. A file that is being written, was torn or is damaged gives what can be read of it. Used by one thread.
///
/// @param <T> what is to be known of a listing
public final class RecentMail<T> {
    /// More listings than this that message may hold are not looked for; [Tally#overlooked()] counts them.
    public static final int MAX_NOTED = 200_000;

    private static final Logger LOG = LoggerFactory.getLogger(RecentMail.class);

    /// Keys that the filter is for, some 50 MB. With more of them more listings are noted in vain, until they are
    /// overlooked.
    static final long MAX_RECORDED = 1 << 24;

    private static final long MIN_RECORDED = 1 << 10;
    private static final double RATE = 1e-4;

    /// Bits that say which hashes are not noted, by their upper bits: a map is asked for few of a hundred million.
    private static final int HINT_BITS = 15;

    private final Path directory;
    private final Instant since;
    private final Optional<MailKeyHash> hash;
    private final Optional<ScalableFilter> recorded;
    private final Map<Long, List<T>> noted = new HashMap<>();
    private final long[] hints = new long[1 << HINT_BITS];
    private int size;
    private final Set<HourFile> failed = new HashSet<>();
    private int unreadable;
    private boolean empty = true;
    private int damagedAtFirst;
    private long overlooked;

    private RecentMail(Path directory, Instant since, boolean forMany) throws IOException {
        this.directory = directory;
        this.since = since;
        this.hash = InstallationKey.readIfWhole(directory).map(InstallationKey::hash);
        List<HourFile> files = HourFile.oldestFirst(directory).stream()
                .filter(file -> file.reaches(since))
                .toList();
        recorded = forMany ? Optional.of(filter(files)) : Optional.empty();
        for (HourFile file : files) {
            readFirst(file);
        }
    }

    private ScalableFilter filter(List<HourFile> files) throws IOException {
        long bytes = 0;
        for (HourFile file : files) {
            bytes += sizeOf(file);
        }
        return ScalableFilter.fixed(Math.clamp(bytes / Long.BYTES, MIN_RECORDED, MAX_RECORDED), RATE);
    }

    private long sizeOf(HourFile file) throws IOException {
        try {
            return Files.size(file.in(directory));
        } catch (NoSuchFileException prunedMeanwhile) {
            return 0;
        }
    }

    /// Hours whose file does not begin as this installation's do: it was damaged, or its key is another one now.
    public int unreadable() {
        return unreadable;
    }

    /// Mail from the hour of an instant on, to be searched for few keys.
    public static <T> RecentMail<T> since(Instant since, KeyJournalOptions options) throws IOException {
        return new RecentMail<>(options.directory(), since, false);
    }

    /// The same for any number of keys: reads which hashes were recorded.
    public static <T> RecentMail<T> forMany(Instant since, KeyJournalOptions options) throws IOException {
        return new RecentMail<>(options.directory(), since, true);
    }

    /// The start of the oldest record; earlier mail is unknown. Empty if there is none.
    public Optional<Instant> begins() throws IOException {
        return HourFile.oldestFirst(directory).stream().findFirst().map(HourFile::hour);
    }

    /// Whether there is no record, not even a damaged one.
    public boolean isEmpty() {
        return empty;
    }

    /// The aspects of a key that a listing speaks against, as [#note] takes them: one bit each.
    public static int reach(Match match, Set<Use> uses) {
        return MailKeyHash.reach(match, uses);
    }

    /// Notes that a key is listed, if any message may hold it.
    ///
    /// @param reach of the listing
    /// @param listing called only then
    public void note(int kindCode, byte[] bytes, int from, int to, int reach, Supplier<T> listing) {
        if (isEmpty() || !MailKeys.isRecorded(kindCode)) {
            return;
        }
        MailKeyHash keyed = hash.orElseThrow();
        long key = keyed.hash(kindCode, bytes, from, to);
        for (int aspect = 0; aspect < MailKeyHash.ASPECTS; aspect++) {
            long one = keyed.in(aspect, key);
            if ((reach & 1 << aspect) != 0 && mightBeRecorded(one)) {
                note(one, listing);
            }
        }
    }

    private boolean mightBeRecorded(long one) {
        return recorded.isEmpty() || recorded.get().mightContain(one);
    }

    private void note(long one, Supplier<T> listing) {
        if (size == MAX_NOTED) {
            overlooked++;
            return;
        }
        size++;
        hints[hint(one)] |= 1L << one;
        noted.computeIfAbsent(one, first -> new ArrayList<>(1)).add(listing.get());
    }

    private static int hint(long one) {
        return (int) (one >>> (Long.SIZE - HINT_BITS));
    }

    /// Takes each message that holds a noted key, hour by hour.
    @FunctionalInterface
    public interface Visitor<T> {
        /// @param listings of its keys; one may stand for several aspects of a key and come more than once
        void mail(String token, Instant delivered, List<T> listings) throws IOException;
    }

    /// The number of records searched.
    ///
    /// @param mails messages delivered in that time
    /// @param holding those of them that hold a noted key
    /// @param overlooked listings beyond [#MAX_NOTED]: when not 0, there may be more such messages
    /// @param damaged blocks that could not be read
    public record Tally(long mails, long holding, long overlooked, int damaged) {}

    /// Shows every message that holds a noted key.
    public Tally forEach(Visitor<T> visitor) throws IOException {
        return walk(new Walk(visitor, since, Instant.MAX));
    }

    /// Shows every message that holds a noted key and was delivered before the time that is looked at, as far
    /// as mail is recorded. Nothing is read where no key is noted.
    public void forEachBefore(Visitor<T> visitor) throws IOException {
        if (!noted.isEmpty()) {
            walk(new Walk(visitor, Instant.MIN, since));
        }
    }

    private Tally walk(Walk walk) throws IOException {
        for (HourFile file : HourFile.oldestFirst(directory)) {
            if (walk.meets(file)) {
                walk.file(file);
            }
        }
        return new Tally(walk.mails, walk.holding, overlooked, Math.max(walk.damaged, damagedAtFirst));
    }

    /// Forgets which keys are noted.
    public void forget() {
        noted.clear();
        Arrays.fill(hints, 0);
        size = 0;
        overlooked = 0;
    }

    private boolean isOurs(HourFileReader reader) throws IOException {
        return hash.isPresent() && reader.isOf(hash.get());
    }

    private void readFirst(HourFile file) throws IOException {
        try (HourFileReader reader = new HourFileReader(file.in(directory))) {
            if (!isOurs(reader)) {
                unreadable++;
                return;
            }
            ByteBuffer record = reader.next();
            empty &= !record.hasRemaining() && reader.damaged() == 0;
            for (; record.hasRemaining() && recorded.isPresent(); record = reader.next()) {
                record.position(record.position() + HourFileFormat.RECORD_HEAD_BYTES);
                while (record.hasRemaining()) {
                    recorded.get().add(record.getLong());
                }
            }
            damagedAtFirst += reader.damaged();
        } catch (NoSuchFileException prunedMeanwhile) {
            return;
        } catch (IOException unreadableDisk) {
            LOG.warn("{}: {}", file.in(directory), IoText.describe(unreadableDisk));
            unreadable++;
            failed.add(file);
        }
    }

    private final class Walk {
        private final Visitor<T> visitor;
        private final Instant from;
        private final Instant until;
        private long mails;
        private long holding;
        private int damaged;

        /// @param from mail delivered then or later
        /// @param until and before this
        Walk(Visitor<T> visitor, Instant from, Instant until) {
            this.visitor = visitor;
            this.from = from;
            this.until = until;
        }

        boolean meets(HourFile file) {
            return file.reaches(from) && file.hour().isBefore(until) && !failed.contains(file);
        }

        void file(HourFile file) throws IOException {
            try (HourFileReader reader = new HourFileReader(file.in(directory))) {
                if (!isOurs(reader)) {
                    return;
                }
                for (ByteBuffer record = reader.next(); record.hasRemaining(); record = reader.next()) {
                    mail(HourFileFormat.fields(record));
                }
                damaged += reader.damaged();
            } catch (NoSuchFileException prunedMeanwhile) {
                return;
            }
        }

        private void mail(ByteBuffer record) throws IOException {
            long token = record.getLong();
            Instant delivered = Instant.ofEpochSecond(record.getLong());
            if (delivered.isBefore(from) || !delivered.isBefore(until)) {
                return;
            }
            record.getLong();
            mails++;
            List<T> listings = listings(record);
            if (!listings.isEmpty()) {
                holding++;
                visitor.mail(Token.of(token), delivered, listings);
            }
        }

        private List<T> listings(ByteBuffer hashes) {
            List<T> listings = List.of();
            while (hashes.hasRemaining()) {
                long one = hashes.getLong();
                if ((hints[hint(one)] & 1L << one) != 0) {
                    List<T> ofKey = noted.getOrDefault(one, List.of());
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
