package org.bloomgate.lookup.store;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bloomgate.Rounds;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Use;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The pages of a store against a map of its keys, its bounds, and what damage makes of it.
class PagesTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final long FIRST_SEEN = 1_700_000_000L;
    private static final List<KeyKind> KINDS = List.of(KeyKind.DOMAIN, KeyKind.ADDRESS, KeyKind.URL);
    private static final List<ListedFeed> FEEDS = IntStream.range(0, 3)
            .mapToObj(i -> new ListedFeed("feed" + i, "phishing", Match.EXACT, Set.of(Use.values())))
            .toList();

    @TempDir
    private Path folder;

    /// Index pages of 32 KiB and one part; small index pages; small index pages and many parts.
    @ParameterizedTest
    @CsvSource({"4096, 32768, 1048576, 1", "256, 512, 1048576, 1", "512, 256, 1, 20"})
    void generatedKeys_areFoundWalkedAndRanged(int pageBytes, int indexPageBytes, int rootIndexBytes, int parts)
            throws Exception {
        NavigableMap<String, Integer> keys = generateKeys(6_000);
        Path directory = write(keys, pageBytes, indexPageBytes, rootIndexBytes);
        assertTrue(files(directory).size() >= parts, () -> parts + " parts");
        SplittableRandom random = new SplittableRandom(9);
        try (SortedStore store = SortedStore.open(directory)) {
            for (String absent : generateKeys(3_000).keySet()) {
                requireAnswer(store, keys, absent.substring(0, absent.length() - 1));
                requireAnswer(store, keys, absent + "~");
            }
            for (String listed : keys.keySet()) {
                requireAnswer(store, keys, listed);
            }
            assertEquals(List.copyOf(keys.keySet()), walk(store.openCursor()));
            for (int round = 0; round < 200; round++) {
                KeyKind kind = KINDS.get(random.nextInt(KINDS.size()));
                String from = randomText(random);
                String to = random.nextInt(4) == 0 ? "" : randomText(random);
                char code = (char) kind.wireCode();
                List<String> expected = keys.keySet().stream()
                        .filter(key -> key.charAt(0) == code
                                && key.substring(1).compareTo(from) >= 0
                                && (to.isEmpty() || key.substring(1).compareTo(to) < 0))
                        .toList();
                List<String> seen = new ArrayList<>();
                store.forEach(
                        kind,
                        from.getBytes(US_ASCII),
                        to.getBytes(US_ASCII),
                        (bytes, begin, end, count) -> seen.add(code + new String(bytes, begin, end - begin, US_ASCII)));
                assertEquals(expected, seen, kind + " " + from + ".." + to);
            }
        }
    }

    private static void requireAnswer(SortedStore store, NavigableMap<String, Integer> keys, String text) {
        Key key = new Key(KeyKind.ofWireCode(text.charAt(0)).orElseThrow(), text.substring(1));
        ExactAnswer answer = store.lookup(List.of(key), LONG).getFirst();
        Integer feed = keys.get(text);
        if (feed == null) {
            assertEquals(new ExactAnswer.NotListed(), answer, text);
        } else {
            var listed =
                    assertInstanceOf(ExactAnswer.Listed.class, answer, text).listings();
            assertEquals(1, listed.size());
            assertEquals("feed" + feed, listed.getFirst().feed());
            assertEquals((long) feed, listed.getFirst().count());
        }
    }

    /// Kind code and text, with the feed that lists it.
    static NavigableMap<String, Integer> generateKeys(int count) {
        NavigableMap<String, Integer> keys = new TreeMap<>();
        SplittableRandom random = new SplittableRandom(count);
        while (keys.size() < count) {
            char kind = (char) KINDS.get(random.nextInt(KINDS.size())).wireCode();
            keys.put(kind + randomText(random), random.nextInt(8) == 0 ? random.nextInt(3) : 0);
        }
        return keys;
    }

    /// Of few letters, so that keys share beginnings and some are the beginning of another.
    private static String randomText(SplittableRandom random) {
        StringBuilder text = new StringBuilder();
        int length = 1 + random.nextInt(random.nextInt(10) == 0 ? 300 : 12);
        for (int i = 0; i < length; i++) {
            text.append((char) ('a' + random.nextInt(3)));
        }
        return text.toString();
    }

    private Path write(NavigableMap<String, Integer> keys, int pageBytes, int indexPageBytes, int rootIndexBytes)
            throws IOException {
        return write(folder.resolve("store"), keys, pageBytes, indexPageBytes, rootIndexBytes);
    }

    static Path write(
            Path directory, NavigableMap<String, Integer> keys, int pageBytes, int indexPageBytes, int rootIndexBytes)
            throws IOException {
        try (PagesWriter writer = new PagesWriter(directory, FEEDS, pageBytes, indexPageBytes, rootIndexBytes)) {
            StoredListings listings = new StoredListings();
            int lastFeed = -1;
            for (var key : keys.entrySet()) {
                KeyKind kind = KeyKind.ofWireCode(key.getKey().charAt(0)).orElseThrow();
                byte[] bytes = key.getKey().getBytes(US_ASCII);
                if (key.getValue() == lastFeed) {
                    writer.put(kind, bytes, 1, bytes.length);
                } else {
                    lastFeed = key.getValue();
                    listings.clear();
                    listings.add(lastFeed, FIRST_SEEN, FIRST_SEEN, lastFeed);
                    writer.put(kind, bytes, 1, bytes.length, listings);
                }
            }
            writer.finish();
        }
        return directory;
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted().toList();
        }
    }

    private static List<String> walk(StoreCursor cursor) throws IOException {
        List<String> seen = new ArrayList<>();
        try (cursor) {
            while (cursor.next()) {
                seen.add(new String(cursor.bytes(), 0, cursor.end(), US_ASCII));
            }
        }
        return seen;
    }

    @Test
    void missingOrForeignPart_isRejected() throws Exception {
        Path directory = write(generateKeys(6_000), 512, 256, 1);
        List<Path> parts = files(directory);
        Path middle = parts.get(parts.size() / 2);
        byte[] bytes = Files.readAllBytes(middle);
        Files.delete(middle);
        assertThrows(IOException.class, () -> SortedStore.open(directory));
        Files.copy(parts.getFirst(), middle);
        assertThrows(MalformedStoreException.class, () -> SortedStore.open(directory));
        Files.write(middle, bytes);
        SortedStore.open(directory).close();
        Files.delete(parts.getLast());
        assertThrows(IOException.class, () -> SortedStore.open(directory));
    }

    @Test
    void partsBeyondBound_areRejectedByWriter() {
        NavigableMap<String, Integer> keys = generateKeys(30_000);
        IOException refused = assertThrows(IOException.class, () -> write(keys, 256, 256, 1));
        assertTrue(String.valueOf(refused.getMessage()).endsWith("more than 100 parts"), refused::toString);
    }

    @Test
    void everyPage_hasTheDigestInItsIndex() throws Exception {
        Path directory = write(generateKeys(6_000), 4096, 256, 1 << 20);
        Path file = directory.resolve(SortedStore.partName(0));
        PartRoot root = PartRoot.read(file);
        long pageBytes = 0;
        try (PageFile source = PageFile.open(file);
                StorePart part =
                        new StorePart(source, root.offset(), source.readRoot(root), StorePart.createIndexCache(0))) {
            Page indexPages = part.index();
            while (indexPages.next()) {
                byte[] bytes = source.read(indexPages.reference());
                assertTrue(indexPages.reference().isDigestOf(bytes));
                pageBytes += bytes.length;
                Page pages = part.readIndexPage(indexPages.reference());
                while (pages.next()) {
                    byte[] data = source.read(pages.reference());
                    assertTrue(pages.reference().isDigestOf(data));
                    assertTrue(data.length <= 4096);
                    data[data.length / 2] ^= 1;
                    assertFalse(pages.reference().isDigestOf(data));
                    pageBytes += data.length;
                }
            }
        }
        assertEquals(root.offset(), pageBytes, "pages without gaps");
    }

    @Test
    void equalKeys_giveEqualFiles() throws Exception {
        Path file = write(generateKeys(2_000), 256, 256, 1 << 20).resolve(SortedStore.partName(0));
        byte[] bytes = Files.readAllBytes(file);
        Files.delete(file);
        write(generateKeys(2_000), 256, 256, 1 << 20);
        assertEquals(-1, Arrays.mismatch(bytes, Files.readAllBytes(file)));
    }

    @Test
    void longestKeyOfAllFeeds_isFound_longerOneIsRefused() throws Exception {
        List<ListedFeed> feeds = IntStream.range(0, FeedDictionary.MAX_FEEDS)
                .mapToObj(i -> new ListedFeed(
                        "f".repeat(FeedDictionary.MAX_TEXT_BYTES - 4) + "%04d".formatted(i),
                        "c".repeat(FeedDictionary.MAX_TEXT_BYTES),
                        Match.EXACT,
                        Set.of(Use.values())))
                .toList();
        StoredListings all = new StoredListings();
        for (int i = 0; i < feeds.size(); i++) {
            all.add(i, 253_402_300_799L, 253_402_300_799L, Long.MAX_VALUE);
        }
        Path directory = folder.resolve("long");
        byte[] longest = "k".repeat(StoreKey.MAX_BYTES - 1).getBytes(US_ASCII);
        try (PagesWriter writer = new PagesWriter(directory, feeds)) {
            writer.put(KeyKind.HASH, new byte[] {'a'}, 0, 1, all);
            writer.put(KeyKind.HASH, longest, 0, longest.length, all);
            byte[] longer = "l".repeat(StoreKey.MAX_BYTES).getBytes(US_ASCII);
            assertThrows(IllegalArgumentException.class, () -> writer.put(KeyKind.HASH, longer, 0, longer.length, all));
            writer.put(KeyKind.HASH, new byte[] {'z'}, 0, 1, all);
            writer.finish();
        }
        try (SortedStore store = SortedStore.open(directory);
                StoreCursor cursor = store.openCursor()) {
            for (int length : new int[] {1, longest.length, 1}) {
                assertTrue(cursor.next());
                assertEquals(length + 1, cursor.end());
                assertEquals(FeedDictionary.MAX_FEEDS, cursor.stored().size());
            }
            assertFalse(cursor.next());
        }
    }

    @Test
    void interruptedThread_doesNotCloseTheStore() throws Exception {
        NavigableMap<String, Integer> keys = generateKeys(1_000);
        try (SortedStore store = SortedStore.open(write(keys, 4096, 32 << 10, 1 << 20))) {
            Thread.currentThread().interrupt();
            requireAnswer(store, keys, keys.firstKey());
            assertTrue(Thread.interrupted());
            requireAnswer(store, keys, keys.lastKey());
        }
    }

    /// Two levels of index and some data pages, as a file of some KiB.
    private NavigableMap<String, Integer> smallStore() throws IOException {
        NavigableMap<String, Integer> keys = new TreeMap<>();
        SplittableRandom random = new SplittableRandom(4);
        for (int i = 0; i < 60; i++) {
            keys.put((char) KeyKind.DOMAIN.wireCode() + "%03d".formatted(i) + "x".repeat(random.nextInt(20)), i % 3);
        }
        write(keys, 256, 160, 1 << 20);
        return keys;
    }

    @ParameterizedTest
    @ValueSource(ints = {0x01, 0x80, 0xff})
    void flippedByteAnywhere_neverDeniesAKey(int bits) throws Exception {
        List<Key> keys = smallStore().keySet().stream()
                .map(text -> new Key(KeyKind.DOMAIN, text.substring(1)))
                .toList();
        Path directory = folder.resolve("store");
        Path file = directory.resolve(SortedStore.partName(0));
        byte[] bytes = Files.readAllBytes(file);
        long root = PartRoot.read(file).offset();
        for (int at = 0; at < bytes.length; at++) {
            bytes[at] ^= (byte) bits;
            Files.write(file, bytes);
            bytes[at] ^= (byte) bits;
            if (at >= root) {
                assertThrows(MalformedStoreException.class, () -> SortedStore.open(directory));
                continue;
            }
            try (SortedStore store = SortedStore.open(directory)) {
                List<ExactAnswer> answers = store.lookup(keys, LONG);
                long unknown = count(answers, ExactAnswer.Unknown.class);
                assertEquals(keys.size(), unknown + count(answers, ExactAnswer.Listed.class), "byte " + at);
                assertTrue(unknown > 0 && unknown < keys.size(), unknown + " unknown for byte " + at);
                assertThrows(MalformedStoreException.class, () -> walk(store.openCursor()));
            }
        }
    }

    @Test
    void fileCutAnywhere_isRejected_andDeniesNoKeyIfOpen() throws Exception {
        List<Key> keys = smallStore().keySet().stream()
                .map(text -> new Key(KeyKind.DOMAIN, text.substring(1)))
                .toList();
        Path directory = folder.resolve("store");
        Path file = directory.resolve(SortedStore.partName(0));
        byte[] bytes = Files.readAllBytes(file);
        try (SortedStore open = SortedStore.open(directory)) {
            for (int length = bytes.length - 1; length >= 0; length--) {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    channel.truncate(length);
                }
                assertThrows(MalformedStoreException.class, () -> SortedStore.open(directory));
                assertEquals(0, count(open.lookup(keys, LONG), ExactAnswer.NotListed.class), "cut to " + length);
            }
        }
    }

    /// Damage of several bytes to a store of several parts: bits, zeros, a place over another, a part cut, lengthened,
    /// emptied or in the place of another one.
    @Test
    void damagedStore_isRejectedOrAnswersRightly() throws Exception {
        NavigableMap<String, Integer> keys = generateKeys(200);
        List<Path> files = files(write(keys, 256, 160, 1));
        List<byte[]> whole = new ArrayList<>();
        for (Path file : files) {
            whole.add(Files.readAllBytes(file));
        }
        SplittableRandom random = new SplittableRandom(450);
        int rejected = 0;
        for (int round = 0; round < Rounds.of(4500); round++) {
            int part = random.nextInt(files.size());
            Files.write(files.get(part), damage(whole.get(part), whole.get(random.nextInt(whole.size())), random));
            try (SortedStore store = SortedStore.open(folder.resolve("store"))) {
                for (String text : keys.keySet()) {
                    requireAnswerOrUnknown(store, keys, text);
                    requireAnswerOrUnknown(store, keys, text + "~");
                }
            } catch (IOException e) {
                rejected++;
            }
            Files.write(files.get(part), whole.get(part));
        }
        int all = Rounds.of(4500);
        assertTrue(rejected > all / 5 && rejected < all, rejected + " rejected");
    }

    private static byte[] damage(byte[] part, byte[] other, SplittableRandom random) {
        byte[] bytes = part.clone();
        int from = random.nextInt(bytes.length);
        int to = from + 1 + random.nextInt(Math.min(400, bytes.length - from));
        switch (random.nextInt(8)) {
            case 0 -> Arrays.fill(bytes, from, to, (byte) 0);
            case 1 -> System.arraycopy(bytes, from, bytes, random.nextInt(bytes.length - (to - from) + 1), to - from);
            case 2 -> bytes = Arrays.copyOf(bytes, from);
            case 3 -> bytes = Arrays.copyOf(bytes, bytes.length + to - from);
            case 4 -> bytes = random.nextInt(4) == 0 ? new byte[0] : other;
            case 5 -> System.arraycopy(other, 0, bytes, 0, Math.min(other.length, bytes.length) / 2);
            default -> {
                for (int at = from; at < to; at += 1 + random.nextInt(40)) {
                    bytes[at] ^= (byte) (1 << random.nextInt(8));
                }
            }
        }
        return bytes;
    }

    private static void requireAnswerOrUnknown(SortedStore store, NavigableMap<String, Integer> keys, String text) {
        Key key = new Key(KeyKind.ofWireCode(text.charAt(0)).orElseThrow(), text.substring(1));
        if (!(store.lookup(List.of(key), LONG).getFirst() instanceof ExactAnswer.Unknown)) {
            requireAnswer(store, keys, text);
        }
    }

    private static long count(List<ExactAnswer> answers, Class<? extends ExactAnswer> type) {
        return answers.stream().filter(type::isInstance).count();
    }
}
