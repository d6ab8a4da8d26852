package org.bloomgate.core.smtp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Malformed values stand in the dialogue `malformed-attributes-are-refused`.
class IdentityAttributeTest {

    @ParameterizedTest
    @CsvSource({
        "ADDR=192.0.2.7, ADDR, 192.0.2.7",
        "addr=IPV6:2001:db8::7, ADDR, 2001:db8:0:0:0:0:0:7",
        "ADDR=ipv6:::ffff:192.0.2.7, ADDR, 192.0.2.7",
        "ADDR=[UNAVAILABLE], ADDR, ''",
        "NAME=[tempunavail], NAME, ''",
        "NAME=mx.client.example, NAME, mx.client.example",
        "PORT=0, PORT, 0",
        "HELO=[192.0.2.7], HELO, [192.0.2.7]",
        "HELO=a+2Bb+3Dc+20d, HELO, a+b=c d",
        "IDENT=4bXyz, IDENT, 4bXyz",
        "SOURCE=LOCAL, SOURCE, LOCAL"
    })
    void valuesAreDecoded(String command, IdentityAttribute attribute, String value) {
        assertEquals(
                new Parsed.Valid<>(Map.of(attribute, value)),
                IdentityAttribute.parse(command, IdentityAttribute.OF_XFORWARD));
    }

    @Test
    void loginAndDestinationAreOfXclient() {
        assertEquals(
                new Parsed.Valid<>(Map.of(
                        IdentityAttribute.LOGIN, "a b",
                        IdentityAttribute.DESTADDR, "192.0.2.25",
                        IdentityAttribute.DESTPORT, "25")),
                IdentityAttribute.parse("LOGIN=a+20b DESTADDR=192.0.2.25 DESTPORT=25", IdentityAttribute.OF_XCLIENT));
    }

    /// Seeded: no bytes make it throw, and none brings a control character in.
    @Test
    void hostileValuesBringNoControlCharacterIn() {
        Random random = new Random(20260102);
        String alphabet = "NAMEDRHELO=+0123456789ABCDEFabc.:[]- \r\n\0\u00ff";
        for (int i = 0; i < 50_000; i++) {
            StringBuilder text = new StringBuilder(random.nextBoolean() ? "HELO=" : "ADDR=IPV6:");
            random.ints(random.nextInt(30), 0, alphabet.length()).forEach(at -> text.append(alphabet.charAt(at)));
            if (IdentityAttribute.parse(text.toString(), IdentityAttribute.OF_XFORWARD)
                    instanceof Parsed.Valid<Map<IdentityAttribute, String>>(Map<IdentityAttribute, String> values)) {
                values.values()
                        .forEach(value -> assertEquals(
                                -1,
                                value.chars().filter(b -> b < ' ').findFirst().orElse(-1)));
            }
        }
    }
}
