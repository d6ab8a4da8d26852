package org.bloomgate.core.url;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ForeignHostsTest {
    static Stream<String> marks() {
        return ForeignHosts.MARKS.stream();
    }

    @ParameterizedTest
    @MethodSource("marks")
    void everyMarkIsFoundInCapitalsOrNot(String mark) {
        for (String written : List.of(mark, mark.toUpperCase(Locale.ROOT))) {
            String link = "https://x" + written + "y/";
            assertTrue(ForeignHosts.isMarked(link, link.length()), link);
            assertFalse(ForeignHosts.isMarked(link, link.indexOf(written)), "it begins behind the end");
        }
    }

    @Test
    void whereNoMarkStandsNoneIsFound() {
        String link = "https://www.bing.example/archives/webcam";
        assertFalse(ForeignHosts.isMarked(link, link.length()));
    }
}
