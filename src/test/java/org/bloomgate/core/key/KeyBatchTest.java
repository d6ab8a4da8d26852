package org.bloomgate.core.key;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
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
    void bytesOfAKeyThatWasNotEndedAreNoPartOfTheNext() {
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
        assertEquals(20, batch.key(0).bytes().length);
    }

    @Test
    void ordinaryBatch_isBelowBothOfItsBounds() {
        batch.begin(LINK);
        for (int i = 0; i < KeyBatch.ORDINARY_KEYS - 1; i++) {
            batch.append("k" + i).endKey(KeyKind.URL, true);
        }
        assertTrue(batch.isOrdinary());
        batch.append("last").endKey(KeyKind.URL, true);
        assertFalse(batch.isOrdinary());

        batch.clear();
        batch.begin(LINK);
        batch.append(new byte[KeyBatch.ORDINARY_BYTES - 1], 0, KeyBatch.ORDINARY_BYTES - 1);
        assertTrue(batch.isOrdinary());
        batch.append((byte) 'x');
        assertFalse(batch.isOrdinary());
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
    void equalKeysOfManyIdentifiers_countOnce() {
        for (int i = 0; i < KeyBatch.MAX_KEYS / 2; i++) {
            batch.begin(LINK);
            batch.append("a.example/" + i).endKey(KeyKind.URL, true);
            batch.append("a.example").endKey(KeyKind.DOMAIN, false);
        }

        assertFalse(batch.overflowed());
        assertEquals(KeyBatch.MAX_KEYS, batch.size());
        int last = KeyBatch.MAX_KEYS - 1;
        assertEquals(new Key(KeyKind.DOMAIN, "a.example"), batch.key(last));
        assertEquals(new Key(KeyKind.URL, "a.example/" + last / 2), batch.key(last - 1));
        assertEquals(last / 2, batch.owner(last));
        assertFalse(batch.itself(last));
        assertTrue(batch.heapBytes() < 2 * KeyBatch.MAX_BYTES);
    }

    @Test
    void equalKeysAtTheirBound_areTakenAndTheNextIsNot() {
        batch.begin(LINK);
        int distinct = 2_000;
        for (int i = 0; i < distinct; i++) {
            batch.append("k" + i).endKey(KeyKind.URL, true);
        }
        for (int i = 0; i < KeyBatch.MAX_REPEATED; i++) {
            batch.append("k" + i % distinct).endKey(KeyKind.URL, true);
        }
        assertFalse(batch.overflowed());
        batch.append("k0").endKey(KeyKind.URL, true);
        assertTrue(batch.overflowed());
        assertEquals(distinct + KeyBatch.MAX_REPEATED, batch.size());
        assertEquals("k" + (distinct - 1), batch.key(batch.size() - 1).text());
    }

    @Test
    void equalBytesOfAnotherKind_areAnotherKey() {
        batch.begin(LINK);
        for (int i = 0; i < 2_000; i++) {
            batch.append("k" + i).endKey(KeyKind.URL, true);
        }
        batch.append("k7").endKey(KeyKind.DOMAIN, true);
        batch.append("k7").endKey(KeyKind.URL, true);

        assertEquals(new Key(KeyKind.DOMAIN, "k7"), batch.key(2_000));
        assertEquals(new Key(KeyKind.URL, "k7"), batch.key(2_001));
        assertEquals(batch.start(7), batch.start(2_001));
    }

    @Test
    void whatIsReleasedWithTheKeys_isReleasedOnce() {
        int[] released = {0};
        batch.onClear(() -> released[0]++);
        batch.clear();
        batch.clear();
        assertEquals(1, released[0]);
    }

    @Test
    void digestsStandBesideTheirKeysAndAlwaysHaveRoom() {
        batch.begin(LINK);
        for (int i = 0; i < KeyBatch.MAX_KEYS; i++) {
            batch.append("bad.example").endKey(i == 1 ? KeyKind.URL : KeyKind.DOMAIN, i == 0);
        }
        batch.addDigests(false, true);
        assertEquals(KeyBatch.MAX_KEYS, batch.size(), "there is not an address among them");
        batch.clear();

        batch.begin(LINK);
        for (int i = 0; i < KeyBatch.MAX_KEYS; i++) {
            batch.append("bad.example").endKey(i == 1 ? KeyKind.URL : KeyKind.DOMAIN, i == 0);
        }
        batch.addDigests(true, true);
        batch.addDigests(true, true);

        assertFalse(batch.overflowed());
        assertEquals(2 * KeyBatch.MAX_KEYS - 1, batch.size());
        int first = KeyBatch.MAX_KEYS;
        assertEquals(new Key(KeyKind.DOMAIN_SHA1, "eba250a21240d8f30a9d64f4d74b9c6226d52e7b"), batch.key(first));
        assertTrue(batch.itself(first));
        assertFalse(batch.itself(first + 1));
        assertEquals(0, batch.owner(first));
    }

    @Test
    void keysAfterDigestsGetTheirsTooAndBelongToTheirOwnIdentifier() {
        batch.begin(LINK);
        batch.append("bad.example").endKey(KeyKind.DOMAIN, true);
        batch.addDigests(true, true);
        batch.begin(new Identifier(KeyKind.ADDRESS, "a@b.example", Place.ENVELOPE, "envelope"));
        batch.append("a@b.example").endKey(KeyKind.ADDRESS, true);
        batch.addDigests(true, true);

        assertEquals(4, batch.size());
        assertEquals(new Key(KeyKind.ADDRESS_SHA1, "894741fd17a1c947e869490b15afe8ad678a0cef"), batch.key(3));
        assertEquals(1, batch.owner(3));
    }

    @Test
    void bytesPastTheBoundAreNotTakenAndLeaveTheKeysBeforeWhole() {
        batch.begin(LINK);
        batch.append("first").endKey(KeyKind.URL, true);
        batch.append(new byte[KeyBatch.MAX_BYTES], 0, KeyBatch.MAX_BYTES).endKey(KeyKind.URL, true);
        assertTrue(batch.overflowed());
        assertEquals(1, batch.size());
        assertEquals("first", batch.key(0).text());
    }

    @Test
    void aKeyWithoutAnIdentifierIsAMistakeOfTheCaller() {
        batch.append("x");
        assertThrows(IllegalStateException.class, () -> batch.endKey(KeyKind.URL, true));
    }

    @Test
    void aBatchThatManyKeysMadeLargerIsNotKept() {
        batch.begin(LINK);
        for (int i = 0; i < 1024; i++) {
            batch.append("a.example").endKey(KeyKind.URL, true);
        }
        assertTrue(batch.worthKeeping());
        batch.append("a.example").endKey(KeyKind.URL, true);
        batch.clear();
        assertFalse(batch.worthKeeping());
    }

    @Test
    void aBatchThatLongKeysMadeLargerIsNotKept() {
        batch.begin(LINK);
        batch.append("x".repeat(64 * 1024)).endKey(KeyKind.URL, true);
        assertTrue(batch.worthKeeping());
        batch.append("x").endKey(KeyKind.URL, true);
        assertFalse(batch.worthKeeping());
    }

    @Test
    void nothingIsLeftInABatchThatIsErased() {
        batch.begin(LINK);
        batch.append("a.example").endKey(KeyKind.URL, true);
        batch.append("unfinished");
        batch.erase();
        assertEquals(0, batch.size());
        assertArrayEquals(new byte[batch.bytes().length], batch.bytes());
    }
}
