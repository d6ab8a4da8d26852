package org.bloomgate.core.key;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyTest {
    @ParameterizedTest
    @CsvSource({
        "domain a.b.example, domain a.b.example; domain b.example; domain example",
        "url a.example/, url a.example/; domain a.example; domain example",
        "url a.example/p/q?r, url a.example/p/q?r; url a.example/p/; url a.example/; domain a.example; domain example",
        "address ada@a.example, address ada@a.example; domain a.example; domain example",
        "keyword lottery, keyword lottery"
    })
    void around_isTheKeyThenWhatContainsIt(String key, String around) {
        List<String> lines = Key.ofLine(key).around().stream().map(Key::line).toList();
        assertEquals(Arrays.asList(around.split("; ", -1)), lines);
    }

    @Test
    void networksAround_areNarrowestFirst() {
        List<Key> around = Key.ofLine("network 192.0.2.128/25").around();
        assertEquals(26, around.size());
        assertEquals("192.0.2.128/25", around.get(0).text());
        assertEquals("192.0.2.0/24", around.get(1).text());
        assertEquals("0.0.0.0/0", around.getLast().text());
    }
}
