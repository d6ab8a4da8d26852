package org.bloomgate.lookup.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Use;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.bloomgate.lookup.tier.Listing;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SortedStoreTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final long FIRST = 1_700_000_000L;
    private static final ListedFeed PHISH = new ListedFeed("phish", "phishing", Match.SUFFIX, Set.of(Use.values()));
    private static final ListedFeed LEAKED = new ListedFeed("leaked", "password", Match.EXACT, Set.of(Use.values()));

    @TempDir
    private Path folder;

    @Test
    void batch_isAnsweredInItsOrder() throws Exception {
        try (SortedStore store = SortedStore.open(storeOfDomains(1_000))) {
            List<Key> keys = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                keys.add(domain(i * 37 % 1_000));
                keys.add(new Key(KeyKind.DOMAIN, "clean" + i + ".example"));
                keys.add(new Key(KeyKind.URL, domain(i).text()));
            }
            List<ExactAnswer> answers = store.lookup(keys, LONG);
            assertEquals(keys.size(), answers.size());
            for (int i = 0; i < keys.size(); i++) {
                ExactAnswer expected = i % 3 == 0
                        ? new ExactAnswer.Listed(List.of(listing(keys.get(i))))
                        : new ExactAnswer.NotListed();
                assertEquals(expected, answers.get(i), keys.get(i).text());
            }
            assertEquals(List.of(PHISH, LEAKED), store.feeds());
        }
    }

    @Test
    void closedStore_answersUnknown() throws Exception {
        SortedStore store = SortedStore.open(storeOfDomains(10));
        store.close();
        store.close();
        assertInstanceOf(
                ExactAnswer.Unknown.class,
                store.lookup(List.of(domain(1)), LONG).getFirst());
        assertThrows(IOException.class, store::openCursor);
        assertThrows(
                IOException.class,
                () -> store.forEach(KeyKind.DOMAIN, new byte[0], new byte[0], (bytes, from, to, count) -> {}));
    }

    @Test
    void keysAfterDeadline_areUnknown() throws Exception {
        try (SortedStore store = SortedStore.open(storeOfDomains(10))) {
            List<ExactAnswer> answers = store.lookup(List.of(domain(1), domain(99)), Duration.ZERO);
            answers.forEach(answer -> assertInstanceOf(ExactAnswer.Unknown.class, answer));
            assertEquals(2, answers.size());
        }
    }

    @Test
    void invalidKey_isUnknown_othersAreAnswered() throws Exception {
        try (SortedStore store = SortedStore.open(storeOfDomains(10))) {
            List<ExactAnswer> answers =
                    store.lookup(List.of(domain(1), new Key(KeyKind.PASSWORD, "not hex"), domain(99)), LONG);
            assertInstanceOf(ExactAnswer.Listed.class, answers.get(0));
            assertInstanceOf(ExactAnswer.Unknown.class, answers.get(1));
            assertInstanceOf(ExactAnswer.NotListed.class, answers.get(2));
        }
    }

    @Test
    void damagedPages_areUnknownAndNeverNotListed() throws Exception {
        Path directory = storeOfDomains(20_000);
        Path part = partOf(directory);
        byte[] bytes = Files.readAllBytes(part);
        for (int i = bytes.length / 4; i < bytes.length / 2; i += 4096) {
            bytes[i] ^= 0x55;
        }
        Files.write(part, bytes);
        try (SortedStore store = SortedStore.open(directory)) {
            List<Key> keys = IntStream.range(0, 20_000).mapToObj(i -> domain(i)).toList();
            List<ExactAnswer> answers = store.lookup(keys, LONG);
            long unknown = answers.stream()
                    .filter(ExactAnswer.Unknown.class::isInstance)
                    .count();
            long listed = answers.stream()
                    .filter(ExactAnswer.Listed.class::isInstance)
                    .count();
            assertTrue(unknown > 0 && listed > 0, unknown + " unknown, " + listed + " listed");
            assertEquals(20_000, unknown + listed, "a damaged key counted as not listed");
        }
    }

    @Test
    void truncatedOrMissingPart_isRejected() throws Exception {
        Path directory = storeOfDomains(1_000);
        Path part = partOf(directory);
        byte[] bytes = Files.readAllBytes(part);
        Files.write(part, Arrays.copyOf(bytes, bytes.length / 2));
        assertThrows(IOException.class, () -> SortedStore.open(directory));
        Files.delete(part);
        assertThrows(IOException.class, () -> SortedStore.open(directory));
        assertThrows(IOException.class, () -> SortedStore.open(folder.resolve("nothing")));
    }

    @Test
    void damagedValue_isUnknown() throws Exception {
        Path directory = folder.resolve("raw");
        rawStore(directory, new FeedDictionary(List.of(PHISH)).encode(), StoreKey.of(domain(1)), new byte[] {5, 1, 0, 0
        });
        try (SortedStore store = SortedStore.open(directory)) {
            ExactAnswer answer = store.lookup(List.of(domain(1)), LONG).getFirst();
            String reason = assertInstanceOf(ExactAnswer.Unknown.class, answer).reason();
            assertTrue(reason.endsWith("feed 5 of 1"), reason);
        }
    }

    @Test
    void storeOfOtherVersion_isRejected() throws Exception {
        Path directory = folder.resolve("raw");
        rawStore(directory, new byte[] {2, 0}, StoreKey.of(domain(1)), new byte[] {0, 1, 0, 0});
        assertThrows(MalformedStoreException.class, () -> SortedStore.open(directory));
    }

    @Test
    void storeWithoutDictionary_isRejected() throws Exception {
        Path directory = folder.resolve("raw");
        rawStore(directory, new byte[0], StoreKey.of(domain(1)), new byte[] {0, 1, 0, 0});
        assertThrows(MalformedStoreException.class, () -> SortedStore.open(directory));
    }

    @Test
    void range_hasTheDigestsBetweenItsBounds() throws Exception {
        TreeSet<String> digests = new TreeSet<>();
        for (int i = 0; i < 5_000; i++) {
            digests.add("%04X%036X".formatted(i * 13 % 0x10000, i));
        }
        Path directory = folder.resolve("passwords");
        try (PagesWriter writer = new PagesWriter(directory, List.of(PHISH, LEAKED))) {
            put(writer, KeyKind.DOMAIN, "before.example".getBytes(StandardCharsets.UTF_8), 0, 0);
            for (String digest : digests) {
                put(writer, KeyKind.PASSWORD, HexFormat.of().parseHex(digest), 1, 7);
            }
            put(writer, KeyKind.HASH, "after".getBytes(StandardCharsets.UTF_8), 0, 0);
            writer.finish();
        }
        List<String> seen = new ArrayList<>();
        try (SortedStore store = SortedStore.open(directory)) {
            store.forEach(KeyKind.PASSWORD, new byte[] {0x12}, new byte[] {0x13}, (bytes, from, to, count) -> {
                seen.add(hex(bytes, from, to));
                assertEquals(7, count);
            });
            assertEquals(List.copyOf(digests.subSet("12", "13")), seen);
            seen.clear();
            store.forEach(
                    KeyKind.PASSWORD,
                    new byte[0],
                    new byte[0],
                    (bytes, from, to, count) -> seen.add(hex(bytes, from, to)));
            assertEquals(Set.of(20), store.passwordDigestBytes());
            assertEquals(List.copyOf(digests), seen);
        }
    }

    private static String hex(byte[] bytes, int from, int to) {
        return HexFormat.of().withUpperCase().formatHex(bytes, from, to);
    }

    @Test
    void cursor_walksEveryKeyOnce() throws Exception {
        try (SortedStore store = SortedStore.open(storeOfDomains(3_000));
                StoreCursor cursor = store.openCursor()) {
            List<String> seen = new ArrayList<>();
            while (cursor.next()) {
                seen.add(cursor.key().text());
                assertEquals(
                        List.of(listing(cursor.key())), cursor.stored().toListings(cursor.key(), store.dictionary()));
            }
            assertEquals(
                    IntStream.range(0, 3_000).mapToObj(i -> domain(i).text()).toList(), seen);
        }
    }

    @Test
    void reading_changesNoFile() throws Exception {
        Path directory = storeOfDomains(100);
        List<String> before = filesOf(directory);
        try (SortedStore store = SortedStore.open(directory)) {
            store.lookup(List.of(domain(1)), LONG);
        }
        assertEquals(before, filesOf(directory));
        assertEquals(List.of("exact.00.pages"), before);
    }

    @Test
    void closing_waitsForLookupsInProgress() throws Exception {
        SortedStore store = SortedStore.open(storeOfDomains(5_000));
        List<Key> keys = IntStream.range(0, 5_000).mapToObj(i -> domain(i)).toList();
        AtomicBoolean began = new AtomicBoolean();
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            List<Future<ExactAnswer>> last = new ArrayList<>();
            for (int t = 0; t < 2; t++) {
                last.add(threads.submit(() -> {
                    ExactAnswer answer = new ExactAnswer.NotListed();
                    while (!(answer instanceof ExactAnswer.Unknown)) {
                        List<ExactAnswer> answers = store.lookup(keys, LONG);
                        assertTrue(answers.stream().noneMatch(ExactAnswer.NotListed.class::isInstance));
                        answer = answers.getLast();
                        began.set(true);
                    }
                    return answer;
                }));
            }
            while (!began.get()) {
                Thread.onSpinWait();
            }
            store.close();
            for (Future<ExactAnswer> answer : last) {
                assertEquals(new ExactAnswer.Unknown("exact store closed"), answer.get());
            }
        }
    }

    @Test
    void keysOutOfOrder_areRejectedByWriter() throws Exception {
        try (PagesWriter writer = new PagesWriter(folder.resolve("store"), List.of(PHISH))) {
            put(writer, KeyKind.DOMAIN, "b.example".getBytes(StandardCharsets.UTF_8), 0, 0);
            byte[] before = "a.example".getBytes(StandardCharsets.UTF_8);
            assertThrows(IOException.class, () -> put(writer, KeyKind.DOMAIN, before, 0, 0));
            byte[] after = "c.example".getBytes(StandardCharsets.UTF_8);
            assertThrows(IllegalArgumentException.class, () -> put(writer, KeyKind.DOMAIN, after, 1, 0));
        }
    }

    @Test
    void emptyStore_listsNothing() throws Exception {
        try (PagesWriter writer = new PagesWriter(folder.resolve("empty"), List.of())) {
            writer.finish();
        }
        try (SortedStore store = SortedStore.open(folder.resolve("empty"))) {
            assertEquals(List.of(new ExactAnswer.NotListed()), store.lookup(List.of(domain(1)), LONG));
        }
    }

    private Path storeOfDomains(int count) throws IOException {
        Path directory = folder.resolve("store");
        try (PagesWriter writer = new PagesWriter(directory, List.of(PHISH, LEAKED))) {
            for (int i = 0; i < count; i++) {
                put(writer, KeyKind.DOMAIN, domain(i).bytes(), 0, 0);
            }
            writer.finish();
        }
        return directory;
    }

    private static void put(PagesWriter writer, KeyKind kind, byte[] bytes, int feed, long count) throws IOException {
        StoredListings listings = new StoredListings();
        listings.add(feed, FIRST, FIRST + 60, count);
        writer.put(kind, bytes, 0, bytes.length, listings);
    }

    private static Key domain(int i) {
        return new Key(KeyKind.DOMAIN, "evil%06d.example".formatted(i));
    }

    private static Listing listing(Key key) {
        return new Listing(
                PHISH.name(),
                PHISH.category(),
                key,
                PHISH.match(),
                PHISH.uses(),
                Instant.ofEpochSecond(FIRST),
                Instant.ofEpochSecond(FIRST + 60),
                0);
    }

    /// A store as no writer of ours would write it.
    private static void rawStore(Path directory, byte[] dictionary, byte[] key, byte[] value) throws Exception {
        Files.createDirectories(directory);
        try (PartWriter writer =
                new PartWriter(directory.resolve(SortedStore.partName(0)), SortedStore.FIRST, 32 << 10)) {
            PageBuilder page = new PageBuilder(4096);
            page.add(key, key.length, 0, ByteBuffer.wrap(value), false);
            writer.add(page, SortedStore.LAST);
            writer.finish(dictionary, new byte[0], SortedStore.LAST);
        }
    }

    private static Path partOf(Path directory) {
        return directory.resolve(SortedStore.partName(0));
    }

    private static List<String> filesOf(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
