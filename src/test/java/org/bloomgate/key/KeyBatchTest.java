package org.bloomgate.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class KeyBatchTest {
    private static final Identifier LINK = new Identifier(KeyKind.URL, "a.example/", Place.LINK, "link");
    private static final Identifier FROM =
            new Identifier(KeyKind.ADDRESS, "ä@b.example", Place.ORIGINATOR, "header:From");

    private final KeyBatch batch = new KeyBatch();

    @Test
    void keysBelongToTheIdentifierAnnouncedBeforeThem() {
        batch.begin(LINK);
        batch.append("a.example").append((byte) '/').endKey(KeyKind.URL, true);
        batch.append("a.example").endKey(KeyKind.DOMAIN, true);
        batch.begin(FROM);
        batch.append("ä@b.example").endKey(KeyKind.ADDRESS, true);
        batch.append("b.example").endKey(KeyKind.DOMAIN, false);

        assertEquals(4, batch.size());
        assertEquals(new Key(KeyKind.URL, "a.example/"), batch.key(0));
        assertEquals(LINK, batch.identifier(1));
        assertEquals(new Key(KeyKind.ADDRESS, "ä@b.example"), batch.key(2));
        assertTrue(batch.itself(2));
        assertFalse(batch.itself(3));
        assertEquals(1, batch.owner(3));
    }

    @Test
    void octetsOfAKeyThatWasNotEndedAreNoPartOfTheNext() {
        batch.begin(LINK);
        batch.append("cut short by a fault");
        batch.begin(FROM);
        batch.append("b.example").endKey(KeyKind.DOMAIN, true);

        assertEquals(1, batch.size());
        assertEquals(new Key(KeyKind.DOMAIN, "b.example"), batch.key(0));
    }

    @Test
    void aPasswordKeyIsItsDigestAndShownAsHex() {
        byte[] digest = new byte[20];
        digest[0] = (byte) 0xAB;
        batch.begin(new Identifier(KeyKind.PASSWORD, "", Place.TEXT, "password"));
        batch.append(digest, 0, 20).endKey(KeyKind.PASSWORD, true);
        assertEquals("AB" + "0".repeat(38), batch.key(0).text());
        assertEquals(20, batch.key(0).octets().length);
    }

    @Test
    void clearForgetsEverything() {
        batch.begin(LINK);
        batch.append("x").endKey(KeyKind.URL, true);
        batch.clear();
        assertEquals(0, batch.size());
        assertTrue(batch.identifiers().isEmpty());
    }

    @Test
    void theLastKeyThatFitsIsTakenAndTheNextIsNot() {
        batch.begin(LINK);
        for (int i = 0; i < KeyBatch.MAX_KEYS; i++) {
            batch.append("k" + i).endKey(KeyKind.URL, false);
        }
        assertFalse(batch.overflowed());
        batch.append("one more").endKey(KeyKind.URL, false);
        assertTrue(batch.overflowed());
        assertEquals(KeyBatch.MAX_KEYS, batch.size());
        assertEquals(
                "k" + (KeyBatch.MAX_KEYS - 1), batch.key(KeyBatch.MAX_KEYS - 1).text());
    }

    @Test
    void octetsPastTheBoundAreNotTakenAndLeaveTheKeysBeforeWhole() {
        batch.begin(LINK);
        batch.append("first").endKey(KeyKind.URL, true);
        batch.append(new byte[KeyBatch.MAX_OCTETS], 0, KeyBatch.MAX_OCTETS).endKey(KeyKind.URL, true);
        assertTrue(batch.overflowed());
        assertEquals(1, batch.size());
        assertEquals("first", batch.key(0).text());
    }

    @Test
    void aKeyWithoutAnIdentifierIsAMistakeOfTheCaller() {
        batch.append("x");
        assertThrows(IllegalStateException.class, () -> batch.endKey(KeyKind.URL, true));
    }
}
