package org.bloomgate.core.lookalike;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PeopleTest {
    private static final People PEOPLE = new People(Map.of(
            "Jane Doe",
            List.of("Jane@corp.example"),
            "Paul Ibsen",
            List.of("paul@corp.example"),
            "Madonna",
            List.of()));

    private static String find(String name, String address) {
        return PEOPLE.find(name, address).map(LookAlike::of).orElse("nobody");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Jane Doe",
                "DOE, Jane",
                "Jane  Doe (CEO)",
                "jane.doe",
                "Jаnе Dое",
                "J4NE Doe x Jane",
                "jane@corp.example",
                "Jäne Dóe",
                "Ｊａｎｅ Ｄｏｅ"
            })
    void nameOfPersonBeforeAnotherAddressIsTheirs(String name) {
        assertEquals("Jane Doe", find(name, "ceo@evil.test"));
    }

    @Test
    void lettersThatAreDrawnAlikeAreOne() {
        assertEquals("Paul Ibsen", find("PauI lbsen", "p@evil.test"));
    }

    @Test
    void personMayWriteFromAddressesOfTheirOwn() {
        assertEquals("nobody", find("Jane Doe", "jane@corp.example"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Jane", "Doe", "John Doe", "Janet Doe", "", "Madonna Ciccone"})
    void otherNamesAreNobodys(String name) {
        assertEquals("nobody", find(name, "x@evil.test"));
    }

    @Test
    void personOfOneWordIsMeantByThatWordAlone() {
        assertEquals("Madonna", find("madonna", "x@evil.test"));
    }

    @Test
    void nameWithoutLettersIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new People(Map.of("-", List.of())));
        assertEquals(Optional.empty(), People.NONE.find("Jane Doe", "x@evil.test"));
    }
}
