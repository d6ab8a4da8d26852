package org.bloomgate.content.mime;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
        RawField field = new RawField("Content-Type", "multipart/mixed; " + parameters);
        assertEquals(
                value,
                FieldParameter.find(RawFieldParser.DEFAULT.parseRawBody(field).getParams(), "boundary"));
    }
}
