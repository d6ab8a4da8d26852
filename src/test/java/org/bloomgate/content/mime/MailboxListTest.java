package org.bloomgate.content.mime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.MessageLimits;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MailboxListTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "a@b.example | a@b.example",
                "A B <a@b.example> | a@b.example",
                "\"A, B\" <a@b.example>, c@d.example | a@b.example c@d.example",
                "\"x@y.example\" <a@b.example> | a@b.example",
                "(x@y.example) a@b.example | a@b.example",
                "a@b.example (x (y) \\) z) | a@b.example",
                "group: a@b.example, C <c@d.example>; | a@b.example c@d.example",
                "undisclosed-recipients:; | ``",
                "<@r.example,@s.example:a@b.example> | a@b.example",
                "\"a b\"@c.example | \"a b\"@c.example",
                "<\"a>b\"@c.example> | \"a>b\"@c.example",
                "<a@b.example | a@b.example",
                "A <> | ``",
                "\"A <a@b.example> | \"A <a@b.example>",
                "((( | ``",
                "a@b.example;c@d.example | a@b.example c@d.example"
            })
    void addresses(String value, String addresses) {
        Allowance unbounded = new Allowance(MessageLimits.defaults());
        assertEquals(addresses, String.join(" ", MailboxList.parseAddresses(value, unbounded)));
    }
}
