package org.bloomgate.core.lookalike;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
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

    static List<String> hidden() {
        String marks = "\u0300\u0316".repeat(200);
        return List.of(
                "J" + marks + "ane Doe" + marks,
                "J\u200bane\u2060 D\u00adoe\ufe0f",
                "x ".repeat(10_000) + "Jane Doe",
                "\ufdfa".repeat(1000) + " Jane Doe",
                "Jane Doe " + "x".repeat(100_000),
                "Jane " + "\u03a3".repeat(100_000) + " Doe");
    }

    @ParameterizedTest
    @MethodSource("hidden")
    void nameAmongJunk_isFound(String name) {
        assertEquals("Jane Doe", find(name, "ceo@evil.test"));
    }

    @Test
    void nameOfOneWord_isAllThatIsShown() {
        String shown = "Madonna" + ".".repeat(People.MAX_NAME_CHARS - "Madonna".length());
        assertEquals("Madonna", find(shown + "x", "x@evil.test"));
        assertEquals("nobody", find(shown.substring(1) + "x", "x@evil.test"));
        assertEquals("Madonna", find("M" + "\u0316".repeat(300) + "adonna", "x@evil.test"));
    }

    @Test
    void nameWithoutLettersIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new People(Map.of("-", List.of())));
        assertEquals(Optional.empty(), People.NONE.find("Jane Doe", "x@evil.test"));
    }
}
