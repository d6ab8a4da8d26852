package org.bloomgate.lookup.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.Zstd;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Use;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoreChangeTest {
    private static final long DAY = 86_400;
    private static final long MANY = 1 << 24;

    /// Few enough for a store of 15,000 keys to have several: it looks every 4096.
    private static final long TABLE_BYTES = 8_000;

    @TempDir
    Path folder;

    private final SplittableRandom random = new SplittableRandom(16);
    private final Map<String, Seen> keys = new TreeMap<>();
    private long today = 20_000 * DAY;
    private int stores;

    /// @param feed position of the feed by the order of names
    private record Seen(int feed, long first, long last, long count) {}

    @Test
    void tablesAreThoseOfTheOtherStoreByteByByteWhateverChanged() throws IOException {
        List<ListedFeed> before = feeds("first", "second");
        turn(15_000);
        Path theirs = store(before);
        Path ours = theirs;
        List<ListedFeed> now = feeds("first", "second", "third");
        for (int night = 0; night < 12; night++) {
            turn(300);
            Path next = store(night == 7 ? now : before);
            Path change = change(theirs, next, night == 7 ? now : before);
            Path made = follow(List.of(change), ours);
            assertTrue(names(made).size() > 1, "several tables");
            assertSameTables(next, made);
            assertTrue(Files.size(change) < sizeOf(next) / 4);
            theirs = next;
            ours = whole(made, next);
            if (night == 7) {
                before = now;
            }
        }
    }

    @Test
    void changesOfSeveralNightsAreFollowedAtOnce() throws IOException {
        turn(15_000);
        Path first = store(feeds("first", "second"));
        Path theirs = first;
        List<Path> changes = new ArrayList<>();
        for (int night = 0; night < 5; night++) {
            turn(200);
            List<ListedFeed> feeds = night < 2 ? feeds("first", "second") : feeds("first", "second", "third");
            Path next = store(feeds);
            changes.add(change(theirs, next, feeds));
            theirs = next;
            assertSameTables(theirs, follow(changes, first));
        }
        assertRefused("0 at once", () -> follow(List.of(), first));
        assertRefused(
                "8 at once", () -> follow(Collections.nCopies(SortedStores.MAX_CHANGES + 1, changes.get(0)), first));
        List<Path> oneIsMissing = List.of(changes.get(0), changes.get(2));
        assertThrows(IOException.class, () -> follow(oneIsMissing, first));
    }

    /// The bound holds for each of them: what one adds the next may drop.
    @Test
    void changesOfWhichAnEarlierOneComesToTooMuchAreRefused() throws IOException {
        turn(10);
        Path small = store(feeds("first"));
        turn(5_000);
        Path large = store(feeds("first"));
        Path up = change(small, large, feeds("first"));
        Path down = change(large, small, feeds("first"));
        assertSameTables(small, follow(List.of(up, down), small));
        try (SortedStore store = new RocksStores().open(small)) {
            assertThrows(
                    MalformedStoreException.class,
                    () -> ChangedStore.write(List.of(up, down), store, folder.resolve("into"), 10_000, TABLE_BYTES));
        }
    }

    private static void assertRefused(String why, Executable work) {
        MalformedStoreException refused = assertThrows(MalformedStoreException.class, work);
        assertTrue(String.valueOf(refused.getMessage()).contains(why), refused::toString);
    }

    private static void assertSameTables(Path expected, Path made) throws IOException {
        assertEquals(names(expected), names(made));
        for (String name : names(expected)) {
            assertArrayEquals(Files.readAllBytes(expected.resolve(name)), Files.readAllBytes(made.resolve(name)), name);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "text, ''",
        "no magic, no change of a store",
        "another store, ascending",
        "cut, ''",
        "nothing, a step that does nothing",
        "unknown step, a step of kind 5",
        "beyond the end, is of a store with more keys",
        "shared, shares more than there is",
        "too much, comes to more than 1000 bytes",
    })
    void whatIsNoChangeOfTheStoreIsRefused(String how, String why) throws IOException {
        turn(500);
        Path before = store(feeds("first"));
        turn(100);
        Path next = store(feeds("first"));
        Path change = change(how.equals("another store") ? other() : before, next, feeds("first"));
        byte[] bytes = Files.readAllBytes(change);
        byte[] altered = switch (how) {
            case "text" -> how.getBytes(StandardCharsets.US_ASCII);
            case "no magic" -> Zstd.compress(new byte[] {0, 0, 0, 5, 'B', 'G', 'S', 'L', 1});
            case "cut" -> Arrays.copyOf(bytes, bytes.length / 2);
            case "nothing" -> Zstd.compress(steps(1, 0));
            case "unknown step" -> Zstd.compress(steps(5));
            case "beyond the end" -> Zstd.compress(steps(2, 0x7f, 2, 0x7f, 2, 0x7f, 2, 0x7f, 2, 0x7f));
            case "shared" -> Zstd.compress(steps(4, 9, 1, 'x'));
            default -> bytes;
        };
        Files.write(change, altered);
        long most = how.equals("too much") ? 1000 : MANY;
        try (SortedStore store = new RocksStores().open(before)) {
            IOException refused = assertThrows(
                    IOException.class,
                    () -> ChangedStore.write(List.of(change), store, folder.resolve("into"), most, TABLE_BYTES));
            assertTrue(String.valueOf(refused.getMessage()).contains(why), refused::toString);
        }
    }

    private Path other() throws IOException {
        turn(900);
        return store(feeds("first"));
    }

    /// A block of the first bytes of a change, of no feed, and then some.
    private static byte[] steps(int... rest) {
        byte[] head = {0, 0, 0, 0, 'B', 'G', 'S', 'C', 1, 2, 1, 0};
        ByteBuffer bytes = ByteBuffer.allocate(head.length + rest.length);
        bytes.put(head);
        for (int one : rest) {
            bytes.put((byte) one);
        }
        return bytes.putInt(0, bytes.capacity() - Integer.BYTES).array();
    }

    private static List<ListedFeed> feeds(String... names) {
        return Stream.of(names)
                .map(name -> new ListedFeed(name, "phishing", Match.SUFFIX, Set.of(Use.LINK)))
                .toList();
    }

    /// A night later: some keys are gone, some are kept although their feed has them no more, some came.
    private void turn(int come) {
        today += DAY;
        keys.keySet().removeIf(_ -> random.nextInt(20) == 0);
        keys.replaceAll((_, seen) -> random.nextInt(30) == 0
                ? seen
                : new Seen(seen.feed, seen.first, today, seen.count + (random.nextInt(50) == 0 ? 1 : 0)));
        for (int i = 0; i < come; i++) {
            String name = "example.host" + Long.toHexString(random.nextLong() >>> 20);
            keys.put(name, new Seen(random.nextInt(10) == 0 ? 0 : -1, today, today, random.nextInt(3)));
        }
    }

    /// Of one feed or of two, each of which is read at its own hour.
    private Path store(List<ListedFeed> feeds) throws IOException {
        Path directory = folder.resolve("store" + stores++);
        StoredListings listings = new StoredListings();
        try (RocksExactWriter writer = new RocksExactWriter(directory, feeds, TABLE_BYTES)) {
            for (Map.Entry<String, Seen> entry : keys.entrySet()) {
                Seen seen = entry.getValue();
                listings.clear();
                listings.add(0, seen.first, seen.last, seen.count);
                if (seen.feed == 0 && feeds.size() > 1) {
                    listings.add(feeds.size() - 1, seen.first + 60, seen.last + 60, 0);
                }
                byte[] key = entry.getKey().getBytes(StandardCharsets.US_ASCII);
                writer.put(KeyKind.DOMAIN, key, 0, key.length, listings);
            }
            writer.finish();
        }
        return directory;
    }

    private Path change(Path before, Path next, List<ListedFeed> feeds) throws IOException {
        Path file = folder.resolve("change" + stores++);
        try (SortedStore begun = new RocksStores().open(before);
                SortedStore after = new RocksStores().open(next);
                StoreCursor past = begun.cursor();
                StoreCursor key = after.cursor();
                StoreChange change = StoreChange.begin(file, begun.feeds(), feeds)) {
            boolean listedBy = past.next();
            while (key.next()) {
                while (listedBy && past.compareTo(key.kindCode(), key.bytes(), 1, key.end()) < 0) {
                    change.gone(1);
                    listedBy = past.next();
                }
                if (listedBy && past.compareTo(key.kindCode(), key.bytes(), 1, key.end()) == 0) {
                    change.stays(past.stored(), key.stored());
                    listedBy = past.next();
                } else {
                    change.comes(key.kindCode(), key.bytes(), 1, key.end(), key.stored());
                }
            }
            for (; listedBy; listedBy = past.next()) {
                change.gone(1);
            }
            change.finish(next);
        }
        return file;
    }

    private Path follow(List<Path> changes, Path before) throws IOException {
        Path into = folder.resolve("made" + stores++);
        try (SortedStore store = new RocksStores().open(before)) {
            ChangedStore.write(changes, store, into, MANY, TABLE_BYTES);
        }
        return into;
    }

    /// With the files that are no tables, which a mirror fetches.
    private static Path whole(Path made, Path theirs) throws IOException {
        try (Stream<Path> files = Files.list(theirs)) {
            for (Path file :
                    files.filter(one -> !one.toString().endsWith(".sst")).toList()) {
                Files.copy(file, made.resolve(file.getFileName()));
            }
        }
        return made;
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".sst"))
                    .sorted()
                    .toList();
        }
    }

    private static long sizeOf(Path directory) throws IOException {
        long size = 0;
        for (String name : names(directory)) {
            size += Files.size(directory.resolve(name));
        }
        return size;
    }
}
