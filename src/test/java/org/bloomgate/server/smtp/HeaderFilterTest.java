package org.bloomgate.server.smtp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeaderFilterTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', ignoreLeadingAndTrailingWhitespace = false, textBlock = """
        Subject: x\\r\\n\\r\\nbody\\r\\n|Subject: x\\r\\n\\r\\nbody\\r\\n
        X-Bloomgate-Verdict: clean\\r\\nSubject: x\\r\\n|Subject: x\\r\\n
        x-bLOOMGATE-\\r\\n folded\\r\\n\\x09again\\r\\nA: b\\r\\n|A: b\\r\\n
        A: b\\r\\nX-Bloomgate-A: b\\r\\n\\r\\nX-Bloomgate-A: b\\r\\n|A: b\\r\\n\\r\\nX-Bloomgate-A: b\\r\\n
        X-Bloomgate: b\\r\\n c\\r\\n|X-Bloomgate: b\\r\\n c\\r\\n
        X-Bloomgat|X-Bloomgat
         folded first\\r\\n\\r\\n|X-Bloomgate-Stray: folded first\\r\\n\\r\\n
        \\x09folded\\r\\n again\\r\\nA: b\\r\\n|X-Bloomgate-Stray:\\x09folded\\r\\n again\\r\\nA: b\\r\\n
        A: b\\r\\n folded\\r\\n|A: b\\r\\n folded\\r\\n
        X-Bloomgate-A: b\\r\\n folded\\r\\nA: b\\r\\n|A: b\\r\\n
        X-Bloom\\x00gate-A: b\\r\\nA: b\\r\\n|A: b\\r\\n
        \\x00X-Bloomgate-A: b\\r\\n c\\r\\nA: b\\r\\n|A: b\\r\\n
        X-Bl\\xd0\\xbe\\xd0\\xbemgate-A: b\\r\\nA: b\\r\\n|A: b\\r\\n
        X_B1O0mgate-A: b\\r\\nA: b\\r\\n|A: b\\r\\n
        X-Bloomgate -A: b\\r\\nA: b\\r\\n|A: b\\r\\n
        X-Bloomgat\\xc3\\xa9 : b\\r\\nA: b\\r\\n|A: b\\r\\n
        X \\xd0\\xbe: b\\r\\nA: b\\r\\n|X \\xd0\\xbe: b\\r\\nA: b\\r\\n
        \\r\\x00\\r\\nX-Bloomgate-A: b\\r\\n|\\r\\x00\\r\\n
        \\r\\nX-Bloomgate-A: b\\r\\n|\\r\\nX-Bloomgate-A: b\\r\\n
        no field\\r\\nX-Bloomgate-A: b\\r\\n|no field\\r\\n
        """)
    void onlyOurFieldsAreHeldBackAtAnySplit(String message, String expected) {
        for (int block = 1; block < 20; block++) {
            assertEquals(
                    RelayScript.bytes(expected + "\\c"),
                    sieve(RelayScript.bytes(message + "\\c"), block).text());
        }
    }

    @Test
    void receivedFieldsAreCountedInTheHeaderOnly() {
        String message = "Received: a\r\nRECEIVED:b\r\nReceivedX: c\r\n\r\nReceived: d\r\n";
        for (int block = 1; block < 20; block++) {
            assertEquals(2, sieve(message, block).receivedFields());
        }
    }

    private record Sieved(String text, int receivedFields) {}

    private static Sieved sieve(String message, int block) {
        ByteArrayOutputStream passed = new ByteArrayOutputStream();
        HeaderFilter sieve = new HeaderFilter((bytes, from, to) -> passed.write(bytes, from, to - from));
        byte[] bytes = message.getBytes(ISO_8859_1);
        for (int at = 0; at < bytes.length; at += block) {
            sieve.write(bytes, at, Math.min(bytes.length, at + block));
        }
        sieve.finish();
        return new Sieved(passed.toString(ISO_8859_1), sieve.receivedFields());
    }
}
