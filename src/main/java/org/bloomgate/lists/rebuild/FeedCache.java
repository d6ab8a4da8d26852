package org.bloomgate.lists.rebuild;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.bloomgate.base.io.DurableFiles;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.base.io.StateFile;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedCost;
import org.bloomgate.lists.fetch.Validators;

/// The feeds as they were fetched for the last published snapshot, one file each, still compressed: the
/// fallback for a feed that is rejected today, and the base for conditional requests.
///
/// A note with the name of the feed states which file contains the copy, from which source and since when. It
/// is replaced last, so that a reader finds the old copy with the old note or the new one with the new note. A
/// copy belongs to the name of a feed: a feed whose address changes keeps it. A damaged copy or note is
/// ignored.
///
/// @param folder next to the layers, with a name that no layer can have
record FeedCache(Path folder) {
    /// Not allowed in the name of a feed.
    private static final String MARK = "@";

    private static final int MAX_NOTE_BYTES = 64 << 10;

    /// The key of the digest of the other properties.
    private static final String DIGEST = "note";

    private static final String FINGERPRINT = "fingerprint";

    /// Digest of the address the copy came from.
    private static final String SOURCE = "sourceSha256";

    /// Seconds that it took to fetch and read the copy; a note written before they were kept has none.
    private static final String SECONDS = "seconds";

    /// @param fingerprint of the file
    /// @param fetchedAt when the source last had it
    /// @param seconds that it took to fetch and read it
    record Copy(Path file, String fingerprint, Instant fetchedAt, Validators validators, double seconds) {}

    static FeedCache below(Path snapshots) {
        return new FeedCache(snapshots.resolve(".feeds"));
    }

