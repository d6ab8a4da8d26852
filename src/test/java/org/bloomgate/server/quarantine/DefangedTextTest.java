package org.bloomgate.server.quarantine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.bloomgate.server.quarantine.DefangedText.ListedValue;
import org.bloomgate.server.quarantine.DefangedText.Mark;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DefangedTextTest {
    private static final List<ListedValue> LISTED = List.of(
            new ListedValue("evil.example", "one", "phishing"),
            new ListedValue("xn--bcher-kva.example", "two", "spam"),
            new ListedValue("http://x.example/login", "three", "malware"));

    @ParameterizedTest
    @CsvSource({
        "http://evil.example/a.b?c.d, hxxp://evil[.]example/a[.]b?c[.]d",
        "HTTPS://a.b.example, HxxPS://a[.]b[.]example",
        "ftp://192.0.2.7/x, fxp://192[.]0[.]2[.]7/x",
        "http:/a.example, hxxp:/a[.]example",
        "tcp://a.example, tcp://a[.]example",
        "http://u.v@a.example/, hxxp://u[.]v@a[.]example/",
        "www.evil.example/x.html, www[.]evil[.]example/x[.]html",
        "a.b@evil.example, a[.]b@evil[.]example",
        "a.name@evil.example, a[.]name@evil[.]example",
        "evil.example., evil[.]example.",
        "www.evil.example.!, www[.]evil[.]example.!",
        "http://evil.example./, hxxp://evil[.]example./",
        "'http://a.example,http://evil.example/x', 'hxxp://a[.]example,hxxp://evil[.]example/x'",
        "http://a.example/?u=https://evil.example/, hxxp://a[.]example/?u=hxxps://evil[.]example/",
        "HTTP:evil.example, HxxP:evil[.]example",
        "//evil.example/x, //evil[.]example/x",
        "//192.0.2.7/x, //192[.]0[.]2[.]7/x",
        "\\\\192.0.2.7\\x, \\\\192[.]0[.]2[.]7\\x",
        "a.b@c, a[.]b@c",
        "http://evil\u3002example, hxxp://evil[.]example",
        "http://evil\uff0eexample, hxxp://evil[.]example",
        "http://evil\uff61example, hxxp://evil[.]example",
        "evil\u3002example, evil[.]example",
        "evil.\u200bexample, evil[.]\u200bexample",
        "\u5929\u6c17\u3002\u660e\u65e5\u306f\u96e8, \u5929\u6c17\u3002\u660e\u65e5\u306f\u96e8",
        "i.e, i.e",
        "a.io, a[.]io",
        "1.2.3, 1.2.3",
        "3.14, 3.14",
        "e.g., e.g.",
        "plain, plain"
    })
    void links_doNotWork(String word, String harmless) {
        assertEquals(harmless, DefangedText.link(word));
    }

    @Test
    void listed_isMarked() {
        DefangedText text =
                DefangedText.of("See <http://evil.example/x>, B\u00fccher.example or notevil.example", LISTED);
        assertEquals(
                List.of("hxxp://evil[.]example/x one", "B\u00fccher[.]example two"),
                text.marks().stream()
                        .map(mark -> text.text().substring(mark.start(), mark.end()) + " " + mark.feed())
                        .toList());
    }

    @Test
    void listedWithWideDots_isMarked() {
        DefangedText text = DefangedText.of("x http://evil\u3002example.", LISTED);
        assertEquals(List.of(new Mark(2, 24, "one", "phishing")), text.marks());
        assertEquals("x hxxp://evil[.]example.", text.text());
    }

    @Test
    void onlyDots_takeNoTime() {
        String dots = "@" + ".".repeat(DefangedText.MAX_BYTES - 1);
        assertEquals(dots, DefangedText.of(dots, List.of()).text());
    }

    @Test
    void url_isMarkedByItsPath() {
        assertEquals(
                List.of(new Mark(0, 26, "three", "malware")),
                DefangedText.of("http://x.example/login?q", LISTED).marks());
        assertEquals(
                List.of(), DefangedText.of("http://x.example/other", LISTED).marks());
    }

    @Test
    void textAtTheBound_isWhole() {
        String bound = "x".repeat(DefangedText.MAX_BYTES - 2) + " y";
        assertTrue(DefangedText.of(bound, List.of()).complete());
        assertFalse(DefangedText.of(bound + "y", List.of()).complete());
        assertTrue(DefangedText.of(bound + "y", List.of()).text().length() <= DefangedText.MAX_BYTES);
    }

    @Test
    void invisibleCharacters_areLeftOut() {
        assertEquals(
                "ab\nc", DefangedText.of("a\u001bb\n\u202ec\ud800", List.of()).text());
    }
}
