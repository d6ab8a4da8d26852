package org.bloomgate.decision.keyjournal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
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

/// Recently delivered mail, which is searched for listed keys: millions of listings first against a filter over
/// all recorded hashes, then the few positives exactly against each message.
///
/// Heap: the filter, 3 to 5 bytes for each distinct hash recorded, and [#MAX_NOTED] listings at most. A file
/// that is being written, was torn or is damaged gives what can be read of it. Used by one thread.
///
/// @param <T> what is to be known of a listing
public final class RecentMail<T> {
    /// More listings than this that message may hold are not looked for; [Tally#overlooked()] counts them.
    public static final int MAX_NOTED = 200_000;

    private static final Logger LOG = LoggerFactory.getLogger(RecentMail.class);
    private static final double RATE = 1e-5;
    private static final long FIRST_CAPACITY = 1 << 16;

    private final Path directory;
    private final Instant since;
    private final Optional<MailKeyHash> hash;
    private final ScalableFilter recorded = new ScalableFilter(FIRST_CAPACITY, RATE);
    private final Map<Long, List<T>> noted = new HashMap<>();
    private int size;
    private final Set<HourFile> failed = new HashSet<>();
    private int unreadable;
    private int damagedSeen;
    private long overlooked;

    private RecentMail(Path directory, Instant since) throws IOException {
        this.directory = directory;
        this.since = since;
        this.hash = InstallationKey.readIfWhole(directory).map(InstallationKey::hash);
        for (HourFile file : HourFile.oldestFirst(directory)) {
            if (file.reaches(since)) {
                readSeen(file);
            }
        }
    }

    /// Hours whose file does not begin as this installation's do: it was damaged, or its key is another one now.
    public int unreadable() {
        return unreadable;
    }

    /// Reads which hashes were recorded from the hour of an instant on.
    public static <T> RecentMail<T> since(Instant since, KeyJournalOptions options) throws IOException {
        return new RecentMail<>(options.directory(), since);
    }

    /// The start of the oldest record; earlier mail is unknown. Empty if there is none.
    public Optional<Instant> begins() throws IOException {
        return HourFile.oldestFirst(directory).stream().findFirst().map(HourFile::hour);
    }

    /// Whether no key is recorded.
    public boolean isEmpty() {
        return recorded.keys() == 0;
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
            if ((reach & 1 << aspect) != 0 && recorded.mightContain(one)) {
                note(one, listing);
            }
        }
    }

    private void note(long one, Supplier<T> listing) {
        if (size == MAX_NOTED) {
            overlooked++;
            return;
        }
        size++;
        noted.computeIfAbsent(one, first -> new ArrayList<>(1)).add(listing.get());
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
        return new Tally(walk.mails, walk.holding, overlooked, walk.damaged + damagedSeen);
    }

    /// Forgets which keys are noted.
    public void forget() {
        noted.clear();
        size = 0;
        overlooked = 0;
    }

    private boolean isOurs(HourFileReader reader) throws IOException {
        return hash.isPresent() && reader.isOf(hash.get());
    }

    private void readSeen(HourFile file) throws IOException {
        try (HourFileReader reader = new HourFileReader(file.in(directory))) {
            if (!isOurs(reader)) {
                unreadable++;
                return;
            }
            for (ByteBuffer seen = reader.next(HourFileFormat.SEEN);
                    seen.remaining() >= Long.BYTES;
                    seen = reader.next(HourFileFormat.SEEN)) {
                while (seen.remaining() >= Long.BYTES) {
                    recorded.add(seen.getLong());
                }
            }
            damagedSeen += reader.damaged();
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
                for (ByteBuffer block = reader.next(HourFileFormat.MAIL);
                        block.hasRemaining();
                        block = reader.next(HourFileFormat.MAIL)) {
                    while (block.hasRemaining()) {
                        mail(block);
                    }
                }
                damaged += reader.damaged();
            } catch (NoSuchFileException prunedMeanwhile) {
                return;
            }
        }

        private void mail(ByteBuffer block) throws IOException {
            long token = block.getLong();
            Instant delivered = Instant.ofEpochSecond(block.getLong());
            int count = block.getInt();
            List<T> listings = listings(block, count);
            if (delivered.isBefore(from) || !delivered.isBefore(until)) {
                return;
            }
            mails++;
            if (!listings.isEmpty()) {
                holding++;
                visitor.mail(Token.of(token), delivered, listings);
            }
        }

        private List<T> listings(ByteBuffer block, int count) {
            if (noted.isEmpty()) {
                block.position(block.position() + count * Long.BYTES);
                return List.of();
            }
            List<T> listings = List.of();
            for (int i = 0; i < count; i++) {
                List<T> ofKey = noted.getOrDefault(block.getLong(), List.of());
                if (!ofKey.isEmpty()) {
                    listings = listings.isEmpty() ? new ArrayList<>() : listings;
                    listings.addAll(ofKey);
                }
            }
            return listings;
        }
    }
}
