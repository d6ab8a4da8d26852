package org.bloomgate.lookup.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Match;
import org.bloomgate.core.key.Use;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoreFormatTest {
    private static final long FIRST = 1_700_000_000L;

    /// Feed 0 seen at 1,700,000,000 and a day later, without a count; feed 3 seen once, counted 300 times.
    private static final String TWO_LISTINGS =
            "00" + "80e2cfaa06" + "80a305" + "00" + "03" + "80e2cfaa06" + "00" + "ac02";

    private static final FeedDictionary TWO_FEEDS = new FeedDictionary(List.of(
            new ListedFeed("phish", "phishing", Match.SUFFIX, Set.of(Use.SENDER, Use.HEADER, Use.LINK)),
            new ListedFeed("box", "disposable", Match.EXACT, Set.of(Use.SENDER))));

    private static final String TWO_FEEDS_BYTES = "01" + "02" //
            + "057068697368" + "087068697368696e67" + "01" + "07" //
            + "03626f78" + "0a646973706f7361626c65" + "00" + "01";

    @Test
    void listings_haveTheDocumentedBytes() throws Exception {
        StoredListings listings = new StoredListings();
        listings.add(0, FIRST, FIRST + 86_400, 0);
        listings.add(3, FIRST, FIRST, 300);
        assertEquals(TWO_LISTINGS, hex(listings));

        StoredListings read = new StoredListings();
        read.decode(ByteBuffer.wrap(bytes(TWO_LISTINGS)), 4);
        assertEquals(2, read.size());
        assertEquals(FIRST + 86_400, read.lastSeen(0));
        assertEquals(3, read.feed(1));
        assertEquals(300, read.count(1));
    }

    @Test
    void dictionary_hasTheDocumentedBytes() throws Exception {
        assertEquals(TWO_FEEDS_BYTES, HexFormat.of().formatHex(TWO_FEEDS.encode()));
        assertEquals(TWO_FEEDS, FeedDictionary.decode(bytes(TWO_FEEDS_BYTES)));
    }

    @Test
    void key_isItsKindAndItsBytes() {
        assertEquals(
                "02" + "6576696c2e74657374",
                HexFormat.of().formatHex(StoreKey.of(new Key(KeyKind.DOMAIN, "evil.test"))));
        String digest = "5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8";
        assertArrayEquals(bytes("04" + digest), StoreKey.of(new Key(KeyKind.PASSWORD, digest)));
    }

    @ParameterizedTest
    @CsvSource({
        "''                                    , no listing",
        "00                                    , first seen: cut off",
        "0080e2cfaa                            , first seen: cut off",
        "0080e2cfaa0600                        , count: cut off",
        "04010000                              , feed 4 of 4",
        "0201000001010000                      , feed 1 after feed 2",
        "0201000002010000                      , feed 2 after feed 2",
        "8000010000                            , feed: not in shortest form",
        "00ffffffffffffffffff7f0000            , first seen: above 2^63",
        "00ffffffffffffff7f0000                , seen after the year 9999",
        "0001ffffffffffffffff7f00              , seen after the year 9999",
        "0001000001                            , first seen: cut off",
    })
    void damagedListings_areRejected(String hex, String reason) {
        StoredListings listings = new StoredListings();
        Exception refused =
                assertThrows(MalformedStoreException.class, () -> listings.decode(ByteBuffer.wrap(bytes(hex)), 4));
        assertEquals(reason, refused.getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "''                                    , format version: cut off",
        "0200                                  , 'format version 2, this program reads version 1'",
        "01                                    , number of feeds: cut off",
        "01ff7f                                , number of feeds 16383 is above 4096",
        "0101                                  , feed name: cut off",
        "01010261                              , feed name: length 2 is beyond its bound",
        "010180020000                          , feed name: length 256 is beyond its bound",
        "010101ff01610101                      , feed name: not UTF-8",
        "0101016101610301                      , unknown match 3",
        "0101016101610110                      , unknown uses 16",
        "010101610161010700                    , 1 bytes after the last feed",
    })
    void damagedDictionary_isRejected(String hex, String reason) {
        Exception refused = assertThrows(MalformedStoreException.class, () -> FeedDictionary.decode(bytes(hex)));
        assertEquals(reason, refused.getMessage());
    }

    @Test
    void randomBytes_areRejectedOrWithinBounds() {
        Random random = new Random(7);
        StoredListings listings = new StoredListings();
        int read = 0;
        int rejected = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] noise = new byte[random.nextInt(24)];
            random.nextBytes(noise);
            try {
                listings.decode(ByteBuffer.wrap(noise), 4);
                read++;
                for (int k = 0; k < listings.size(); k++) {
                    assertTrue(listings.feed(k) < 4 && listings.lastSeen(k) >= listings.firstSeen(k));
                }
            } catch (MalformedStoreException _) {
                rejected++;
            }
        }
        assertTrue(read > 0 && rejected > 0, rejected + " rejected");
    }

    @Test
    void listingsOutOfOrder_areRejected() {
        StoredListings listings = new StoredListings();
        listings.add(2, FIRST, FIRST, 0);
        assertThrows(IllegalArgumentException.class, () -> listings.add(2, FIRST, FIRST, 0));
        assertThrows(IllegalArgumentException.class, () -> listings.add(3, FIRST, FIRST - 1, 0));
        assertThrows(IllegalArgumentException.class, () -> listings.add(3, FIRST, FIRST, -1));
        assertEquals(1, listings.size());
    }

    private static String hex(StoredListings listings) {
        ByteBuffer to = ByteBuffer.allocate(listings.maxBytes());
        listings.encode(to);
        return HexFormat.of().formatHex(to.array(), 0, to.position());
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }
}
