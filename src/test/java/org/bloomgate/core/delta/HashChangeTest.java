package org.bloomgate.core.delta;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HashChangeTest {
    private static HashList list(long... hashes) {
        return HashList.of(hashes, hashes.length, List.of("a.example".getBytes(StandardCharsets.UTF_8)));
    }

    private static Optional<byte[]> twoInOne(HashList before, HashList middle, HashList now) throws Exception {
        return HashChange.decode(middle.since(before))
                .compose(HashChange.between(middle, now), middle)
                .map(HashChange::encode);
    }

    private static HashList changed(HashList list, SplittableRandom random, int bound, int one) {
        LongStream kept = LongStream.of(list.hashes()).filter(_ -> random.nextInt(one) > 0);
        LongStream come = random.longs(random.nextInt(4)).map(hash -> hash >>> bound);
        return list(LongStream.concat(kept, come).toArray());
    }

    /// Few numbers to draw of, so that the same ones come, go and come back; many, so that none does.
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 52, 57, 60})
    void twoChangesInOneAreTheBytesThatTheListsThemselvesGive(int bound) throws Exception {
        SplittableRandom random = new SplittableRandom(bound);
        int known = 0;
        for (int round = 0; round < 3000; round++) {
            HashList before = list(
                    random.longs(random.nextInt(60)).map(hash -> hash >>> bound).toArray());
            HashList middle = changed(before, random, bound, 1 + random.nextInt(40));
            HashList now = changed(middle, random, bound, 1 + random.nextInt(40));
            Optional<byte[]> inOne = twoInOne(before, middle, now);
            if (inOne.isPresent()) {
                known++;
                assertArrayEquals(now.since(before), inOne.get());
            }
        }
        assertTrue(known > 300, known + " of 3000");
    }

    @Test
    void aHashThatMayBeTheOneThatWentIsAskedOfTheListsThemselves() throws Exception {
        HashList before = list(10, 20, 30, -5);
        HashList middle = list(10, 30, -5);
        assertEquals(Optional.empty(), twoInOne(before, middle, before));
        assertEquals(Optional.empty(), twoInOne(before, middle, list(10, 25, 30, -5)));
        assertArrayEquals(
                list(10, 30, 35, -5).since(before),
                twoInOne(before, middle, list(10, 30, 35, -5)).orElseThrow());
        assertEquals(Optional.empty(), twoInOne(list(1, 2), list(), list(1)), "all went");
        assertArrayEquals(
                list(-2).since(list()), twoInOne(list(), list(-1), list(-2)).orElseThrow(), "what came went again");
    }

    @Test
    void changesOfOtherListsAreRefused() throws Exception {
        HashList before = list(10, 20, 30);
        HashList middle = list(10, 30, 40);
        HashChange first = HashChange.decode(middle.since(before));
        HashChange next = HashChange.between(middle, list(10, 30, 40, 50));
        assertThrows(DeltaRefusedException.class, () -> first.compose(next, list(10, 30)));
        assertThrows(DeltaRefusedException.class, () -> first.compose(next, list(10, 30, 41)), "40 is not there");
        assertThrows(DeltaRefusedException.class, () -> first.compose(next, list(30, 40, 50)), "50 is there already");
        assertThrows(DeltaRefusedException.class, () -> first.compose(HashChange.between(before, list(1)), before));
    }

    @Test
    void everyCutAndEveryFlippedBitIsRefusedOrLeadsSomewhere() throws Exception {
        SplittableRandom random = new SplittableRandom(3);
        HashList before = list(random.longs(30).toArray());
        HashList middle = changed(before, random, 0, 10);
        HashChange next = HashChange.between(middle, changed(middle, random, 0, 10));
        byte[] bytes = middle.since(before);
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThrows(DeltaRefusedException.class, () -> HashChange.decode(cut));
        }
        int refused = 0;
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            byte[] flipped = bytes.clone();
            flipped[bit / 8] ^= (byte) (1 << (bit % 8));
            try {
                Optional<HashChange> _ = HashChange.decode(flipped).compose(next, middle);
            } catch (DeltaRefusedException e) {
                refused++;
            }
        }
        assertTrue(refused > 100, refused + " refused");
    }
}
