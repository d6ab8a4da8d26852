package org.bloomgate.content.mime;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Base64;
import java.util.Set;
import java.util.stream.Collectors;
import org.bloomgate.core.key.Place;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TransferEncodingTest {
    private static final String FIELD = "\r\nContent-Transfer-Encoding: ";
    private static final String PAGE = "<p>x</p><a href=\"//evil.example/\">x</a>";
    private static final String BASE64 = Base64.getEncoder().encodeToString(PAGE.getBytes(ISO_8859_1));
    private static final String QUOTED = "<a href=3D\"=2F/ev=\r\nil.example/\">x</a>";

    private static ReadMessage read(String header, String body) {
        return ReadMessage.withoutFault((header + "\r\n\r\n" + body + "\r\n").getBytes(ISO_8859_1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "base64 | BASE64",
                "Base64 | BASE64",
                "'\"base64\"' | BASE64",
                "base64 (x) | BASE64",
                "(hi) base64 | BASE64",
                "(x(y)\\()(z)base64 | BASE64",
                "base64; charset=utf-8 | BASE64",
                "QUOTED-PRINTABLE | QUOTED_PRINTABLE",
                "x-uue | UUENCODE",
                "7bit | NONE",
                "binary. | NONE",
                "'' | NONE",
                "' ' | NONE",
                "; base64 | NONE BASE64",
                "=?utf-8?q?base64?= | NONE BASE64",
                "=base64 | NONE BASE64",
                "8bit base64 | NONE BASE64",
                "7bit,quoted-printable,base64 | NONE BASE64 QUOTED_PRINTABLE",
                "x base64 | BASE64 UNKNOWN",
                "x-base64 | UNKNOWN",
                "base-64 | UNKNOWN",
                "base64x | UNKNOWN",
                "=?utf-8?b?YmFzZTY0?= | UNKNOWN",
                "(base64 | UNKNOWN",
                "(base64) | UNKNOWN",
                "; | UNKNOWN"
            })
    void aValueIsWhatItsFirstWordIsAndWhatIsNamedBehind(String value, String expected) {
        assertEquals(
                expected, TransferEncoding.parse(value).stream().map(Enum::name).collect(Collectors.joining(" ")));
    }

    @Test
    void aValueOfTooManyWordsIsUnknownAsWell() {
        assertEquals(Set.of(TransferEncoding.BASE64), TransferEncoding.parse("base64" + " x".repeat(16)));
        assertEquals(
                Set.of(TransferEncoding.BASE64, TransferEncoding.UNKNOWN),
                TransferEncoding.parse("base64" + " x".repeat(17)));
    }

    @ParameterizedTest
    @CsvSource({
        "quoted-printable, base64, BASE64",
        "base64, quoted-printable, BASE64",
        "8bit, base64, BASE64",
        "base64, '', BASE64",
        "(x) base64, (y) 7bit, BASE64",
        "x-unknown, base64, BASE64",
        "uuencode, base64, BASE64",
        "base64, quoted-printable, QUOTED",
        "binary, quoted-printable, QUOTED",
        "base64, 8bit, PLAIN",
        "base64, '', PLAIN",
        "base64, x-unknown, PLAIN"
    })
    void twoFieldsAreReadEitherWay(String first, String second, String meant) {
        String body = switch (meant) {
            case "BASE64" -> BASE64;
            case "QUOTED" -> QUOTED;
            default -> PAGE;
        };
        ReadMessage read = read("Content-Type: text/html" + FIELD + first + FIELD + second, body);
        assertTrue(read.holds(Place.LINK, "evil.example"), () -> "" + read);
    }

    @ParameterizedTest
    @ValueSource(strings = {"(hi) base64", "(x)base64", "; base64", "=?utf-8?q?base64?="})
    void aCommentOrNothingFirstHidesNoEncoding(String value) {
        ReadMessage read = read("Content-Type: text/html" + FIELD + value, BASE64);
        assertTrue(read.holds(Place.LINK, "evil.example"));
        assertEquals(Set.of(), read.limits());
    }

    @ParameterizedTest
    @ValueSource(strings = {"8bit", "binary", "7bit (x)", "8BIT;"})
    void namesOfOneEncodingAreOne(String second) {
        ReadMessage read = read("Content-Type: text/html" + FIELD + "7bit" + FIELD + second, PAGE);
        assertEquals(
                1,
                read.identifiers().stream()
                        .filter(found -> found.place() == Place.LINK)
                        .count());
        assertEquals(Set.of(), read.limits());
    }

    @ParameterizedTest
    @ValueSource(strings = {"message/rfc822", "multipart/mixed; boundary=b"})
    void aContainerOfTwoEncodingsIsAmbiguous(String type) {
        String inner = "Content-Type: text/html\r\n\r\n" + PAGE;
        String content = type.startsWith("message") ? inner : "--b\r\n" + inner + "\r\n--b--\r\n";
        String coded = Base64.getEncoder().encodeToString(content.getBytes(ISO_8859_1));
        for (String body : new String[] {content, coded}) {
            ReadMessage read = read("Content-Type: " + type + FIELD + "8bit" + FIELD + "base64", body);
            assertEquals(Set.of("mime"), read.limits());
        }
    }

    @Test
    void aPartOfADigestIsAMessageOfOneEncodingOnly() {
        String head = "Content-Type: multipart/digest; boundary=b\r\n\r\n--b";
        String part = "\r\n\r\nContent-Type: text/html\r\n\r\n" + PAGE + "\r\n--b--";
        assertTrue(read(head + FIELD + "7bit" + part, "").holds("evil.example"));
        assertTrue(read(head + FIELD + "7bit" + FIELD + "base64" + part, "")
                .limits()
                .contains("mime"));
    }
}
