package org.bloomgate.core.key;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MatchTest {
    private static final Key DOMAIN = new Key(KeyKind.DOMAIN, "bad.example");

    @ParameterizedTest
    @EnumSource(Match.class)
    void match_includesThoseThatReachNoFurther(Match match) {
        for (Match other : Match.values()) {
            boolean reachesAll = Stream.of(true, false)
                    .filter(itself -> other.reaches(DOMAIN, itself))
                    .allMatch(itself -> match.reaches(DOMAIN, itself));
            assertEquals(reachesAll, match.includes(other), match + " and " + other);
        }
    }

    @Test
    void below_reachesOnlyNamesBelow() {
        assertEquals(false, Match.BELOW.reaches(DOMAIN, true));
        assertEquals(true, Match.BELOW.reaches(DOMAIN, false));
    }
}
