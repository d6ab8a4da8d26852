package org.bloomgate.rebuild;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.bloomgate.disk.DurableFiles;
import org.bloomgate.disk.IoText;
import org.bloomgate.disk.OwnCode;
import org.bloomgate.feed.Feed;
import org.bloomgate.feed.FeedCounts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Says what [KeptKeys] are of. Written last and deleted first: without it, or when it is of another recipe, nothing is
/// kept.
///
/// @param made digest of all but the feeds that decides which keys they give
/// @param fingerprint of the file
/// @param digest of all this: a note that is damaged is none
record KeptNote(String made, String fingerprint, List<OfFeed> feeds, String digest) {
    private static final Logger LOG = LoggerFactory.getLogger(KeptNote.class);
    static final String SUFFIX = ".json";

    /// After which a feed is read whole again.
    static final Duration MAX_AGE = Duration.ofDays(2);

    private static final int VERSION = 1;

    /// Some ten thousand feeds.
    private static final int MAX_BYTES = 8 << 20;

    KeptNote {
        feeds = List.copyOf(feeds);
    }

    static KeptNote of(String made, String fingerprint, List<OfFeed> feeds) {
        return new KeptNote(made, fingerprint, feeds, digest(made, fingerprint, feeds));
    }

    private static String digest(String made, String fingerprint, List<OfFeed> feeds) {
        return Definition.of(made, fingerprint, feeds.size(), feeds);
    }

    private boolean isUndamaged() {
        return digest.equals(digest(made, fingerprint, feeds));
    }

    /// One feed of which no line was rejected or held back.
    ///
    /// @param number of its source in the file
    /// @param definition digest of the feed as configured
    /// @param fingerprint of the octets that the keys are from
    /// @param readAt when all of them were read
    /// @param repeated whether a key stood there more than once
    record OfFeed(
            int number,
            String name,
            String definition,
            String fingerprint,
            Instant readAt,
            long lines,
            long entries,
            long comments,
            long keys,
            boolean repeated) {

        FeedCounts counts() {
            return new FeedCounts(lines, entries, comments, 0, 0, 0, keys);
        }

        private boolean isOf(Feed feed, Instant now) {
            return name.equals(feed.name())
                    && definition.equals(Definition.of(feed))
                    && !readAt.isAfter(now)
                    && readAt.plus(MAX_AGE).isAfter(now);
        }
    }

    /// @param recipe of a snapshot; other code may read feeds in another way
    static String made(String recipe) {
        return Definition.of(VERSION, code(), recipe);
    }

    private static String code() {
        try {
            return OwnCode.identity();
        } catch (IOException unknown) {
            LOG.warn("feeds are read whole, it is not known by which code: {}", IoText.told(unknown));
            return UUID.randomUUID().toString();
        }
    }

    /// Empty when there is none that can be understood.
    static Optional<KeptNote> read(Path file) {
        try (var in = Files.newInputStream(file)) {
            return Optional.ofNullable(LayerInputs.JSON.readValue(in.readNBytes(MAX_BYTES), KeptNote.class))
                    .filter(KeptNote::isUndamaged);
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (IOException unreadable) {
            LOG.warn("{} cannot be read, all feeds are: {}", file, IoText.told(unreadable));
            return Optional.empty();
        }
    }

    void write(Path file) throws IOException {
        DurableFiles.replace(file, LayerInputs.JSON.writeValueAsBytes(this));
    }

    /// What is kept of a feed as it is configured now, unless it is too old.
    Optional<OfFeed> feed(Feed feed, Instant now) {
        return feeds.stream().filter(kept -> kept.isOf(feed, now)).findFirst();
    }
}
