package org.bloomgate.content.links;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.bloomgate.core.key.Place;
import org.junit.jupiter.api.Test;

class SeenTextsTest {
    @Test
    void aTextIsNewOnceInEachPlaceHoweverItIsAskedFor() {
        SeenTexts seen = new SeenTexts();
        char[] text = "see a.example, a.example".toCharArray();
        assertEquals(Optional.of("a.example"), seen.add(Place.TEXT, text, 4, 13));
        assertEquals(Optional.empty(), seen.add(Place.TEXT, text, 15, 24));
        assertFalse(seen.add(Place.TEXT, "a.example"));
        assertTrue(seen.contains(Place.TEXT, "a.example"));
        assertFalse(seen.contains(Place.LINK, "a.example"));
        assertTrue(seen.add(Place.LINK, "a.example"));
    }

    @Test
    void textsAtRandomAreToldApartAsASetDoes() {
        SplittableRandom random = new SplittableRandom(20260105);
        SeenTexts seen = new SeenTexts();
        Set<String> oracle = new HashSet<>();
        for (int i = 0; i < 20_000; i++) {
            char[] text = new char[random.nextInt(9)];
            for (int c = 0; c < text.length; c++) {
                text[c] = "ab\u00e9\u3002\0".charAt(random.nextInt(5));
            }
            String string = new String(text);
            boolean isNew = oracle.add(string);
            assertEquals(!isNew, seen.contains(Place.RAW, string));
            boolean told = random.nextBoolean()
                    ? seen.add(Place.RAW, string)
                    : seen.add(Place.RAW, text, 0, text.length).isPresent();
            assertEquals(isNew, told);
        }
    }
}
