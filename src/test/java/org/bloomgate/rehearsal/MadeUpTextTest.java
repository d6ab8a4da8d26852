package org.bloomgate.rehearsal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class MadeUpTextTest {
    private static final String TIDY = "n".repeat(10_000);

    private static final Pattern BARE = Pattern.compile("\r(?!\n)|(?<!\r)\n");

    private final MadeUpText text = new MadeUpText(new SplittableRandom(1));

    @Test
    void slipsAreFewAndElsewhereEachTime() {
        String slipped = text.slipped(TIDY);
        long left = slipped.chars().filter(c -> c == 'n').count();
        assertTrue(left > 9_900 && left < 10_000, slipped);
        assertNotEquals(slipped, text.slipped(TIDY));
    }

    @Test
    void whatMailIsMadeOfIsAmongThem() {
        Set<Integer> seen = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            text.slipped(TIDY).chars().forEach(seen::add);
        }
        assertTrue(seen.containsAll("<>&;\"'%\\/=?_#@:,.()[]{}!*-+~|$^`\t\r\n\0\u00a0\u200b\u4e2d"
                .chars()
                .boxed()
                .toList()));
    }

    @Test
    void lineEndsStayWhole() {
        String lines = "a line\r\n".repeat(1_000);
        for (int i = 0; i < 100; i++) {
            assertFalse(BARE.matcher(text.slipped(lines)).find());
        }
    }

    @Test
    void whatIsShorterThanAGapMayStayAsItIs() {
        assertEquals("", text.slipped(""));
    }

    @Test
    void everyFileOfTheFolderCanBeRead() {
        for (String file :
                new String[] {"photo.png", "logo.png", "scan.png", "button.png", "photo.jpg", "invoice.pdf"}) {
            assertTrue(MadeUpText.octets(file).length > 1_000, file);
        }
    }
}
