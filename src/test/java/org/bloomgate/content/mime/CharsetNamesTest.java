package org.bloomgate.content.mime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.Charset;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CharsetNamesTest {
    @Test
    void everyNameLeadsWhereTheRuntimeLooksItUp() {
        Set<String> names = new HashSet<>();
        for (Charset charset : Charset.availableCharsets().values()) {
            names.add(charset.name().toLowerCase(Locale.ROOT));
            charset.aliases().forEach(alias -> names.add(alias.toLowerCase(Locale.ROOT)));
        }
        assertTrue(names.size() > 500);
        names.forEach(name -> assertEquals(Optional.of(Charset.forName(name)), CharsetNames.find(name), name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x-nobody", "[charse", "utf-8 ", "UTF-8"})
    void whatIsNoNameLeadsNowhere(String name) {
        assertEquals(Optional.empty(), CharsetNames.find(name));
    }
}
