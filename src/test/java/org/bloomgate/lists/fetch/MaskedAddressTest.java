package org.bloomgate.lists.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MaskedAddressTest {
    @ParameterizedTest
    @CsvSource({
        "https://lists.example/a.txt,                     https://lists.example/a.txt",
        "https://user:secret@lists.example/a.txt,         https://***@lists.example/a.txt",
        "https://a@b@lists.example/,                      https://***@lists.example/",
        "HTTPS://token@lists.example?key=secret,          HTTPS://***@lists.example?key=***",
        "https://lists.example/?key=secret&format=csv,    https://lists.example/?key=***&format=***",
        "https://lists.example/?a=1;token=secret,         https://lists.example/?a=***;token=***",
        "https://lists.example/?secret,                   https://lists.example/?***",
        "https://lists.example/?secret&k=,                https://lists.example/?***&k=***",
        "https://lists.example/?k=se=cret?x,              https://lists.example/?k=***",
        "https://lists.example/a#token=secret,            https://lists.example/a",
        "https://lists.example/a#x?token=secret,          https://lists.example/a",
        "https://lists.example/x@y,                       https://lists.example/x@y",
        "var/lists/a?b=c@d.txt,                           var/lists/a?b=c@d.txt",
        "-,                                               -"
    })
    void secretsAreNotShown(String address, String shown) {
        assertEquals(shown, MaskedAddress.of(address));
    }
}
