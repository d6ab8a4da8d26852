package org.bloomgate.core.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class MailAddressTest {
    static Stream<Arguments> addresses() {
        return Rows.of("addresses.tsv");
    }

    @ParameterizedTest
    @MethodSource("addresses")
    void everySpellingHasItsCanonicalForm(String input, String expected, String keys) {
        assertEquals(Rows.textOf(expected), canonical(Rows.textOf(input)), keys);
    }

    @ParameterizedTest
    @MethodSource("addresses")
    void aCanonicalFormReadAgainIsTheSame(String input, String expected, String keys) {
        if (!expected.equals("-")) {
            assertEquals(Rows.textOf(expected), canonical(Rows.textOf(expected)), input + keys);
        }
    }

    @ParameterizedTest
    @MethodSource("addresses")
    void anAddressIsAskedForInAllItsForms(String input, String expected, String keys) {
        if (!expected.equals("-")) {
            MailAddress address = MailAddress.parse(Rows.textOf(input)).orElseThrow();
            assertEquals(
                    List.of(Rows.textOf(keys).split("(?<! \"[^\"]{0,9}|^\"[^\"]{0,9}) ")),
                    Batches.keys(KeyKind.ADDRESS, batch -> address.append(Batches.SUFFIXES, batch)));
        }
    }

    private static String canonical(String text) {
        return MailAddress.parse(text).map(MailAddress::text).orElse("-");
    }

    @Test
    void anAddressBringsItsDomainAndTheOneItWasRewrittenFrom() {
        MailAddress address = MailAddress.parse("SRS0=HHH=TT=a.evil.example=user@www.forward.test")
                .orElseThrow();
        assertEquals(
                List.of("www.forward.test", "forward.test", "a.evil.example", "evil.example"),
                Batches.keys(KeyKind.DOMAIN, batch -> address.append(Batches.SUFFIXES, batch)));
    }

    @Test
    void rewritingsAreUndoneToABoundedDepth() {
        String nested = "prvs=a=".repeat(200) + "user@evil.example";
        List<String> keys = Batches.keys(
                KeyKind.ADDRESS,
                batch -> MailAddress.parse(nested).orElseThrow().append(Batches.SUFFIXES, batch));
        assertEquals(4, keys.size());
    }

    @Test
    void anAddressBeyondAllReasonIsNone() {
        assertTrue(MailAddress.parse("a".repeat(1980) + "@evil.example").isPresent());
        assertTrue(MailAddress.parse("a".repeat(2000) + "@evil.example").isEmpty());
    }

    /// Brackets are none of the characters that most addresses are made of.
    @Test
    void aPlainAddressIsReadAsOneInBrackets() {
        SplittableRandom random = new SplittableRandom(15);
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int length = random.nextInt(1, 14); text.length() < length; ) {
                text.append("aZ1.-_+=@".charAt(random.nextInt(9)));
            }
            assertEquals(canonical("<" + text + ">"), canonical(text.toString()), text::toString);
            assertEquals(canonical("<a" + text + ".example>"), canonical("a" + text + ".example"), text::toString);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "user@Sender.EXAMPLE, sender.example",
        "\"a@b\"@sender.example, sender.example",
        "user@[192.0.2.1], [192.0.2.1]",
        "Sender.example, sender.example",
        "user@, ''",
        "'', ''"
    })
    void domainOf_isTextAfterLastAtInLowerCase(String address, String domain) {
        assertEquals(domain, MailAddress.domainOf(address));
    }
}