    /// The copy of the feed, from whatever address it came.
    ///
    /// @param now a later time of a copy is replaced by it
    Optional<Copy> of(Feed feed, Instant now) throws IOException {
        try {
            Properties note = read(folder.resolve(feed.name()));
            Instant fetchedAt = Instant.parse(note.getProperty("fetchedAt", ""));
            Path file = folder.resolve(note.getProperty("file", ""));
            String fingerprint = fingerprint(note);
            boolean valid = digest(note).equals(note.getProperty(DIGEST))
                    && file.getFileName().toString().startsWith(feed.name() + MARK)
                    && Files.isRegularFile(file)
                    && Sha256.hex(file).equals(fingerprint);
            return valid
                    ? Optional.of(new Copy(
                            file,
                            fingerprint,
                            fetchedAt.isAfter(now) ? now : fetchedAt,
                            validators(feed, note),
                            seconds(note)))
                    : Optional.empty();
        } catch (NoSuchFileException | IllegalArgumentException | DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /// Whether the source file of a feed differs from its copy with this fingerprint. If not, nothing is known:
    /// there may be no copy, a copy with another fingerprint, or a damaged one.
    boolean isOther(Feed feed, String fingerprint) {
        try {
            Path source = Path.of(feed.source());
            Optional<Path> copy = file(feed, fingerprint);
            return copy.isPresent() && Files.isRegularFile(source) && Files.mismatch(source, copy.get()) >= 0;
        } catch (IOException | IllegalArgumentException e) {
            return false;
        }
    }

    /// The file of a feed's copy, if it was stored with this fingerprint. The file is not verified.
    private Optional<Path> file(Feed feed, String fingerprint) {
        try {
            Properties note = read(folder.resolve(feed.name()));
            Path file = folder.resolve(note.getProperty("file", ""));
            boolean named = fingerprint.equals(fingerprint(note))
                    && file.getFileName().toString().startsWith(feed.name() + MARK);
            return named && Files.isRegularFile(file) ? Optional.of(file) : Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static String fingerprint(Properties note) {
        return note.getProperty(FINGERPRINT, "");
    }

    /// Whether there is a copy, damaged or not.
    boolean exists(Feed feed) throws IOException {
        return Files.exists(folder.resolve(feed.name()))
                || !filesOf(feed.name()).isEmpty();
    }

    private static double seconds(Properties note) {
        return Double.parseDouble(note.getProperty(SECONDS, "0"));
    }

    /// Validators are valid only for the address that sent them.
    private static Validators validators(Feed feed, Properties note) {
        if (!digest(feed).equals(note.getProperty(SOURCE))) {
            return Validators.NONE;
        }
        return new Validators(
                Optional.ofNullable(note.getProperty("etag")), Optional.ofNullable(note.getProperty("lastModified")));
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
        writeNote(feed, new Copy(file, fingerprint, at, validators, seconds));
        for (Path other : filesOf(feed.name())) {
            if (!other.equals(file)) {
                Files.deleteIfExists(other);
            }
        }
    }

    /// Records that the source still has the content of the copy.
    void confirm(Feed feed, Copy copy, Instant at) throws IOException {
        writeNote(feed, new Copy(copy.file(), copy.fingerprint(), at, copy.validators(), copy.seconds()));
    }

    /// The cost of the feeds that were fetched here, by name; a feed whose note cannot be read is left out.
    Map<String, FeedCost> costs() throws IOException {
        Map<String, FeedCost> costs = new TreeMap<>();
        for (Path file : files()) {
            String name = file.getFileName().toString();
            if (!name.startsWith(".") && !name.contains(MARK)) {
                cost(file).ifPresent(cost -> costs.put(name, cost));
            }
        }
        return costs;
    }

    private Optional<FeedCost> cost(Path noteFile) throws IOException {
        try {
            Properties note = read(noteFile);
            Path file = folder.resolve(note.getProperty("file", ""));
            return note.containsKey(SECONDS)
                    ? Optional.of(new FeedCost(Files.size(file), seconds(note)))
                    : Optional.empty();
        } catch (NoSuchFileException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Properties read(Path noteFile) throws IOException {
        Properties note = new Properties();
        try (InputStream in = StateFile.stream(noteFile)) {
            note.load(new StringReader(new String(in.readNBytes(MAX_NOTE_BYTES), StandardCharsets.UTF_8)));
        }
        return note;
    }

    /// Deletes the copies of feeds that are no longer configured.
    void deleteAllBut(Set<String> feeds) throws IOException {
        for (Path file : files()) {
            String name = file.getFileName().toString().split(MARK, 2)[0];
            if (!name.startsWith(".") && !feeds.contains(name)) {
                Files.deleteIfExists(file);
            }
        }
    }

    private void writeNote(Feed feed, Copy copy) throws IOException {
        Properties note = new Properties();
        note.setProperty(SOURCE, digest(feed));
        note.setProperty("file", copy.file().getFileName().toString());
        note.setProperty(FINGERPRINT, copy.fingerprint());
        note.setProperty("fetchedAt", copy.fetchedAt().toString());
        note.setProperty(SECONDS, Double.toString(copy.seconds()));
        copy.validators().etag().ifPresent(tag -> note.setProperty("etag", tag));
        copy.validators().lastModified().ifPresent(date -> note.setProperty("lastModified", date));
        note.setProperty(DIGEST, digest(note));
        StringWriter text = new StringWriter();
        note.store(text, null);
        Path incomplete = folder.resolve(".new-" + feed.name());
        Files.writeString(incomplete, text.toString(), StandardCharsets.UTF_8);
        DurableFiles.force(incomplete);
        DurableFiles.rename(incomplete, folder.resolve(feed.name()));
    }

    /// A digest of the address, which may contain a secret.
    private static String digest(Feed feed) {
        return HexFormat.of().formatHex(Sha256.begin().digest(feed.source().getBytes(StandardCharsets.UTF_8)));
    }

    private static String digest(Properties note) {
        MessageDigest digest = Sha256.begin();
        for (String name : new TreeSet<>(note.stringPropertyNames())) {
            if (!name.equals(DIGEST)) {
                digest.update((name + "=" + note.getProperty(name) + "\n").getBytes(StandardCharsets.UTF_8));
            }
        }
        return HexFormat.of().formatHex(digest.digest());
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
