package org.bloomgate.content.mime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.MessageLimits;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EncodedWordsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "plain|plain",
                "=?utf-8?q?a_b=20c?=|a b c",
                "=?UTF-8?B?w7Y=?=|ö",
                "=?utf-8?b?w7Y?=|ö",
                "=?iso-8859-1?Q?=F6?= x|ö x",
                "=?utf-8?q?a?= =?utf-8?q?b?=|ab",
                "=?utf-8?q?a?= x =?utf-8?q?b?=|a x b",
                "=?utf-8?q?=C3?= =?utf-8?q?=B6?=|ö",
                "=?utf-8?q?a?= =?iso-8859-1?q?=F6?=|aö",
                "=?utf-8*de?q?a?=|a",
                "x=?utf-8?q?a?=y|xay",
                "=?utf-8?q?a b?=|a b",
                "=?nowhere?q?=C3=B6?=|ö",
                "=?utf-8?x?a?=|=?utf-8?x?a?=",
                "=?utf-8?q?a|=?utf-8?q?a",
                "=?utf-8?q|=?utf-8?q",
                "=?|=?",
                "=?utf-8?q??=|''",
                "=?utf-8?q?=ZZ?=|=ZZ"
            })
    void words(String value, String text) {
        Allowance allowance = new Allowance(MessageLimits.defaults());
        assertEquals(text, EncodedWords.decode(value, allowance));
    }
}
