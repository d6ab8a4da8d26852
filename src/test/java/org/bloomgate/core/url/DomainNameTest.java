package org.bloomgate.core.url;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DomainNameTest {
    @ParameterizedTest
    @CsvSource({
        "dest.example, dest.example",
        "Dest.EXAMPLE., dest.example",
        "localhost, localhost",
        "_dmarc.a-b.example, _dmarc.a-b.example",
        "bücher.example, xn--bcher-kva.example",
        "xn--bcher-kva.example, xn--bcher-kva.example"
    })
    void aDomainHasOneForm(String text, String form) {
        assertEquals(Optional.of(new DomainName(form)), DomainName.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                " x",
                "x ",
                "@x",
                "a@x",
                "x/",
                "http://x/",
                "a,b",
                "a b",
                "a..b",
                ".a",
                "a..",
                "-a.example",
                "a-.example",
                "*",
                "*.a",
                "[a]",
                "<img src=x>",
                "{{7*7}}",
                "'-alert(1)-'",
                "%3Cimg%3E",
                "a:25",
                "1.2.3.4",
                "192.0.2.256",
                "a\tb",
                "a\u00a0b",
                "\"a\"",
                "-"
            })
    void whatIsNoDomainIsNotRepaired(String text) {
        assertEquals(Optional.empty(), DomainName.parse(text));
    }

    @Test
    void labelsAndNamesHaveTheLengthOfDns() {
        String label = "a".repeat(63);
        String longest = (label + '.').repeat(3) + "a".repeat(61);
        assertEquals(253, longest.length());
        assertEquals(Optional.of(new DomainName(longest)), DomainName.parse(longest));
        assertEquals(Optional.empty(), DomainName.parse(longest + 'a'));
        assertEquals(Optional.empty(), DomainName.parse(label + 'a'));
    }
}
