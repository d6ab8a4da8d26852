package org.bloomgate.lists.rebuild;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.bloomgate.base.io.Sha256;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedFormat;
import org.bloomgate.lists.fetch.Validators;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FeedCacheTest {
    private static final Instant NOW = Instant.parse("2026-03-02T02:00:00Z");
    private static final Validators TAGGED = new Validators(Optional.of("W/\"a=b\\c\u00e9\""), Optional.empty());

    @TempDir
    private Path folder;

    private FeedCache copies = FeedCache.below(Path.of(""));

    @BeforeEach
    void inAFolder() {
        copies = FeedCache.below(folder);
    }

    private static Feed feed(String name, String source) {
        return Feed.of(name, KeyKind.DOMAIN, FeedFormat.LINES, source);
    }

    private Path fetched(String content) throws IOException {
        return Files.writeString(Files.createTempFile(folder, "fetched", ""), content);
    }

    private void keep(Feed feed, Path fetched, Validators validators, Instant at, double seconds) throws IOException {
        copies.replace(feed, fetched, Sha256.hex(fetched), validators, at, seconds);
    }

    @Test
    void copyIsFoundWithItsAgeAndWhatTheServerCalledIt() throws IOException {
        Feed feed = feed("list", "https://a.example/x?y=z#%20=:");
        keep(feed, fetched("one"), TAGGED, NOW, 0.5);
        FeedCache.Copy copy = copies.of(feed, NOW.plusSeconds(9)).orElseThrow();
        assertEquals("one", Files.readString(copy.file()));
        assertEquals(List.of(NOW, TAGGED), List.of(copy.fetchedAt(), copy.validators()));
        assertEquals(
                NOW.minusSeconds(9),
                copies.of(feed, NOW.minusSeconds(9)).orElseThrow().fetchedAt());
    }

    @Test
    void copyBelongsToTheNameOfItsFeedAndItsValidatorsToTheAddress() throws IOException {
        keep(feed("list", "https://a.example/x?key=one"), fetched("one"), TAGGED, NOW, 0.5);
        FeedCache.Copy moved =
                copies.of(feed("list", "https://a.example/x?key=two"), NOW).orElseThrow();
        assertEquals("one", Files.readString(moved.file()));
        assertEquals(Validators.NONE, moved.validators());
        assertEquals(Optional.empty(), copies.of(feed("other", "https://a.example/x?key=one"), NOW));
    }

    @Test
    void noteHoldsNoAddressInWhichASecretMayStand() throws IOException {
        keep(feed("list", "https://a.example/x?key=secret"), fetched("one"), TAGGED, NOW, 0.5);
        String note = Files.readString(copies.folder().resolve("list@note"));
        assertFalse(note.contains("secret") || note.contains("a.example"), note);
    }

    @Test
    void fileThatDiffersFromTheCopy_isDifferent() throws IOException {
        Path source = Files.writeString(folder.resolve("source"), "a.example");
        String digest = Sha256.hex(source);
        Feed feed = feed("list", source.toString());
        assertFalse(copies.isOther(feed, digest), "no copy");
        keep(feed, fetched("a.example"), TAGGED, NOW, 0.5);
        assertFalse(copies.isOther(feed, digest));
        for (String other : List.of("b.example", "a.exampl", "a.examples", "")) {
            Files.writeString(source, other);
            assertTrue(copies.isOther(feed, digest), other);
            assertFalse(copies.isOther(feed, Sha256.hex(source)), "a copy of others");
        }
        assertFalse(copies.isOther(feed("list", folder.toString()), digest), "no regular file");
        Files.delete(source);
        assertFalse(copies.isOther(feed, digest), "no file");
    }

    @Test
    void newCopyTakesThePlaceOfTheOldOne() throws IOException {
        Feed feed = feed("list", "a.txt");
        keep(feed, fetched("one"), TAGGED, NOW, 0.5);
        keep(feed("list.old", "a.txt"), fetched("other"), TAGGED, NOW, 0.5);
        keep(feed, fetched("two"), Validators.NONE, NOW.plusSeconds(1), 0.5);
        FeedCache.Copy copy = copies.of(feed, NOW.plusSeconds(1)).orElseThrow();
        assertEquals("two", Files.readString(copy.file()));
        assertEquals(Validators.NONE, copy.validators());
        assertEquals(4, files().size(), files()::toString);
    }

    @Test
    void confirmedCopyIsYoungAgain() throws IOException {
        Feed feed = feed("list", "a.txt");
        keep(feed, fetched("one"), TAGGED, NOW, 0.5);
        Instant later = NOW.plus(Duration.ofDays(3));
        copies.confirm(feed, copies.of(feed, later).orElseThrow(), later);
        FeedCache.Copy copy = copies.of(feed, later).orElseThrow();
        assertEquals(later, copy.fetchedAt());
        assertEquals(TAGGED, copy.validators());
        assertEquals("one", Files.readString(copy.file()));
    }

    @Test
    void damagedNoteIsNoCopy() throws IOException {
        Feed feed = feed("list", "a.txt");
        keep(feed, fetched("one"), TAGGED, NOW, 0.5);
        Path note = copies.folder().resolve("list@note");
        String whole = Files.readString(note);
        for (String damaged : List.of(
                "",
                "{}",
                whole.replace("2026", "year"),
                whole.replace("list@", "../list@"),
                whole.replace("list@", "other@"))) {
            Files.writeString(note, damaged);
            assertEquals(Optional.empty(), copies.of(feed, NOW), damaged);
            assertTrue(copies.exists(feed), damaged);
        }
        assertFalse(copies.exists(feed("other", "a.txt")), "a copy that never was");
    }

    @Test
    void aFlippedBitInACopyOrInItsNoteIsNoCopy() throws IOException {
        Feed feed = feed("list", "a.txt");
        keep(feed, fetched("bad.example"), TAGGED, NOW, 0.5);
        Path copy = copies.of(feed, NOW).orElseThrow().file();
        for (Path file : List.of(copy, copies.folder().resolve("list@note"))) {
            byte[] whole = Files.readAllBytes(file);
            for (int bit = 0; bit < whole.length * 8; bit++) {
                byte[] flipped = whole.clone();
                flipped[bit / 8] ^= (byte) (1 << bit % 8);
                Files.write(file, flipped);
                assertUnchangedOrNone(feed, new String(flipped, ISO_8859_1));
            }
            Files.write(file, whole);
        }
    }

    /// Some bits change only the case of a letter of the time.
    private void assertUnchangedOrNone(Feed feed, String flipped) throws IOException {
        Optional<FeedCache.Copy> found = copies.of(feed, NOW);
        if (found.isPresent()) {
            assertEquals("bad.example", Files.readString(found.get().file()), flipped);
            assertEquals(
                    List.of(NOW, TAGGED),
                    List.of(found.get().fetchedAt(), found.get().validators()),
                    flipped);
        }
    }

    @Test
    void aCopyCutShortIsNoCopy() throws IOException {
        Feed feed = feed("list", "a.txt");
        keep(feed, fetched("bad.example\nworse.example\n"), TAGGED, NOW, 0.5);
        Path copy = copies.of(feed, NOW).orElseThrow().file();
        Files.writeString(copy, "bad.example\n");
        assertEquals(Optional.empty(), copies.of(feed, NOW));
        Files.writeString(copy, "");
        assertEquals(Optional.empty(), copies.of(feed, NOW));
    }

    @Test
    void copiesOfFeedsThatAreGoneAreDeleted() throws IOException {
        keep(feed("gone", "a.txt"), fetched("one"), TAGGED, NOW, 0.5);
        keep(feed("stays", "b.txt"), fetched("two"), TAGGED, NOW, 0.5);
        copies.deleteAllBut(Set.of("stays"));
        assertEquals(2, files().size(), files()::toString);
        assertEquals(Optional.empty(), copies.of(feed("gone", "a.txt"), NOW));
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(copies.folder())) {
            return files.toList();
        }
    }
}
