package org.bloomgate.lists.rebuild;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.base.io.JsonFile;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedCost;
import org.bloomgate.lists.fetch.Validators;

/// The feeds as they were fetched for the last published snapshot, one file each, still compressed: the
/// fallback for a feed that is rejected today, and the base for conditional requests.
///
/// A note for each feed states which file contains the copy, from which source and since when. It is replaced
/// last, so that a reader finds the old copy with the old note or the new one with the new note. A copy belongs
/// to the name of a feed: a feed whose address changes keeps it. A damaged copy or note is not used, and the
/// report of the rebuild names it.
///
/// @param folder next to the layers, with a name that no layer can have
record FeedCache(Path folder) {
    /// Not allowed in the name of a feed.
    private static final String MARK = "@";

    private static final String NOTE = MARK + "note";
    private static final int MAX_NOTE_BYTES = 64 << 10;

    /// @param fingerprint of the file
    /// @param fetchedAt when the source last had it
    /// @param seconds that it took to fetch and read it
    record Copy(Path file, String fingerprint, Instant fetchedAt, Validators validators, double seconds) {}

    /// @param sourceSha256 digest of the address the copy came from, which may contain a secret
    /// @param sha256 digest of the other fields, which finds a flipped bit
    private record Note(
            String sourceSha256,
            String file,
            String fingerprint,
            Instant fetchedAt,
            double seconds,
            Validators validators,
            String sha256) {

        static Note of(Feed feed, Copy copy) {
            Note note = new Note(
                    sourceSha256(feed),
                    copy.file().getFileName().toString(),
                    copy.fingerprint(),
                    copy.fetchedAt(),
                    copy.seconds(),
                    copy.validators(),
                    "");
            return note.with(note.digest());
        }

        private Note with(String digest) {
            return new Note(sourceSha256, file, fingerprint, fetchedAt, seconds, validators, digest);
        }

        private String digest() {
            return Sha256.hex(with("").toString().getBytes(UTF_8));
        }

        boolean isWhole() {
            return sha256.equals(digest());
        }

        /// Validators are valid only for the address that sent them.
        Validators validatorsFor(Feed feed) {
            return sourceSha256.equals(sourceSha256(feed)) ? validators : Validators.NONE;
        }

        private static String sourceSha256(Feed feed) {
            return Sha256.hex(feed.source().getBytes(UTF_8));
        }
    }

    static FeedCache below(Path snapshots) {
        return new FeedCache(snapshots.resolve(".feeds"));
    }

    /// The copy of the feed, from whatever address it came.
    ///
    /// @param now a later time of a copy is replaced by it
    Optional<Copy> of(Feed feed, Instant now) throws IOException {
        Optional<Note> read = note(feed.name());
        if (read.isEmpty()) {
            return Optional.empty();
        }
        Note note = read.get();
        Path file = folder.resolve(note.file());
        if (!Files.isRegularFile(file) || !Sha256.hex(file).equals(note.fingerprint())) {
            return Optional.empty();
        }
        Instant fetchedAt = note.fetchedAt().isAfter(now) ? now : note.fetchedAt();
        return Optional.of(new Copy(file, note.fingerprint(), fetchedAt, note.validatorsFor(feed), note.seconds()));
    }

    /// The note about a feed's copy; empty if there is none or it is damaged.
    private Optional<Note> note(String feed) {
        try {
            return noteFile(feed)
                    .read()
                    .filter(Note::isWhole)
                    .filter(note -> note.file().startsWith(feed + MARK));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private JsonFile<Note> noteFile(String feed) {
        return new JsonFile<>(folder.resolve(feed + NOTE), MAX_NOTE_BYTES, Note.class);
    }

    /// Whether the source file of a feed differs from its copy with this fingerprint. If not, nothing is known:
    /// there may be no copy, a copy with another fingerprint, or a damaged one.
    boolean isOther(Feed feed, String fingerprint) {
        try {
            Path source = Path.of(feed.source());
            Optional<Path> copy = note(feed.name())
                    .filter(note -> note.fingerprint().equals(fingerprint))
                    .map(note -> folder.resolve(note.file()));
            return copy.isPresent() && Files.isRegularFile(source) && Files.mismatch(source, copy.get()) >= 0;
        } catch (IOException | IllegalArgumentException e) {
            return false;
        }
    }

    /// Whether there is a copy, damaged or not.
    boolean exists(Feed feed) throws IOException {
        return !filesOf(feed.name()).isEmpty();
    }

    /// Replaces the copy of a feed durably.
    ///
    /// @param fetched file, which is moved
    /// @param fingerprint of the file
    void replace(Feed feed, Path fetched, String fingerprint, Validators validators, Instant at, double seconds)
            throws IOException {
        Files.createDirectories(folder);
        Path file = folder.resolve(feed.name() + MARK + at.toEpochMilli());
        Files.move(fetched, file, StandardCopyOption.REPLACE_EXISTING);
        DurableFiles.force(file);
        noteFile(feed.name()).write(Note.of(feed, new Copy(file, fingerprint, at, validators, seconds)));
        for (Path other : filesOf(feed.name())) {
            if (!other.equals(file) && !other.endsWith(feed.name() + NOTE)) {
                Files.deleteIfExists(other);
            }
        }
    }

    /// Records that the source still has the content of the copy.
    void confirm(Feed feed, Copy copy, Instant at) throws IOException {
        Copy confirmed = new Copy(copy.file(), copy.fingerprint(), at, copy.validators(), copy.seconds());
        noteFile(feed.name()).write(Note.of(feed, confirmed));
    }

    /// The cost of the feeds that were fetched here, by name; a feed whose note cannot be read is left out.
    Map<String, FeedCost> costs() throws IOException {
        Map<String, FeedCost> costs = new TreeMap<>();
        for (Path file : files()) {
            String name = file.getFileName().toString();
            if (name.endsWith(NOTE)) {
                String feed = name.substring(0, name.length() - NOTE.length());
                cost(feed).ifPresent(cost -> costs.put(feed, cost));
            }
        }
        return costs;
    }

    private Optional<FeedCost> cost(String feed) throws IOException {
        Optional<Note> note = note(feed);
        try {
            return note.isPresent()
                    ? Optional.of(new FeedCost(
                            Files.size(folder.resolve(note.get().file())),
                            note.get().seconds()))
                    : Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /// Deletes the copies of feeds that are no longer configured.
    void deleteAllBut(Set<String> feeds) throws IOException {
        for (Path file : files()) {
            String name = file.getFileName().toString().split(MARK, 2)[0];
            if (!feeds.contains(name)) {
                Files.deleteIfExists(file);
            }
        }
    }

    private List<Path> filesOf(String feed) throws IOException {
        return files().stream()
                .filter(file -> file.getFileName().toString().startsWith(feed + MARK))
                .toList();
    }

    private List<Path> files() throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }
}
