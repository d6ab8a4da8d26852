package org.bloomgate.core.smtp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RefusedRecipientTest {
    private static final String REPLY = "550 5.1.1 no: 250 such user";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gone@dest.example",
                "\"a: 250 b\"@dest.example",
                "\"a\\\": 250 b\\\\\"@dest.example",
                "gone@[IPv6:2001:db8::1]",
                "@a.example,@b.example:gone@dest.example",
                "",
            })
    void whatWasWrittenIsRead(String path) {
        RefusedRecipient refused = new RefusedRecipient(path, REPLY);
        assertEquals(refused, RefusedRecipient.of(refused.text()));
        assertEquals("550", refused.code());
    }

    @ParameterizedTest
    @ValueSource(strings = {"gone@dest.example", "\"never closed: 550 x", "\"\\", "\""})
    void whatWasCutBeforeItsReplyHasNone(String text) {
        assertEquals(new RefusedRecipient(text, ""), RefusedRecipient.of(text));
        assertEquals("", RefusedRecipient.of(text).code());
    }

    @Test
    void aReplyMayBeItsCodeAlone() {
        assertEquals("450", RefusedRecipient.of("a@dest.example: 450").code());
    }
}
