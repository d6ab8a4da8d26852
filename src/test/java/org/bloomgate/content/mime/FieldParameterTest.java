package org.bloomgate.content.mime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.apache.james.mime4j.stream.NameValuePair;
import org.apache.james.mime4j.stream.RawField;
import org.apache.james.mime4j.stream.RawFieldParser;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldParameterTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "boundary=a | a",
                "BOUNDARY=\"a b\" | a b",
                "boundary*0=a; boundary*1=b | ab",
                "boundary*1=b; boundary*0=\"a \" | ab",
                "boundary*0*=utf-8'en'a%20; boundary*1=%20; boundary*2*=%2f | a %20/",
                "boundary*=us-ascii''a%2Db | a-b",
                "boundary*=a%2Db | a-b",
                "boundary*0=a; boundary*2=c | a",
                "boundary*0=a; boundary=b | b",
                "boundary*=x; boundary*0=a | x",
                "boundaryx=a | ``",
                "x=boundary | ``",
                "boundary*x=a | ``",
                "boundary | ``"
            })
    void piecesAndCodes(String parameters, String value) {
        assertEquals(value, FieldParameter.find(parameters(parameters), "boundary"));
    }

    private static List<NameValuePair> parameters(String text) {
        RawField field = new RawField("Content-Type", "multipart/mixed; " + text);
        return RawFieldParser.DEFAULT.parseRawBody(field).getParams();
    }

    /// A name in each charset, whole and in pieces that are cut anywhere, also within a character.
    @ParameterizedTest
    @CsvSource({
        "utf-8, R\u00e9sum\u00e9 \u20ac 5 % \u65e5\u672c.pdf",
        "UTF-8, \ud83d\ude00.pdf",
        "'', \u00fcber.pdf",
        "x-unknown, \u00fcber.pdf",
        "us-ascii, \u00fcber.pdf",
        "iso-8859-1, \u00fcber.pdf",
        "windows-1252, 5 \u20ac.pdf",
        "koi8-r, \u0441\u0447\u0451\u0442.pdf",
        "shift_jis, \u65e5\u672c.pdf",
        "utf-16be, \u65e5\u672c.pdf"
    })
    void text_inPieces_isDecodedByItsCharset(String charset, String text) {
        byte[] bytes = text.getBytes(
                List.of("", "x-unknown", "us-ascii").contains(charset)
                        ? StandardCharsets.UTF_8
                        : Charset.forName(charset));
        for (String language : List.of("", "fr")) {
            String head = charset + "'" + language + "'";
            assertEquals(
                    text,
                    FieldParameter.findText(parameters("name*=" + head + encode(bytes, 0, bytes.length)), "name"));
            for (int first = 0; first < bytes.length; first++) {
                for (int second = first; second < bytes.length; second++) {
                    String pieces = "name*2*=%s; name*0*=%s; name*1*=%s"
                            .formatted(
                                    encode(bytes, second, bytes.length),
                                    head + encode(bytes, 0, first),
                                    encode(bytes, first, second));

                    assertEquals(text, FieldParameter.findText(parameters(pieces), "name"), pieces);
                }
            }
        }
    }

    private static String encode(byte[] bytes, int from, int to) {
        return from == to ? "" : "%" + HexFormat.ofDelimiter("%").formatHex(bytes, from, to);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "name=\"plain.pdf\" | plain.pdf",
                "name*0*=utf-8''5%20%E2%82%AC%20; name*1=bill.pdf | 5 \u20ac bill.pdf",
                "name*0*=utf-8''50; name*1=%20.pdf | 50%20.pdf",
                "name*0=a; name*1=\"b'c'.pdf\" | ab'c'.pdf",
                "name*0=a'b; name*1*=%41 | a'bA",
                "name*=R%C3%A9.pdf | R\u00e9.pdf",
                "name*=utf-8'R%C3%A9.pdf | utf-8'R\u00e9.pdf",
                "name*=utf-8''%FF%.pdf | \ufffd%.pdf"
            })
    void text_ofUnusualForm_isReadAsFarAsPossible(String parameters, String text) {
        assertEquals(text, FieldParameter.findText(parameters(parameters), "name"));
    }
}
