package org.bloomgate.judge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PartedMailTest {
    private static final Instant NOON = Instant.parse("2026-03-05T12:00:00Z");
    private static final List<String> BOTH = List.of("a@dest.example", "b@dest.example");
    private static final List<String> APART = List.of("b@dest.example");

    private Instant now = NOON;
    private final PartedMail parted = new PartedMail(() -> now);

    @Test
    void aPairIsPutOffOnceAndThenToldApartOnce() {
        assertTrue(parted.putOff("s@from.example", BOTH, APART));
        PartedMail.Pair known = parted.beginning("s@from.example", BOTH).orElseThrow();
        assertTrue(known.goesApart("b@dest.example"));
        assertFalse(known.goesApart("a@dest.example"));
        assertTrue(parted.beginning("s@from.example", BOTH).isEmpty(), "it was told once");
        assertFalse(parted.putOff("s@from.example", BOTH, APART), "whatever comes now is not put off again");
    }

    @Test
    void theOrderOfRecipientsMattersToWhoIsToldAndNotToWhatIsKnown() {
        assertTrue(parted.putOff("s@from.example", BOTH, APART));
        assertTrue(parted.beginning("s@from.example", BOTH.reversed()).isEmpty());
        assertFalse(parted.putOff("s@from.example", BOTH.reversed(), List.of("a@dest.example")));
    }

    @Test
    void anotherSenderAndOtherRecipientsAreAnotherPair() {
        assertTrue(parted.putOff("s@from.example", BOTH, APART));
        assertTrue(parted.beginning("t@from.example", BOTH).isEmpty());
        assertTrue(parted.beginning("s@from.example", List.of("c@dest.example", "b@dest.example"))
                .isEmpty());
        assertTrue(parted.putOff("t@from.example", BOTH, APART));
        assertTrue(parted.putOff("", BOTH, APART), "the null reverse-path is a sender as well");
    }

    @Test
    void thoseWhoGoApartAreNotPutOffAgainWhenTheyDifferAmongThemselves() {
        List<String> three = List.of("a@dest.example", "b@dest.example", "c@dest.example");
        assertTrue(parted.putOff("s@from.example", three, three.subList(1, 3)));
        assertFalse(parted.putOff("s@from.example", three.subList(1, 3), List.of("c@dest.example")));
    }

    @Test
    void aCleanMessageOfThePairEndsIt() {
        assertTrue(parted.putOff("s@from.example", BOTH, APART));
        parted.clean("s@from.example", List.of("a@dest.example"));
        assertFalse(parted.isEmpty(), "that was another one");
        parted.clean("s@from.example", BOTH.reversed());
        assertTrue(parted.isEmpty());
        assertTrue(parted.putOff("s@from.example", BOTH, APART));
    }

    @Test
    void aPairIsForgottenAfterHoursAndNotBefore() {
        assertTrue(parted.putOff("s@from.example", BOTH, APART));
        now = NOON.plus(PartedMail.FORGOTTEN_AFTER);
        assertFalse(parted.putOff("s@from.example", BOTH, APART));
        now = now.plusSeconds(1);
        assertTrue(parted.beginning("s@from.example", BOTH).isEmpty());
        assertTrue(parted.isEmpty());
        assertTrue(parted.putOff("s@from.example", BOTH, APART));
    }

    @Test
    void whoFillsTheMemoryPushesNobodyOutAndWhatDoesNotFitIsNotPutOff() {
        assertTrue(parted.putOff("s@from.example", BOTH, APART));
        int taken = 0;
        while (parted.putOff("x" + taken + "@bad.example", BOTH, APART)) {
            taken++;
        }
        assertEquals(PartedMail.MAX_PAIRS - 1, parted.size());
        assertFalse(parted.putOff("late@from.example", BOTH, APART));
        assertTrue(parted.beginning("s@from.example", BOTH).isPresent());
    }

    @Test
    void asManyApartAsTheBoundAreRememberedAndOneMoreIsNot() {
        List<String> many = IntStream.rangeClosed(0, PartedMail.MAX_APART + 1)
                .mapToObj(i -> "u" + i + "@dest.example")
                .toList();
        assertFalse(parted.putOff("s@from.example", many, many.subList(1, many.size())));
        assertTrue(parted.putOff("s@from.example", many, many.subList(2, many.size())));
        assertTrue(
                parted.putOff("s@from.example", Collections.nCopies(2, "a@dest.example"), List.of("a@dest.example")));
    }
}
