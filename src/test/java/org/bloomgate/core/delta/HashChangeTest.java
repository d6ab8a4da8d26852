package org.bloomgate.core.delta;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class HashChangeTest {
    private static final HashList BEFORE = list(10, 20, 30, -5);

    private static HashList list(long... hashes) {
        return Hashes.of(List.of(), hashes);
    }

    private static String refusal(HashList before, byte[] change) {
        DeltaRefusedException refused =
                assertThrows(DeltaRefusedException.class, () -> Hashes.walk(Hashes.apply(change, before)));
        return String.valueOf(refused.getMessage());
    }

    @Test
    void hashes_areUnsignedNumbers() throws Exception {
        assertArrayEquals(new long[] {10, 20, 30, -5}, Hashes.walk(list(-5, 20, 10, 30, 10, -5)));
        assertEquals(4, list(-5, 20, 10, 30, 10, -5).size());
    }

    @Test
    void changeOfOtherList_isRefused() throws Exception {
        byte[] adds25 = Hashes.change(BEFORE, list(10, 20, 25, 30, -5));
        assertArrayEquals(new long[] {10, 20, 25, 30, -5}, Hashes.walk(Hashes.apply(adds25, BEFORE)));
        assertTrue(refusal(list(10, 20, 30), adds25).contains("is of a list of 4 hashes"));
        assertTrue(refusal(list(10, 25, 30, -5), adds25).contains("adds a hash that the list already contains"));
    }

    @Test
    void removalBeyondList_isRefused() throws Exception {
        byte[] removesLast = Hashes.change(BEFORE, list(10, 20, 30));
        removesLast[5 + 16 + 1 + 8 + 7]++;
        assertTrue(refusal(BEFORE, removesLast).contains("removes a position beyond the list"));
    }

    @Test
    void emptyLists_haveChanges() throws Exception {
        assertArrayEquals(new long[] {1, 2}, Hashes.walk(Hashes.apply(Hashes.change(list(), list(1, 2)), list())));
        assertEquals(0, Hashes.walk(Hashes.apply(Hashes.change(list(1, 2), list()), list(1, 2))).length);
        assertEquals(0, Hashes.read(Hashes.whole(HashList.EMPTY)).size());
    }
}
