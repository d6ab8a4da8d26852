package org.bloomgate.base.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenTest {

    @Test
    void tokensAreTwelveCharactersOfTheAlphabetAndDiffer() {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            String token = Token.generate();
            assertTrue(token.matches("[0-9A-HJKMNP-TV-Z]{12}"), token);
            seen.add(token);
        }
        assertEquals(10_000, seen.size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0123456789AB", "o123456789ab", "OI2345-6789-AB", "0L23 4567 89aB"})
    void aTokenIsReadAsAPersonTypesIt(String typed) {
        assertEquals(Optional.of("0123456789AB"), Token.parse(typed));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0123456789A", "0123456789ABC", "0123456789AU", "0123456789A\u00e9", "mail.example"})
    void otherTextIsNoToken(String typed) {
        assertEquals(Optional.empty(), Token.parse(typed));
    }
}
