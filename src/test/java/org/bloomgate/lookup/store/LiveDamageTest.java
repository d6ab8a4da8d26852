package org.bloomgate.lookup.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Use;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Damage to the files of a store that is open: keys may become unknown, but no answer may be wrong and the process
/// must not end.
class LiveDamageTest {
    private static final int KEYS = 20_000;
    private static final List<Key> LISTED = IntStream.range(0, KEYS)
            .mapToObj(i -> new Key(KeyKind.DOMAIN, "evil%06d.example".formatted(i)))
            .toList();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.3, 0.9})
    void truncatedPart_isUnknown(double share) throws Exception {
        try (SortedStore store = open();
                FileChannel file = FileChannel.open(part(), StandardOpenOption.WRITE)) {
            assertEquals(0, unknownOfListed(store), "the index is in memory");
            file.truncate((long) (file.size() * share));
            double unknownShare = (double) unknownOfListed(store) / KEYS;
            assertEquals(1 - share, unknownShare, 0.25);
        }
    }

    @Test
    void partOverwrittenWithGarbage_isUnknown() throws Exception {
        try (SortedStore store = open()) {
            byte[] garbage = new byte[(int) Files.size(part())];
            new SplittableRandom(1).nextBytes(garbage);
            overwrite(garbage);
            assertEquals(KEYS, unknownOfListed(store));
        }
    }

    @Test
    void partOverwrittenWithZeros_isUnknown() throws Exception {
        try (SortedStore store = open()) {
            overwrite(new byte[(int) Files.size(part())]);
            assertEquals(KEYS, unknownOfListed(store));
        }
    }

    @Test
    void flippedBits_makeNoListedKeyUnlisted() throws Exception {
        try (SortedStore store = open()) {
            byte[] bytes = Files.readAllBytes(part());
            for (int at = 0; at < bytes.length; at += 211) {
                bytes[at] ^= 0x10;
            }
            overwrite(bytes);
            assertTrue(unknownOfListed(store) > 0);
        }
    }

    @Test
    void deletedFiles_stillAnswer() throws Exception {
        try (SortedStore store = open();
                Stream<Path> files = Files.list(folder.resolve("store"))) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
            assertEquals(0, unknownOfListed(store));
            assertInstanceOf(
                    ExactAnswer.NotListed.class,
                    store.lookup(List.of(new Key(KeyKind.DOMAIN, "clean.example")), Duration.ofMinutes(1))
                            .getFirst());
        }
    }

    /// @return how many of the listed keys are unknown; none is taken for unlisted
    private static long unknownOfListed(SortedStore store) {
        List<ExactAnswer> answers = store.lookup(LISTED, Duration.ofMinutes(5));
        assertEquals(
                0,
                answers.stream().filter(ExactAnswer.NotListed.class::isInstance).count(),
                "listed keys that read as not listed");
        return answers.stream().filter(ExactAnswer.Unknown.class::isInstance).count();
    }

    private SortedStore open() throws IOException {
        Path directory = folder.resolve("store");
        ListedFeed feed = new ListedFeed("phish", "phishing", Match.SUFFIX, Set.of(Use.values()));
        try (PagesWriter writer = new PagesWriter(directory, List.of(feed))) {
            StoredListings listings = new StoredListings();
            listings.add(0, 1_700_000_000L, 1_700_000_060L, 0);
            for (Key key : LISTED) {
                writer.put(key.kind(), key.bytes(), 0, key.bytes().length, listings);
            }
            writer.finish();
        }
        return SortedStore.open(directory);
    }

    private Path part() {
        return folder.resolve("store").resolve(SortedStore.partName(0));
    }

    private void overwrite(byte[] bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(part(), StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(bytes));
        }
    }
}
