package org.bloomgate.lookup.redis;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Use;
import org.bloomgate.lookup.store.FeedDictionary;
import org.bloomgate.lookup.store.ListedFeed;
import org.bloomgate.lookup.store.StoreKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GenerationFormatTest {
    private static final GenerationNames NAMES = new GenerationNames("mx", "nightly", "20260102T030405Z-1a2b");

    /// Version 1, 64 buckets, 3,000 entries, then the dictionary of one feed.
    private static final String HEADER = "01" + "00000040" + "0000000000000bb8" //
            + "01" + "01" + "057068697368" + "087068697368696e67" + "01" + "04";

    private static final GenerationHeader READ = new GenerationHeader(
            64,
            3_000,
            new FeedDictionary(List.of(new ListedFeed("phish", "phishing", Match.SUFFIX, Set.of(Use.LINK)))));

    @Test
    void keysHaveTheseNames() {
        assertEquals("mx:nightly:20260102T030405Z-1a2b:3f", GenerationNames.text(NAMES.bucket(63)));
        assertEquals("mx:nightly:20260102T030405Z-1a2b:header:7", GenerationNames.text(NAMES.header(7)));
        assertEquals("mx:nightly:current", GenerationNames.text(NAMES.current()));
        assertEquals("mx:nightly:generations", GenerationNames.text(NAMES.generations()));
    }

    @Test
    void headerHasTheseBytes() {
        assertEquals(HEADER, HexFormat.of().formatHex(READ.encode()));
        assertEquals(Optional.of(READ), GenerationHeader.decode(HexFormat.of().parseHex(HEADER)));
    }

    @Test
    void headerCutOffAnywhereIsNone() {
        byte[] whole = READ.encode();
        for (int length = 0; length < whole.length; length++) {
            assertEquals(Optional.empty(), GenerationHeader.decode(Arrays.copyOf(whole, length)));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "02" + "00000040" + "0000000000000bb8" + "0100",
                "01" + "00000041" + "0000000000000bb8" + "0100",
                "01" + "00000000" + "0000000000000bb8" + "0100",
                "01" + "80000000" + "0000000000000bb8" + "0100",
                "01" + "02000000" + "0000000000000bb8" + "0100",
                "01" + "00000040" + "8000000000000000" + "0100",
                "01" + "00000040" + "0000000000000bb8" + "0200",
                "01" + "00000040" + "0000000000000bb8" + "010000",
            })
    void malformedHeaderIsNone(String bytes) {
        assertEquals(Optional.empty(), GenerationHeader.decode(HexFormat.of().parseHex(bytes)));
    }

    /// `printf '\2evil.test' | sha256sum` begins with the hash.
    @Test
    void bucketIsOfTheFirstBytesOfTheHash() {
        BucketField field = field(KeyKind.DOMAIN, "evil.test");
        assertEquals("026576696c2e74657374", HexFormat.of().formatHex(field.bytes()));
        assertEquals(0xf278, field.bucket(1 << 16));
        assertEquals(0, field.bucket(1));
    }

    @Test
    void keyIsItsOwnFieldUpToThirtyThreeBytes() {
        byte[] longest = StoreKey.of(new Key(KeyKind.HASH, "ab".repeat(32)));
        assertEquals(33, longest.length);
        assertArrayEquals(longest, BucketField.of(longest).bytes());
        byte[] hashed = field(KeyKind.DOMAIN, "x".repeat(25) + ".example").bytes();
        assertEquals(33, hashed.length);
        assertEquals((byte) 0xff, hashed[0]);
    }

    @Test
    void noKeyMeetsTheMarkerOrTheFieldOfAHash() {
        for (KeyKind kind : KeyKind.values()) {
            assertTrue(kind.wireCode() > BucketField.MARKER[0] && kind.wireCode() < 0xff);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1",
        "60, 1",
        "61, 2",
        "120, 2",
        "121, 4",
        "1000000, 32768",
        "100000000, 2097152",
        "1000000000, 16777216",
        "9000000000, 16777216",
    })
    void bucketsAreAPowerOfTwoWithSixtyEntriesAtMost(long entries, int buckets) {
        assertEquals(buckets, BucketField.buckets(entries));
        assertTrue(GenerationHeader.isNumberOfBuckets(buckets));
    }

    @Test
    void entriesSpreadOverTheBucketsWithinTheShortForm() {
        int entries = 100_000;
        int[] fields = new int[BucketField.buckets(entries)];
        for (int i = 0; i < entries; i++) {
            fields[field(KeyKind.DOMAIN, "host-" + i + ".example").bucket(fields.length)]++;
        }
        assertEquals(2048, fields.length);
        for (int count : fields) {
            assertTrue(count > 0 && count < 128, () -> "a bucket of " + count);
        }
    }

    private static BucketField field(KeyKind kind, String text) {
        return BucketField.of(StoreKey.of(new Key(kind, text)));
    }
}
